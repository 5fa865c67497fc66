package import DBus
import PlayerdInterfaces
import PlayerdSystem

extension PlayerStatus {
  /// One JSON object: enumerations by name, times in seconds, unknown values null.
  package var json: String { jsonLine(self, without: ["hasNext", "hasPrevious", "configuredOutput"]) }

  /// Returns the values of a template, under playerctl's names; `metadata` is the MPRIS metadata.
  package func templateValues(_ metadata: DBusValue?) -> [String: StatusTemplate.Value] {
    let entries = (metadata?.asDictionary ?? [:]).compactMapValues { StatusTemplate.Value($0) }
    return Self.templateFields.reduce(into: entries) { values, field in
      let value = field.value(self)
      if value != .none { values[field.name] = value }
    }
  }

  /// The fields of a template whose values are not only in the MPRIS metadata.
  static let templateFields: [(name: String, value: @Sendable (PlayerStatus) -> StatusTemplate.Value)] = [
    ("title", { text($0.title) }), ("artist", { text($0.artist) }), ("album", { text($0.album) }),
    ("status", { .text($0.status) }), ("position", { number($0.position) }), ("volume", { .number($0.volume) }),
    ("loop", { .text($0.loop) }), ("shuffle", { flag($0.isShuffled) }),
    ("shuffleMode", { .text($0.shuffleMode) }), ("consume", { flag($0.isConsuming) }), ("book", { text($0.book) }),
    ("rate", { .number($0.rate) }),
    ("muted", { flag($0.isMuted) }), ("state", { .text($0.stateWord) }), ("output", { .text($0.outputLine) }),
    ("queueIndex", { number($0.queueIndex.map { $0 + 1 }) }), ("queueCount", { number($0.queueCount) }),
    ("chapter", { text($0.chapterTitle) }),
    ("playerName", { _ in .text(PlayerdName.player) }), ("playerInstance", { _ in .text(PlayerdName.player) }),
    ("mpris:trackid", { text($0.trackID) }), ("mpris:length", { number($0.duration) }),
    ("xesam:title", { text($0.title) }), ("xesam:artist", { text($0.artist) }), ("xesam:album", { text($0.album) }),
    ("xesam:url", { text($0.uri) }),
  ]

  private static func text(_ text: String?) -> StatusTemplate.Value { text.map { .text($0) } ?? .none }
  private static func number(_ number: Int64?) -> StatusTemplate.Value { number.map { .number(Double($0)) } ?? .none }
  private static func flag(_ isOn: Bool) -> StatusTemplate.Value { .text(isOn ? "true" : "false") }

  /// The lines that `status` prints into a pipe or a file.
  var text: String {
    let lines: [String?] = [
      trackTitle, album, stateLine, chapterLine, sleepLine.map { sleepLine in "sleep timer: \(sleepLine)" },
      stopAfterLine, repeatLine, "output: \(outputLine)", errorLine,
    ]
    return joinedTexts(lines.map { $0?.withoutControls }, by: "\n")
  }

  /// The title and artist, or the name of the file.
  package var trackTitle: String { TrackTitle.text(title, artist, uri: uri) }

  /// Whether the queue has items, or items are still being opened.
  package var isActive: Bool { queueCount > 0 || status != "Stopped" }

  /// The reason why the position cannot be set; nil if it can.
  package var seekObstacle: String? {
    if isSeekable { return nil }
    if status == "Stopped" { return "playback is stopped" }
    return itemStatus == "unknown"
      ? "the track is still being opened" : "a live stream, or a server without byte ranges, does not support it"
  }

  /// The position of what a station sends now; nil for another track, and for a station that is not kept in memory.
  package var livePosition: Int64? { duration == nil && isSeekable ? seekableEnd : nil }

  private var lagText: String? { Self.text(ofLag: position, behind: livePosition) }

  /// `0:35 behind live`; nil at the present of a station, and for another track.
  static func text(ofLag position: Int64?, behind live: Int64?) -> String? {
    guard let live, let position, case let lag = live.subtractingReportingOverflow(position).partialValue,
      lag >= 5_000_000
    else { return nil }
    return "\(ClockTime.text(lag)) behind live"
  }

  /// `playing`, `paused`, `paused for` another player, `stopped`, `ended`, or the reason why playback waits.
  package var stateWord: String {
    switch (status, timeControlStatus) {
    case ("Paused", _): Self.text(ofPauseFor: pausedFor)
    case ("Playing", "waitingToPlay"): waitingWord
    case ("Playing", "paused"): "ended"
    default: status.lowercased()
    }
  }

  /// `paused`, or `paused for Firefox`.
  static func text(ofPauseFor other: String?) -> String { joinedTexts(["paused", other.map { "for \($0)" }], by: " ") }

  private var waitingWord: String { Self.text(ofWait: reasonForWaiting, bufferingPercent: bufferingPercent) }

  /// Returns the reason for waiting in words.
  static func text(ofWait reason: String, bufferingPercent: Int64? = nil) -> String {
    switch reason {
    case "toMinimizeStalls": "buffering" + (bufferingPercent.map { " \($0) %" } ?? "")
    case "noOutput": "waiting for a sound device"
    case "noItemToPlay": "opening"
    case "noConnection": "reconnecting"
    default: "loading"
    }
  }

