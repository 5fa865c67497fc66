import DBus
import PlayerdInterfaces
import PlayerdSystem

/// The events of the player in words, for people who read or hear them one after the other.
///
/// Each change is one line. A position is only in the lines of seeks and of `--every` and `--at`.
struct WatchText: Sendable {
  /// The last line about the state, the track and the queue: a late tag may change the record, but not the line.
  private var state: String?
  private var track: String?
  private(set) var queue: String?
  /// Whether the current track was played to its end.
  private var hasEnded = false
  /// Whether the line about a track that is opened is withheld until ``overdue()``: it usually plays at once.
  private let withholdsLoading: Bool
  private var withheld: String?

  init(withholdsLoading: Bool = false) { self.withholdsLoading = withholdsLoading }

  /// Whether a line is withheld.
  var isWaiting: Bool { withheld != nil }

  /// Returns the withheld line; nil without one.
  mutating func overdue() -> String? {
    defer { withheld = nil }
    return withheld.flatMap { changed(\.state, to: $0) }
  }

  /// Returns the lines about an update.
  mutating func lines(of update: WatchFeed.Update) -> [String] {
    switch update {
    case .absent: return []
    case .gone:
      self = WatchText(withholdsLoading: withholdsLoading)
      return ["the player has quit"]
    case .records(let records, let player):
      return records.compactMap { line(of: $0, player)?.withoutControls }.filter { !$0.isEmpty }
    }
  }

  /// Returns the line about an event; nil if another event or the last line says the same.
  private mutating func line(of record: WatchRecord, _ player: WatchedPlayer) -> String? {
    switch record.event {
    case .state(let status, let timeControlStatus, let reason):
      let line = text(ofState: status, timeControlStatus, reason)
      let isLoading =
        timeControlStatus == "waitingToPlay" && ["evaluatingBufferingRate", "noItemToPlay"].contains(reason)
      withheld = withholdsLoading && isLoading ? line : nil
      return isWaiting ? nil : changed(\.state, to: line)
    case .track(let title, let artist, _, let uri, _):
      hasEnded = false
      return changed(\.track, to: TrackTitle.text(title, artist, uri: uri))
    case .ended:
      hasEnded = true
      return nil
    // The state has the reason for waiting.
    case .buffering, .stalled: return nil
    case .failed(_, let message, let uri):
      return "failed: " + joinedTexts([uri.map { FileURI.name(of: $0) }, message], by: ": ")
    case .periodic: return record.position.map { "position \(ClockTime.text($0))" }
    case .boundary(let boundary): return "reached \(ClockTime.text(boundary, fractional: true))"
    case .seeked: return record.position.map { "position \(ClockTime.text($0))" }
    case .chapter(let index, let title):
      return index.map { joinedTexts(["chapter \($0 + 1)", title], by: ": ") } ?? "no chapter"
    case .lyrics(let text, _): return text
    case .queue:
      return changed(
        \.queue,
        to: player.queueCount == 0 ? "the queue is empty" : "\(counted(player.queueCount, "track")) in the queue")
    case .output(let id):
      let outputs = player.extras[ExtrasInterface.audioOutputs] ?? []
      return "output: " + (id.isEmpty ? "the configured device" : outputs.first { $0.id == id }?.name ?? id)
    case .pausedFor(let other): return other.map { PlayerStatus.text(ofPauseFor: $0) }
    case .gone: return nil
    case .volume, .mute, .shuffle, .loop, .speed, .sleepTimer, .stopAfter, .repeatAB, .crossfade, .consume, .book:
      return text(ofSetting: record.event)
    }
  }

  private func text(ofState status: String, _ timeControlStatus: String, _ reason: String) -> String {
    if timeControlStatus == "waitingToPlay" { return PlayerStatus.text(ofWait: reason) }
    return status == "Stopped" && hasEnded ? "stopped at the end" : status.lowercased()
  }

  /// Returns the line about a setting, in the words of the command that changes it.
  private func text(ofSetting event: WatchRecord.Event) -> String? {
    var status = PlayerStatus()
    switch event {
    case .volume(let volume): return "volume \(PlayerStatus.percent(ofVolume: volume))"
    case .mute(let isMuted): return isMuted ? "muted" : "unmuted"
    case .shuffle(let mode): return "shuffle \(PlayerStatus.word(forShuffle: mode))"
    case .loop(let loop): return "loop \(loop.lowercased())"
    case .speed(let rate): return "speed \(PlayerStatus.text(ofRate: rate))"
    case .sleepTimer(let remaining, let afterTrack):
      (status.sleepRemaining, status.sleepsAfterTrack) = (remaining, afterTrack)
      return status.sleepLine ?? "the sleep timer is off"
    case .stopAfter(let count):
      status.stopsAfterTracks = count
      return status.stopAfterLine ?? "stop-after is off"
    case .repeatAB(let part):
      (status.repeatStart, status.repeatEnd) = (part?.lowerBound, part?.upperBound)
      return status.repeatLine ?? "repeat-ab is off"
    case .crossfade(let length, let onSkip):
      (status.crossfade, status.crossfadeOnSkip) = (length > 0 ? length : nil, onSkip > 0 ? onSkip : nil)
      return status.crossfadeText
    case .consume(let isOn): return isOn ? "consume on" : "consume off"
    case .book(let folder): return folder.map { "book: \(FileURI.name(of: $0))" } ?? "no book"
    default: return nil
    }
  }

  /// Keeps a line, and returns it unless it is the last one.
  private mutating func changed(_ last: WritableKeyPath<WatchText, String?>, to line: String) -> String? {
    guard self[keyPath: last] != line else { return nil }
    self[keyPath: last] = line
    return line
  }
}
