/// One event in the output of `watch`.
struct WatchRecord: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    case state(status: String, timeControlStatus: String, reason: String)
    case track(title: String?, artist: String?, album: String?, uri: String?, duration: Int64?)
    case periodic
    case boundary(Int64)
    case seeked(from: Int64?)
    case buffering(percent: Int64)
    case stalled
    case ended
    case failed(code: String, message: String)
    case chapter(index: Int64?, title: String)
    case gone
  }

  var event: Event
  var trackID: String?
  /// Microseconds, as all times of this type.
  var position: Int64?
  /// Of `CLOCK_MONOTONIC`.
  var monotonic: Int64
}

extension WatchRecord {
  var name: String {
    switch event {
    case .state: "state"
    case .track: "track"
    case .periodic: "periodic"
    case .boundary: "boundary"
    case .seeked: "seeked"
    case .buffering: "buffering"
    case .stalled: "stalled"
    case .ended: "ended"
    case .failed: "failed"
    case .chapter: "chapter"
    case .gone: "gone"
    }
  }

  /// One JSON object, times in seconds.
  var json: String {
    var members: [String: JSONValue] = [
      "event": .string(name), "trackId": JSONValue(trackID), "position": JSONValue(microseconds: position),
      "monotonic": JSONValue(microseconds: monotonic),
    ]
    switch event {
    case .state(let status, let timeControlStatus, let reason):
      members["status"] = .string(status)
      members["timeControlStatus"] = .string(timeControlStatus)
      members["reasonForWaitingToPlay"] = .string(reason)
    case .track(let title, let artist, let album, let uri, let duration):
      members["title"] = JSONValue(title)
      members["artist"] = JSONValue(artist)
      members["album"] = JSONValue(album)
      members["uri"] = JSONValue(uri)
      members["duration"] = JSONValue(microseconds: duration)
    case .boundary(let boundary): members["boundary"] = JSONValue(microseconds: boundary)
    case .seeked(let origin): members["from"] = JSONValue(microseconds: origin)
    case .buffering(let percent): members["bufferingPercent"] = .integer(percent)
    case .failed(let code, let message):
      members["code"] = .string(code)
      members["message"] = .string(message)
    case .chapter(let index, let title):
      members["chapter"] = index.map { .integer($0) } ?? .null
      members["title"] = .string(title)
    case .periodic, .stalled, .ended, .gone: break
    }
    return jsonLine(members)
  }

  /// One line of text.
  var text: String {
    let line = [position.map { ClockTime.text($0) } ?? "-", name, details].filter { !$0.isEmpty }
    return line.joined(separator: " ").withoutControls
  }

  private var details: String {
    switch event {
    case .state(let status, let timeControlStatus, let reason):
      timeControlStatus == "waitingToPlay" ? "\(status), waiting: \(reason)" : status
    case .track(let title, let artist, _, _, let duration):
      [TrackTitle.text(title, artist), duration.map { "(\(ClockTime.text($0)))" } ?? ""].filter { !$0.isEmpty }
        .joined(separator: " ")
    case .boundary(let boundary): ClockTime.text(boundary, fractional: true)
    case .seeked(let origin): origin.map { "from \(ClockTime.text($0))" } ?? ""
    case .buffering(let percent): "\(percent) %"
    case .failed(let code, let message): "\(code): \(message)"
    case .chapter(let index, let title): index.map { "\($0 + 1): \(title)" } ?? "none"
    case .gone: "waiting for \(Names.executable)"
    case .periodic, .stalled, .ended: ""
    }
  }
}
