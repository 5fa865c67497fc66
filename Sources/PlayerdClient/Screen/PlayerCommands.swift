import DBus
import Logging
import MPRISService
import PlayerdInterfaces
import PlayerdSystem

/// Carries out the requests of the screen one after the other, and reports the answers.
struct PlayerCommands: Sendable {
  /// A request, or an update of the daemon that the lyrics follow.
  enum Request: Sendable {
    case action(PlayerAction)
    case update(WatchFeed.Update)
  }

  let connection: DBusConnection
  let instance: InstanceName
  let log: Logger
  private var follower: LyricsFollower
  private var followsLyrics: Bool
  /// The last reported lyrics; nil before any of a daemon.
  private var reportedLyrics: LyricsSheet?
  private var player = WatchedPlayer()

  init(connection: DBusConnection, instance: InstanceName, followsLyrics: Bool, log: Logger) {
    (self.connection, self.instance, self.followsLyrics, self.log) = (connection, instance, followsLyrics, log)
    follower = LyricsFollower(connection: connection, instance: instance)
  }

  /// Carries out a request; `report` receives its results, and a failure as a notice.
  mutating func perform(_ request: Request, _ report: (ScreenEvent) -> Void) async {
    do throws(DBusError) {
      switch request {
      case .update(let update): await follow(update, report)
      case .action(.lyrics(let isOn)): await follow(lyrics: isOn, report)
      case .action(let action): try await perform(action, on: running(), report)
      }
    } catch {
      report(.notice(error.message))
    }
  }

  /// Reads the requested parts of the queue for the list, beside the requests: the daemon may wait for tags.
  func read(_ parts: AsyncStream<Range<Int64>>, _ report: (ScreenEvent) -> Void) async {
    for await part in parts {
      // A daemon that is leaving does not reply, which is another event.
      guard let control = try? await running().control,
        let page = try? await QueuePage.read(part.lowerBound, count: Int64(part.count), from: control)
      else { continue }
      report(.part(page))
    }
  }

  private func running() async throws(DBusError) -> RunningInstance {
    guard let owner = await connection.owner(of: try PlayerdName.mpris(instance)) else {
      throw .disconnected("\(Names.executable) is not running")
    }
    return RunningInstance(connection: connection, owner: owner, name: instance, log: log)
  }

  // MARK: State

  private mutating func follow(_ update: WatchFeed.Update, _ report: (ScreenEvent) -> Void) async {
    if followsLyrics { await follower.take(update) }
    guard case .records(_, let player) = update else {
      reportedLyrics = nil
      return
    }
    self.player = player
    if followsLyrics, follower.sheet != reportedLyrics { reportLyrics(report) }
  }

  private mutating func reportLyrics(_ report: (ScreenEvent) -> Void) {
    reportedLyrics = follower.sheet
    report(.lyrics(follower.sheet))
  }

  private mutating func follow(lyrics isOn: Bool, _ report: (ScreenEvent) -> Void) async {
    followsLyrics = isOn
    if isOn { await follower.start(player) } else { await follower.stop() }
    reportLyrics(report)
  }

  // MARK: Requests

  private func perform(
    _ action: PlayerAction, on instance: RunningInstance, _ report: (ScreenEvent) -> Void
  ) async throws(DBusError) {
    let (player, control) = (instance.player, instance.control)
    let status = try await instance.status()
    switch action {
    case .toggle: try await player.perform(PlayerInterface.playPause)
    case .next:
      if !status.hasNext { return report(.notice("this is the last track")) }
      try await player.perform(PlayerInterface.next)
    case .previous:
      if !status.hasPrevious { return report(.notice("this is the first track")) }
      try await player.perform(PlayerInterface.previous)
    case .seek(let distance):
      if let reason = status.seekObstacle { return report(.notice("cannot seek: \(reason)")) }
      try await player.perform(PlayerInterface.seek, distance)
    case .seekTo(let position, let trackID):
      guard status.trackID == trackID, let track = status.trackPath else { return }
      if let reason = status.seekObstacle { return report(.notice("cannot seek: \(reason)")) }
      try await player.perform(PlayerInterface.setPosition, track, position)
    case .live:
      guard let position = status.livePosition, let track = status.trackPath else {
        return report(.notice("the track is not a station"))
      }
      try await player.perform(PlayerInterface.setPosition, track, position)
    case .volume(let percent):
      let volume = max(0, ((status.volume * 100).rounded() + Double(percent)) / 100)
      try await player.set(PlayerInterface.volume, to: .double(volume))
    case .mute: try await control.call(ControlInterface.setMuted, !status.isMuted)
    case .speed(let factor):
      // The daemon rejects a speed beyond its limits.
      let rate = factor == 0 ? 1 : (status.rate * factor * 100).rounded() / 100
      try await player.set(PlayerInterface.rate, to: .double(rate))
    case .shuffle: try await player.set(PlayerInterface.shuffle, to: .boolean(!status.isShuffled))
    case .loop:
      let following = ["None": "Playlist", "Playlist": "Track"][status.loop] ?? "None"
      try await player.set(PlayerInterface.loop, to: .string(following))
    case .play(let index, let revision):
      try await control.call(ControlInterface.playListedTrack, revision, UInt32(clamping: index))
    case .remove(let index, let name, let revision):
      try await control.call(ControlInterface.removeListedTracks, revision, [UInt32(clamping: index)])
      report(.notice("removed “\(name)”; u undoes it"))
    case .undo: report(.notice(try await instance.reverse(ControlInterface.undo, "undone")))
    case .readQueue: report(.queue(try await QueuePage.readAll(from: control)))
    case .lyrics, .leave: break
    }
  }
}
