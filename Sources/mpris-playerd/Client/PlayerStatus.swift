import DBus
import GstPlayer

/// One consistent view of a running daemon: the values of `org.playerd.Control1.GetStatus`.
///
/// Times are microseconds.
struct PlayerStatus: Equatable, Sendable {
  /// `Playing`, `Paused` or `Stopped`.
  var status = "Stopped"
  var timeControlStatus = "paused"
  /// Empty unless `timeControlStatus` is `waitingToPlay`.
  var reasonForWaiting = ""
  var bufferingPercent: Int64 = 100
  /// The object path of the current track; nil for an empty queue.
  var trackID: String?
  var title: String?
  var artist: String?
  var album: String?
  var uri: String?
  var position: Int64?
  var duration: Int64?
  var rate = 1.0
  /// The MPRIS volume; 1 is unchanged.
  var volume = 1.0
  var isMuted = false
  /// `None`, `Track` or `Playlist`.
  var loop = "None"
  var isShuffled = false
  /// From 0; nil for an empty queue.
  var queueIndex: Int64?
  var queueCount: Int64 = 0
  /// Whether Next and Previous lead to another track.
  var hasNext = false
  var hasPrevious = false
  /// From 0; nil outside of chapters.
  var chapterIndex: Int64?
  var chapterCount: Int64 = 0
  var chapterTitle: String?
  /// The time left on the sleep timer; nil when it is off.
  var sleepRemaining: Int64?
  /// Whether the sleep timer stops after the track instead of pausing at once.
  var sleepsAfterTrack = false
  var stopsAfterCurrent = false
  var repeatStart: Int64?
  var repeatEnd: Int64?
  /// The ID of the chosen output device; empty for the configured one.
  var output = ""
  var outputName: String?

  /// The sink or device that the configuration names; nil for the sound system's choice.
  var configuredOutput: String?
  var outputStatus = Player.OutputStatus.selected
}

// MARK: D-Bus

extension PlayerStatus {
  /// Reads the reply of `GetStatus`; unknown keys are ignored.
  init(_ values: [String: Value]) {
    status = values["status"]?.asString ?? status
    timeControlStatus = values["timeControlStatus"]?.asString ?? timeControlStatus
    reasonForWaiting = values["reasonForWaitingToPlay"]?.asString ?? reasonForWaiting
    bufferingPercent = values["bufferingPercent"]?.asInt64 ?? bufferingPercent
    trackID = values["trackId"]?.asString
    title = values["title"]?.asString
    artist = values["artist"]?.asString
    album = values["album"]?.asString
    uri = values["uri"]?.asString
    position = values["position"]?.asInt64
    duration = values["duration"]?.asInt64
    rate = values["rate"]?.asDouble ?? rate
    volume = values["volume"]?.asDouble ?? volume
    isMuted = values["muted"]?.asBool ?? isMuted
    loop = values["loop"]?.asString ?? loop
    isShuffled = values["shuffle"]?.asBool ?? isShuffled
    queueIndex = values["queueIndex"]?.asInt64
    queueCount = values["queueCount"]?.asInt64 ?? queueCount
    hasNext = values["hasNext"]?.asBool ?? hasNext
    hasPrevious = values["hasPrevious"]?.asBool ?? hasPrevious
    chapterIndex = values["chapterIndex"]?.asInt64
    chapterCount = values["chapterCount"]?.asInt64 ?? chapterCount
    chapterTitle = values["chapterTitle"]?.asString
    sleepRemaining = values["sleepRemaining"]?.asInt64
    sleepsAfterTrack = values["sleepsAfterTrack"]?.asBool ?? sleepsAfterTrack
    stopsAfterCurrent = values["stopsAfterCurrent"]?.asBool ?? stopsAfterCurrent
    repeatStart = values["repeatStart"]?.asInt64
    repeatEnd = values["repeatEnd"]?.asInt64
    output = values["output"]?.asString ?? output
    outputName = values["outputName"]?.asString
    configuredOutput = values["configuredOutput"]?.asString
    outputStatus = values["outputStatus"]?.asString.flatMap(Player.OutputStatus.init) ?? outputStatus
  }

