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
    /// `off`, `tracks` or `albums`.
    case shuffle(String)
    case loop(String)
    case speed(Double)
    /// The ID of the selected device.
    case output(String)
    case sleepTimer(remaining: Int64?, afterTrack: Bool)
    /// The number of tracks; 0 for none.
    case stopAfter(Int64)
    case repeatAB(ClosedRange<Int64>?)
    case crossfade(Int64, onSkip: Int64)
    case consume(Bool)
    /// The name of the other player; nil for none.
    case pausedFor(String?)
    case book(String?)
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

  /// The name of the event, and its values as members of a JSON object.
  private var content: (name: String, members: [String: JSONValue]) {
    switch event {
    case .state(let status, let timeControlStatus, let reason):
      return (
        "state",
        [
          "status": .string(status), "timeControlStatus": .string(timeControlStatus),
          "reasonForWaitingToPlay": .string(reason),
        ]
      )
    case .track(let title, let artist, let album, let uri, let duration):
      return (
        "track",
        [
          "title": JSONValue(title), "artist": JSONValue(artist), "album": JSONValue(album), "uri": JSONValue(uri),
          "duration": JSONValue(microseconds: duration),
        ]
      )
    case .periodic: return ("periodic", [:])
    case .boundary(let boundary): return ("boundary", ["boundary": JSONValue(microseconds: boundary)])
    case .seeked(let origin): return ("seeked", ["from": JSONValue(microseconds: origin)])
    case .buffering(let percent): return ("buffering", ["bufferingPercent": .integer(percent)])
    case .stalled: return ("stalled", [:])
    case .ended: return ("ended", [:])
    case .failed(let code, let message, let uri):
      return ("failed", ["code": .string(code), "message": .string(message), "uri": JSONValue(uri)])
    case .chapter(let index, let title):
      return ("chapter", ["chapter": index.map { .integer($0) } ?? .null, "title": .string(title)])
    case .lyrics(let text, let end): return ("lyrics", ["text": .string(text), "to": JSONValue(microseconds: end)])
    case .volume(let volume): return ("volume", ["volume": .number(volume)])
    case .mute(let isMuted): return ("mute", ["muted": .boolean(isMuted)])
    case .shuffle(let mode):
      return ("shuffle", ["shuffle": .boolean(mode != "off"), "shuffleMode": .string(mode)])
    case .loop(let loop): return ("loop", ["loop": .string(loop)])
    case .speed(let rate): return ("speed", ["rate": .number(rate)])
    case .output(let id): return ("output", ["output": .string(id)])
    case .sleepTimer(let remaining, let afterTrack):
      return (
        "sleep", ["sleepRemaining": JSONValue(microseconds: remaining), "sleepsAfterTrack": .boolean(afterTrack)]
      )
    case .stopAfter(let count): return ("stop-after", ["stopsAfterTracks": .integer(count)])
    case .repeatAB(let part):
      return (
        "repeat-ab",
        [
          "repeatStart": JSONValue(microseconds: part?.lowerBound),
          "repeatEnd": JSONValue(microseconds: part?.upperBound),
        ]
      )
    case .crossfade(let length, let onSkip):
      let (time, skipTime) = (length > 0 ? length : nil, onSkip > 0 ? onSkip : nil)
      return (
        "crossfade",
        ["crossfade": JSONValue(microseconds: time), "crossfadeOnSkip": JSONValue(microseconds: skipTime)]
      )
    case .consume(let isOn): return ("consume", ["consume": .boolean(isOn)])
    case .pausedFor(let other): return ("paused-for", ["pausedFor": JSONValue(other)])
    case .book(let folder): return ("book", ["book": JSONValue(folder)])
    case .queue: return ("queue", [:])
    case .gone: return ("gone", [:])
    }
  }
}
