import DBus

/// A track of the queue: a row of `org.playerd.Control1.GetQueue`.
struct QueuedTrack: Equatable, Sendable {
  /// The index in the queue, from 0.
  var index: Int64 = 0
  var isCurrent = false
  /// The object path that MPRIS clients know it by.
  var trackID: String?
  var title: String?
  var artist: String?
  var album: String?
  var uri: String?
  /// In microseconds; nil while unknown.
  var duration: Int64?
}

// MARK: D-Bus

extension QueuedTrack {
  /// Reads a row; unknown keys are ignored.
  init(_ values: [String: Value]) {
    index = values["index"]?.asInt64 ?? index
    isCurrent = values["current"]?.asBool ?? isCurrent
    trackID = values["trackId"]?.asString
    title = values["title"]?.asString
    artist = values["artist"]?.asString
    album = values["album"]?.asString
    uri = values["uri"]?.asString
    duration = values["duration"]?.asInt64
  }

  /// The row; unknown values are left out.
  var values: [(String, Value)] {
    let values: [(String, Value?)] = [
      ("index", .int64(index)), ("current", .boolean(isCurrent)), ("trackId", trackID.map { .string($0) }),
      ("title", title.map { .string($0) }), ("artist", artist.map { .string($0) }),
      ("album", album.map { .string($0) }), ("uri", uri.map { .string($0) }),
      ("duration", duration.map { .int64($0) }),
    ]
    return values.compactMap { key, value in value.map { (key, $0) } }
  }
}

// MARK: Output

extension QueuedTrack {
  /// The number that users count tracks by, from 1.
  var number: Int64 { index + 1 }

  /// `Title — Artist`, or the name of the file.
  var name: String {
    let text = TrackTitle.text(title, artist)
    return text.isEmpty ? uri.map { FileURI.name(of: $0) } ?? "" : text
  }

  /// `> 2  Title — Artist  3:45`, the number as wide as `width`; the arrow marks the current track.
  func line(width: Int) -> String {
    let digits = "\(number)"
    let padding = String(repeating: " ", count: max(0, width - digits.count))
    let time = duration.map { "  " + ClockTime.text($0) } ?? ""
    return "\(isCurrent ? ">" : " ") \(padding)\(digits)  \(name)\(time)"
  }

  /// One JSON object: times in seconds, unknown values null.
  var json: String {
    jsonLine([
      "index": .integer(index), "current": .boolean(isCurrent), "trackId": JSONValue(trackID),
      "title": JSONValue(title), "artist": JSONValue(artist), "album": JSONValue(album), "uri": JSONValue(uri),
      "duration": JSONValue(microseconds: duration),
    ])
  }
}
