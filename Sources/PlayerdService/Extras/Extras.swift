import EventLoop
import Logging
import MPRISService
import Playback
import PlayerdInterfaces
import PlayerdMedia
import Synchronization

/// Carries out the extra functions: stop after the track, sleep timer, A-B repeat, chapters and output selection.
///
/// It observes the player's events before the bus does, so that its actions at the end of a track belong to the same
/// transition.
final class Extras: ExtrasPlayer {
  private let coordinator: PlaybackCoordinator
  private let player: Player
  private let observer: ExtrasObserver
  let sleep: SleepTimer
  private let part: ABRepeater
  private let playedTracks: PlayedTrackRemoval
  /// The number of tracks, the current one included, after which playback stops: 0 for none, or 2 and more.
  ///
  /// For the last one, the player has the setting.
  private let tracksBeforeStop = Mutex(0)
  private let bookState = Mutex<String?>(nil)
  /// The URI of the folder of the book that the current track belongs to; nil for none.
  var book: String? {
    get { bookState.withLock { $0 } }
    set {
      bookState.withLock { $0 = newValue }
      observer.notify()
    }
  }
  let outputs: OutputChoice
  /// Returns the present microseconds of `CLOCK_MONOTONIC`.
  let monotonic: @Sendable () -> Int64
  private let observation = AtomicLazyReference<Player.Observer>()

  init(
    _ coordinator: PlaybackCoordinator, _ media: any MediaFramework, configuredDevice: String = "",
    consumes: Bool = false, playlist: @escaping @Sendable () -> MPRISPlaylist.ID? = { nil },
    on loop: PollLoop, monotonic: @escaping @Sendable () -> Int64, log: Logger
  ) {
    let (player, observer) = (coordinator.player, ExtrasObserver())
    self.coordinator = coordinator
    self.player = player
    self.observer = observer
    self.monotonic = monotonic
    sleep = SleepTimer(on: loop, monotonic: monotonic) { setting in
      Self.fallAsleep(coordinator, setting)
      observer.notify()
    }
    part = ABRepeater(player)
    playedTracks = PlayedTrackRemoval(coordinator, isOn: consumes, playlist: playlist)
    outputs = OutputChoice(player, media, configuredDevice: configuredDevice, log: log) { observer.notify() }
    coordinator.observePausedFor { observer.notify() }
    _ = observation.storeIfNil(player.addEventObserver { [weak self] in self?.handleEvent($0, $1) })
  }

  /// Calls `changed` whenever ``snapshot(of:)`` changes without an event of the player.
  func observe(_ changed: @escaping @Sendable () -> Void) { observer.observe(changed) }

  func snapshot(of state: Player.Snapshot) -> ExtrasSnapshot {
    var extras = ExtrasSnapshot()
    extras.stopsAfterTracks = state.actionAtItemEnd == .stop ? 1 : tracksBeforeStop.withLock { $0 }
    let setting = sleep.setting
    extras.sleepDeadline = setting?.deadline
    extras.sleepsAfterTrack = setting?.isAfterTrack ?? false
    extras.abRepeat = part.part(of: state.currentItem)
    extras.audioOutputs = outputs.known.map { .init(id: $0.id, name: $0.name, isDefault: $0.isDefault) }
    extras.audioOutput = state.audioOutput?.id ?? ""
    extras.crossfade = state.crossfade.length
    extras.crossfadeOnSkip = state.crossfade.skipLength
    extras.consumes = playedTracks.isOn
    extras.pausedFor = coordinator.pausedFor ?? ""
    extras.book = book ?? ""
    return extras
  }

  func perform(_ command: ExtrasCommand) throws(MPRISCommandError) {
    switch command {
    case .setStopAfterTracks(let count):
      tracksBeforeStop.withLock { $0 = count > 1 ? count : 0 }
      player.actionAtItemEnd = count == 1 ? .stop : .advance
      observer.notify()
    case .setSleepTimer(let delay, let afterTrack):
      sleep.set(delay, afterTrack: afterTrack)
      observer.notify()
    case .setABRepeat(let range):
      try part.set(range)
      observer.notify()
    case .nextChapter:
      let state = player.snapshot
      if let start = ChapterSkip.next(of: state.chapters, at: state.position) { player.seek(to: start) }
    case .previousChapter:
      let state = player.snapshot
      if let start = ChapterSkip.previous(of: state.chapters, at: state.position) { player.seek(to: start) }
    case .refreshAudioOutputs: outputs.refresh()
    case .setCrossfade(let length): player.crossfade = length
    case .setCrossfadeOnSkip(let length): player.crossfadeOnSkip = length
    case .setConsume(let isOn):
      playedTracks.isOn = isOn
      observer.notify()
    }
  }

  func setAudioOutput(_ id: String) async -> Bool { await outputs.select(id) }

  private func handleEvent(_ event: Player.Event, _ state: Player.Snapshot) {
    defer { playedTracks.follow(event, state) }
    switch event {
    case .changed: outputs.follow(state)
    case .currentItemChanged(_, let item): part.forget(unless: item)
    case .itemDidPlayToEnd:
      trackEnded(state)
    default: break
    }
  }

  private func trackEnded(_ state: Player.Snapshot) {
    guard state.transport != .stopped else {
      // The setting applied to this track only, and the end of the queue precedes the others.
      tracksBeforeStop.withLock { $0 = 0 }
      if state.actionAtItemEnd == .stop { player.actionAtItemEnd = .advance }
      return
    }
    let (count, isLast) = tracksBeforeStop.withLock { count in
      let before = count
      count = before > 2 ? before - 1 : 0
      return (before, before == 2)
    }
    if isLast { player.actionAtItemEnd = .stop }
    if count > 0 { observer.notify() }
  }

  /// Pauses, or stops after the track; an endless stream is paused at once.
  private static func fallAsleep(_ coordinator: PlaybackCoordinator, _ setting: SleepTimer.Setting) {
    let state = coordinator.player.snapshot
    if setting.isAfterTrack, state.transport == .playing, state.duration != nil {
      coordinator.player.actionAtItemEnd = .stop
    } else {
      coordinator.pause()
    }
  }
}

/// The observers to notify after a change of the extra functions.
final class ExtrasObserver: Sendable {
  private let observers = Mutex<[@Sendable () -> Void]>([])

  func observe(_ changed: @escaping @Sendable () -> Void) { observers.withLock { $0.append(changed) } }

  func notify() { for changed in observers.withLock({ $0 }) { changed() } }
}