  /// The reply of `GetStatus`; unknown values are left out.
  var values: [(String, Value)] {
    let values: [(String, Value?)] = [
      ("status", .string(status)), ("timeControlStatus", .string(timeControlStatus)),
      ("reasonForWaitingToPlay", .string(reasonForWaiting)), ("bufferingPercent", .int64(bufferingPercent)),
      ("trackId", trackID.map { .string($0) }), ("title", title.map { .string($0) }),
      ("artist", artist.map { .string($0) }), ("album", album.map { .string($0) }), ("uri", uri.map { .string($0) }),
      ("position", position.map { .int64($0) }), ("duration", duration.map { .int64($0) }),
      ("rate", .double(rate)), ("volume", .double(volume)), ("muted", .boolean(isMuted)), ("loop", .string(loop)),
      ("shuffle", .boolean(isShuffled)), ("queueIndex", queueIndex.map { .int64($0) }),
      ("queueCount", .int64(queueCount)), ("hasNext", .boolean(hasNext)), ("hasPrevious", .boolean(hasPrevious)),
      ("chapterIndex", chapterIndex.map { .int64($0) }),
      ("chapterCount", .int64(chapterCount)), ("chapterTitle", chapterTitle.map { .string($0) }),
      ("sleepRemaining", sleepRemaining.map { .int64($0) }), ("sleepsAfterTrack", .boolean(sleepsAfterTrack)),
      ("stopsAfterCurrent", .boolean(stopsAfterCurrent)), ("repeatStart", repeatStart.map { .int64($0) }),
      ("repeatEnd", repeatEnd.map { .int64($0) }), ("output", .string(output)),
      ("outputName", outputName.map { .string($0) }), ("configuredOutput", configuredOutput.map { .string($0) }),
      ("outputStatus", .string(outputStatus.rawValue)),
    ]
    return values.compactMap { key, value in value.map { (key, $0) } }
  }
}

extension PlayerStatus {
  /// The current track, for calls that name it.
  var trackPath: ObjectPath? { trackID.flatMap { try? ObjectPath($0) } }
}

// MARK: Output

extension PlayerStatus {
  /// One JSON object: enumerations by name, times in seconds, unknown values null.
  var json: String {
    jsonLine([
      "status": .string(status), "title": JSONValue(title), "artist": JSONValue(artist), "album": JSONValue(album),
      "uri": JSONValue(uri), "trackId": JSONValue(trackID), "position": JSONValue(microseconds: position),
      "duration": JSONValue(microseconds: duration), "rate": .number(rate), "volume": .number(volume),
      "muted": .boolean(isMuted), "loop": .string(loop), "shuffle": .boolean(isShuffled),
      "timeControlStatus": .string(timeControlStatus), "reasonForWaitingToPlay": .string(reasonForWaiting),
      "bufferingPercent": .integer(bufferingPercent), "queueIndex": queueIndex.map { .integer($0) } ?? .null,
      "queueCount": .integer(queueCount), "chapterIndex": chapterIndex.map { .integer($0) } ?? .null,
      "chapterCount": .integer(chapterCount), "chapterTitle": JSONValue(chapterTitle),
      "sleepRemaining": JSONValue(microseconds: sleepRemaining), "sleepsAfterTrack": .boolean(sleepsAfterTrack),
      "stopsAfterCurrent": .boolean(stopsAfterCurrent), "repeatStart": JSONValue(microseconds: repeatStart),
      "repeatEnd": JSONValue(microseconds: repeatEnd), "output": .string(output), "outputName": JSONValue(outputName),
      "outputStatus": .string(outputStatus.rawValue),
    ])
  }

  /// The values of a template, under playerctl's names.
  var templateValues: [String: StatusTemplate.Value] {
    func text(_ text: String?) -> StatusTemplate.Value { text.map { .text($0) } ?? .none }
    func number(_ number: Int64?) -> StatusTemplate.Value { number.map { .number(Double($0)) } ?? .none }
    return [
      "playerName": .text("playerd"), "status": .text(status), "title": text(title), "artist": text(artist),
      "album": text(album), "position": number(position), "volume": .number(volume), "loop": .text(loop),
      "shuffle": .text(isShuffled ? "true" : "false"), "rate": .number(rate), "mpris:trackid": text(trackID),
      "mpris:length": number(duration), "xesam:title": text(title), "xesam:artist": text(artist),
      "xesam:album": text(album), "xesam:url": text(uri), "state": .text(stateWord), "output": .text(outputLine),
      "queueIndex": number(queueIndex.map { $0 + 1 }), "queueCount": number(queueCount), "chapter": text(chapterTitle),
    ]
  }

