import Playback

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdStorage

/// The record of a suspension.
struct SleepRecord {
  /// The instant of the signal; nil while no suspension is being prepared.
  var began: Int64?
  var wasPlaying = false
  var commands = 0
  /// The wake-up whose effect has not been checked.
  var woke: (instant: Int64, isToPlay: Bool?)?
  /// The instant since which the state and the lock should agree.
  var statusSince: Int64 = 0
  var status = Player.Transport.stopped
  var isLost = false

  var isInProgress: Bool { began != nil || woke != nil }
}

extension StorageChecks {
  /// The time that logind waits for a delay lock at most, in nanoseconds.
  private static let limit: Int64 = 5_000_000_000

  /// Lets the machine prepare a suspension, unless it prepares one or a shutdown: logind refuses a second action.
  func sleeps(_ life: DaemonLife) {
    guard life.login.delays > 0, !life.isShuttingDown, !sleep.isInProgress else { return }
    sleep.began = life.world.now
    sleep.wasPlaying = life.coordinator.snapshot.status == .playing
    if life.settings.current.pauseOnSleep == .off {
      // A request that was accepted before may begin to play.
      let isToPlay = life.opens.read { $0.operations.contains { $0.intent == .playing } }
      sleep.wasPlaying = sleep.wasPlaying || isToPlay
    }
    sleep.commands = commands + requests.all.count
    life.login.send(.sleep)
  }

  func checkSleep(_ life: DaemonLife, _ snapshot: Player.Snapshot) {
    let now = life.world.now
    let status = life.coordinator.snapshot.status
    if status != sleep.status {
      sleep.status = status
      sleep.statusSince = now
    }
    let isUndisturbed = sleep.commands == commands + requests.all.count
    if let began = sleep.began {
      guard life.login.delays == 0 else {
        return require(
          .sleepIsNotDelayed, now - began <= Self.limit + 2 * session.latency, "the lock is held for \(now - began) ns")
      }
      sleep.began = nil
      let policy = life.settings.current.pauseOnSleep
      if isUndisturbed {
        require(.sleepPauses, policy == .off || status != .playing, "\(status) when the machine is suspended")
        checkSavedBeforeSleep(life, since: began)
      }
      sleep.woke = (now, isUndisturbed ? (policy == .pause ? false : sleep.wasPlaying) : nil)
      life.login.send(.wake)
    } else if let woke = sleep.woke, now - woke.instant > 1_000_000_000 + session.latency {
      sleep.woke = nil
      require(
        .wakeTakesLock, life.isLoginLost || life.login.delays > 0, "no lock after the wake-up")
      if isUndisturbed, let isToPlay = woke.isToPlay {
        // An item may have ended or failed in the meantime.
        require(.wakeResumes, isToPlay || status != .playing, "\(status) after the wake-up")
      }
    }
    if now - sleep.statusSince > 1_000_000_000 + session.latency, sleep.began == nil,
      sleep.woke == nil, !life.isLoginLost
    {
      require(
        .playbackInhibitsSleep, life.login.blocks == (status == .playing && life.settings.current.inhibitSleep ? 1 : 0),
        "\(life.login.blocks) locks while \(status)")
    }
  }

  /// Checks that the session on the disk is one of the time since the signal: playback may continue, and items may be
  /// opened, while a slow disk writes.
  private func checkSavedBeforeSleep(_ life: DaemonLife, since began: Int64) {
    guard !session.hasFailed, let last = session.periods.last else { return }
    let disk = life.disk.afterPowerLoss(kept: 0)
    let saved = SessionStore(folder: DaemonLife.folder, files: disk, log: life.logger).peek()
    let periods = session.periods.dropLast().filter { $0.end > began } + [last]
    let fits = periods.contains { period in
      guard let saved, period.state.matches(saved) else { return false }
      let (low, high) = (period.position(at: began), period.to)
      return (min(low, high) - 1...max(low, high) + 1).contains(saved.place.position)
    }
    require(
      .sleepSavesSession, fits,
      "item \(saved?.place.current ?? -1) at \(saved?.place.position ?? -1) s is on the disk, "
        + "item \(last.state.index) at \(last.to) s is current")
  }
}