  private var stateLine: String {
    guard isActive else { return "\(stateWord), the queue is empty, \(volumeText)" }
    return joinedTexts([stateWord, timeText, lagText, placeText] + settingTexts, by: ", ")
  }

  /// The volume, and the other settings that differ from their defaults.
  var settingTexts: [String?] {
    guard isActive else { return [volumeText] }
    return [
      volumeText, rate == 1 ? nil : speedText, loop == "None" ? nil : "loop \(loop.lowercased())",
      Self.text(ofShuffle: shuffleMode), isConsuming ? "consume" : nil, book == nil ? nil : "book",
      crossfade.map { _ in crossfadeText },
    ]
  }

  /// `shuffle` or `shuffle albums`; nil in list order.
  static func text(ofShuffle mode: String) -> String? {
    mode == "off" ? nil : mode == "tracks" ? "shuffle" : "shuffle \(mode)"
  }

  /// Returns the argument of the command `shuffle` for a mode.
  package static func word(forShuffle mode: String) -> String { mode == "tracks" ? "on" : mode }

  /// `1:23 / 4:00`; nil with nothing loaded.
  var timeText: String? { position.map { ClockTime.text($0, of: duration) } }

  /// `track 3 of 12`; nil for an empty queue.
  var placeText: String? { Self.text(ofPlace: queueIndex, of: queueCount) }

  /// Formats the index of a track in a queue: `track 3 of 12`.
  static func text(ofPlace index: Int64?, of count: Int64) -> String? { index.map { "track \($0 + 1) of \(count)" } }

  /// `volume 50 %`, and whether it is muted.
  package var volumeText: String { "volume \(Self.percent(ofVolume: volume))" + (isMuted ? ", muted" : "") }

  /// Formats `50 %`.
  package static func percent(ofVolume volume: Double) -> String {
    "\(Int((min(max(0, volume), 100) * 100).rounded())) %"
  }

  /// `crossfade 6 s`, `crossfade 6 s, 1 s on skip`, or `crossfade off`.
  package var crossfadeText: String {
    let skip = crossfadeOnSkip.map { "\(Self.seconds($0)) on skip" }
    return "crossfade " + joinedTexts([crossfade.map(Self.seconds) ?? "off", skip], by: ", ")
  }

  private static func seconds(_ microseconds: Int64) -> String { "\(text(ofRate: Double(microseconds) / 1_000_000)) s" }

  /// `speed 1.25`.
  package var speedText: String { "speed \(Self.text(ofRate: rate))" }

  /// Formats `1.25`, or `1` without a fraction.
  package static func text(ofRate rate: Double) -> String { rate.plainText }

  /// `chapter 2 of 9: Title`; nil without chapters.
  package var chapterLine: String? {
    guard chapterCount > 0 else { return nil }
    guard let chapterIndex else { return "in none of the \(chapterCount) chapters" }
    let title = chapterTitle.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
    return "chapter \(chapterIndex + 1) of \(chapterCount)\(title)"
  }

  /// `pauses at 23:12`; nil when the sleep timer is off.
  package var sleepLine: String? {
    guard let sleepRemaining else { return nil }
    let time = ClockTime.timeOfDay(after: sleepRemaining)
    return sleepsAfterTrack ? "stops after the track that plays at \(time)" : "pauses at \(time)"
  }

  /// `stops after this track`, or `stops after 3 tracks`; nil if playback continues.
  package var stopAfterLine: String? {
    switch stopsAfterTracks {
    case 0: nil
    case 1: "stops after this track"
    default: "stops after \(counted(stopsAfterTracks, "track"))"
    }
  }

  /// `repeats 1:30 to 2:00`; nil without a repeated part.
  package var repeatLine: String? {
    guard let repeatStart, let repeatEnd else { return nil }
    return "repeats \(ClockTime.text(repeatStart, fractional: true)) to \(ClockTime.text(repeatEnd, fractional: true))"
  }

  /// `last error: song.mp3: not media`; nil without one.
  var errorLine: String? {
    guard let lastErrorMessage else { return nil }
    return "last error: " + joinedTexts([lastErrorURI.map { FileURI.name(of: $0) }, lastErrorMessage], by: ": ")
  }

  /// The name of the system's default output.
  package static let standardOutput = "the default device"

  /// The output device, as `status` and `doctor` print it.
  package var outputLine: String {
    let selected = outputName ?? (output.isEmpty ? configuredOutput : output)
    let standard = Self.standardOutput
    switch outputStatus {
    case .selected: return selected ?? standard
    case .substituted:
      let device = outputName == nil ? standard : "another device"
      return selected.map { "\(device), instead of \($0)" } ?? device
    case .silent: return "none; playing silently"
    case .unavailable: return "\(selected ?? standard), which cannot be opened"
    }
  }
}

extension StatusTemplate.Value {
  /// Creates the value of an entry of MPRIS metadata; nil for other types.
  fileprivate init?(_ value: DBusValue) {
    if let text = value.asString ?? value.asObjectPath?.rawValue {
      self = .text(text)
    } else if let texts = value.asStrings {
      self = .text(texts.joined(separator: ", "))
    } else if let number = value.asDouble ?? value.asInt64.map(Double.init) {
      self = .number(number)
    } else {
      return nil
    }
  }
}