  /// A few lines for people.
  var text: String {
    var lines = [trackTitle, album ?? ""].filter { !$0.isEmpty }
    lines.append(stateLine)
    if let chapterLine { lines.append(chapterLine) }
    if let sleepLine { lines.append("sleep timer: \(sleepLine)") }
    if stopsAfterCurrent { lines.append("stops after this track") }
    if let repeatLine { lines.append(repeatLine) }
    lines.append("output: \(outputLine)")
    return lines.map(\.withoutControls).joined(separator: "\n")
  }

  /// The title and artist, or the name of the file.
  var trackTitle: String {
    let text = TrackTitle.text(title, artist)
    return text.isEmpty ? uri.map { FileURI.name(of: $0) } ?? "" : text
  }

  /// Whether there is something to play, or something that is still being opened.
  var isActive: Bool { queueCount > 0 || status != "Stopped" }

  /// `playing`, `paused`, `stopped`, or the reason why playback waits.
  var stateWord: String {
    switch (status, timeControlStatus) {
    case ("Playing", "waitingToPlay"): waitingWord
    case ("Playing", "paused"): "ended"
    default: status.lowercased()
    }
  }

  private var waitingWord: String {
    switch reasonForWaiting {
    case "toMinimizeStalls": "buffering \(bufferingPercent) %"
    case "noOutput": "waiting for a sound device"
    case "noItemToPlay": "opening"
    default: "loading"
    }
  }

  private var stateLine: String {
    guard isActive else { return "\(stateWord), the queue is empty, \(volumeText)" }
    var state = [stateWord]
    if let timeText { state.append(timeText) }
    if let placeText { state.append(placeText) }
    state.append(volumeText)
    if rate != 1 { state.append(speedText) }
    if loop != "None" { state.append("loop \(loop.lowercased())") }
    if isShuffled { state.append("shuffle") }
    return state.joined(separator: ", ")
  }

  /// `1:23 / 4:00`; nil with nothing loaded.
  var timeText: String? {
    position.map { ClockTime.text($0) + (duration.map { " / " + ClockTime.text($0) } ?? "") }
  }

  /// `track 3 of 12`; nil for an empty queue.
  var placeText: String? { queueIndex.map { "track \($0 + 1) of \(queueCount)" } }

  /// `volume 50 %`, and whether it is muted.
  var volumeText: String {
    "volume \(Int((min(max(0, volume), 100) * 100).rounded())) %" + (isMuted ? ", muted" : "")
  }

  /// `speed 1.25`.
  var speedText: String { "speed \(Int64(exactly: rate).map { "\($0)" } ?? "\(rate)")" }

  /// `chapter 2 of 9: Title`; nil without chapters.
  var chapterLine: String? {
    guard chapterCount > 0 else { return nil }
    guard let chapterIndex else { return "before the first of \(chapterCount) chapters" }
    let title = chapterTitle.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
    return "chapter \(chapterIndex + 1) of \(chapterCount)\(title)"
  }

  /// `pauses at 23:12`; nil when the sleep timer is off.
  var sleepLine: String? {
    guard let sleepRemaining else { return nil }
    let time = WallClock.time(after: sleepRemaining)
    return sleepsAfterTrack ? "stops after the track that plays at \(time)" : "pauses at \(time)"
  }

  /// `repeats 1:30 to 2:00`; nil without a repeated part.
  var repeatLine: String? {
    guard let repeatStart, let repeatEnd else { return nil }
    return "repeats \(ClockTime.text(repeatStart, fractional: true)) to \(ClockTime.text(repeatEnd, fractional: true))"
  }

  /// Where the sound goes, in the words of `status`, `output` and `doctor`.
  var outputLine: String {
    let selected = outputName ?? (output.isEmpty ? configuredOutput : output)
    let standard = "the default of the sound system"
    switch outputStatus {
    case .selected: return selected ?? standard
    case .substituted:
      let device = outputName == nil ? standard : "another device of the sound system"
      return selected.map { "\(device), instead of \($0)" } ?? device
    case .silent: return "none; playing silently"
    case .unavailable: return "\(selected ?? standard), which cannot be opened"
    }
  }
}
