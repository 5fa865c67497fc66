import PlayerdInterfaces
import PlayerdSystem

/// One event in the output of `watch`.
package struct WatchRecord: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    case state(status: String, timeControlStatus: String, reason: String)
    case track(title: String?, artist: String?, album: String?, uri: String?, duration: Int64?)
    case periodic
    case boundary(Int64)
    case seeked(from: Int64?)
    case buffering(percent: Int64)
    case stalled
    case ended
    /// The URI is nil if the track has left the queue, or plays again.
    case failed(code: String, message: String, uri: String?)
    case chapter(index: Int64?, title: String)
    case lyrics(text: String, end: Int64?)
    case volume(Double)
    case mute(Bool)
    case shuffle(Bool)
    case loop(String)
    case speed(Double)
    /// The ID of the selected device.
    case output(String)
    case sleepTimer(remaining: Int64?, afterTrack: Bool)
    /// The number of tracks; 0 for none.
    case stopAfter(Int64)
    case repeatAB(ClosedRange<Int64>?)
    case crossfade(Int64, onSkip: Int64)
    case queue
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
  var name: String { content.name }

  /// Adds the URI to the record of a failure, which the signal lacks.
  mutating func addURI(from status: PlayerStatus) {
    guard case .failed(let code, let message, nil) = event, let trackID, trackID == status.lastErrorTrackID else {
      return
    }
    event = .failed(code: code, message: message, uri: status.lastErrorURI)
  }

  /// One JSON object, times in seconds.
  var json: String {
    let members: [String: JSONValue] = [
      "event": .string(name), "trackId": JSONValue(trackID), "position": JSONValue(microseconds: position),
      "monotonic": JSONValue(microseconds: monotonic),
    ]
    return jsonLine(members.merging(content.members) { $1 })
  }

  /// One line of text.
  var text: String {
    joinedTexts([position.map { ClockTime.text($0) } ?? "-", name, content.details], by: " ").withoutControls
  }

  /// The name of the event, and its values in words and as members of a JSON object.
  private var content: (name: String, details: String, members: [String: JSONValue]) {
    switch event {
    case .state(let status, let timeControlStatus, let reason):
      return (
        "state", timeControlStatus == "waitingToPlay" ? "\(status), \(PlayerStatus.text(ofWait: reason))" : status,
        [
          "status": .string(status), "timeControlStatus": .string(timeControlStatus),
          "reasonForWaitingToPlay": .string(reason),
        ]
      )
    case .track(let title, let artist, let album, let uri, let duration):
      let time = duration.map { "(\(ClockTime.text($0)))" }
      return (
        "track", joinedTexts([TrackTitle.text(title, artist), time], by: " "),
        [
          "title": JSONValue(title), "artist": JSONValue(artist), "album": JSONValue(album), "uri": JSONValue(uri),
          "duration": JSONValue(microseconds: duration),
        ]
      )
    case .periodic: return ("periodic", "", [:])
    case .boundary(let boundary):
      return (
        "boundary", ClockTime.text(boundary, fractional: true), ["boundary": JSONValue(microseconds: boundary)]
      )
    case .seeked(let origin):
      let details = origin.map { "from \(ClockTime.text($0))" } ?? ""
      return ("seeked", details, ["from": JSONValue(microseconds: origin)])
    case .buffering(let percent): return ("buffering", "\(percent) %", ["bufferingPercent": .integer(percent)])
    case .stalled: return ("stalled", "", [:])
    case .ended: return ("ended", "", [:])
    case .failed(let code, let message, let uri):
      return (
        "failed", joinedTexts(["\(code): \(message)", uri.map { "(\(FileURI.name(of: $0)))" }], by: " "),
        ["code": .string(code), "message": .string(message), "uri": JSONValue(uri)]
      )
    case .chapter(let index, let title):
      let details = index.map { "\($0 + 1): \(title)" } ?? "none"
      return ("chapter", details, ["chapter": index.map { .integer($0) } ?? .null, "title": .string(title)])
    case .lyrics(let text, let end):
      return ("lyrics", text, ["text": .string(text), "to": JSONValue(microseconds: end)])
    case .volume(let volume):
      return ("volume", PlayerStatus.percent(ofVolume: volume), ["volume": .number(volume)])
    case .mute(let isMuted): return ("mute", isMuted ? "on" : "off", ["muted": .boolean(isMuted)])
    case .shuffle(let isShuffled): return ("shuffle", isShuffled ? "on" : "off", ["shuffle": .boolean(isShuffled)])
    case .loop(let loop): return ("loop", loop.lowercased(), ["loop": .string(loop)])
    case .speed(let rate): return ("speed", PlayerStatus.text(ofRate: rate), ["rate": .number(rate)])
    case .output(let id): return ("output", id.isEmpty ? "default" : id, ["output": .string(id)])
    case .sleepTimer(let remaining, let afterTrack):
      let details = remaining.map { ClockTime.text($0) + (afterTrack ? ", then after the track" : "") }
      return (
        "sleep", details ?? "off",
        ["sleepRemaining": JSONValue(microseconds: remaining), "sleepsAfterTrack": .boolean(afterTrack)]
      )
    case .stopAfter(let count):
      return ("stop-after", count == 0 ? "off" : counted(count, "track"), ["stopsAfterTracks": .integer(count)])
    case .repeatAB(let part):
      let details = part.map {
        "\(ClockTime.text($0.lowerBound, fractional: true)) to \(ClockTime.text($0.upperBound, fractional: true))"
      }
      return (
        "repeat-ab", details ?? "off",
        [
          "repeatStart": JSONValue(microseconds: part?.lowerBound),
          "repeatEnd": JSONValue(microseconds: part?.upperBound),
        ]
      )
    case .crossfade(let length, let onSkip):
      let (time, skipTime) = (length > 0 ? length : nil, onSkip > 0 ? onSkip : nil)
      return (
        "crossfade", length > 0 ? "\(PlayerStatus.text(ofRate: Double(length) / 1e6)) s" : "off",
        ["crossfade": JSONValue(microseconds: time), "crossfadeOnSkip": JSONValue(microseconds: skipTime)]
      )
    case .queue: return ("queue", "changed", [:])
    case .gone: return ("gone", "waiting for \(Names.executable)", [:])
    }
  }
}
