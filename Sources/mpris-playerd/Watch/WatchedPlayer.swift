import DBus
import Glibc
import MPRISService

/// The daemon as its properties show it to another process.
struct WatchedPlayer: Sendable {
  /// The properties of the MPRIS player and of Monitor1.
  var mpris: [String: Value] = [:]
  var monitor: [String: Value] = [:]

  var status: String { mpris["PlaybackStatus"]?.asString ?? "Stopped" }
  var rate: Double { mpris["Rate"]?.asDouble ?? 1 }
  var volume: Double { mpris["Volume"]?.asDouble ?? 1 }
  var loop: String { mpris["LoopStatus"]?.asString ?? "None" }
  var isShuffled: Bool { mpris["Shuffle"]?.asBool ?? false }
  var timeControlStatus: String { monitor["TimeControlStatus"]?.asString ?? "paused" }
  var reasonForWaiting: String { monitor["ReasonForWaitingToPlay"]?.asString ?? "" }
  var bufferingPercent: Int64 { monitor["BufferingPercent"]?.asInt64 ?? 0 }
  /// The track that the values of Monitor1 describe; nil with nothing loaded.
  var monitoredTrackID: String? { Self.trackID(monitor["Track"]) }
  /// Microseconds; nil when unknown.
  var duration: Int64? { monitor["Duration"]?.asInt64.flatMap { $0 >= 0 ? $0 : nil } }

  private var metadata: [String: Value] { mpris["Metadata"]?.asDictionary ?? [:] }
  /// The track that the values of MPRIS describe; nil with nothing loaded.
  var trackID: String? { Self.trackID(metadata["mpris:trackid"]) }
  var title: String? { metadata["xesam:title"]?.asString }
  var artist: String? { metadata["xesam:artist"]?.asStrings?.joined(separator: ", ") }
  var album: String? { metadata["xesam:album"]?.asString }
  var uri: String? { metadata["xesam:url"]?.asString }

  private static func trackID(_ value: Value?) -> String? {
    value?.asObjectPath.flatMap { $0 == TrackID.noTrack.path ? nil : $0.rawValue }
  }

  /// The position at an instant in microseconds of `CLOCK_MONOTONIC`, computed without asking; nil with nothing loaded.
  func position(at now: Int64) -> Int64? {
    guard monitoredTrackID != nil, case .structure(let anchor)? = monitor["PositionAnchor"], anchor.count == 3,
      let position = anchor[0].asInt64, let instant = anchor[1].asInt64, let rate = anchor[2].asDouble
    else { return nil }
    let (elapsed, overflow) = now.subtractingReportingOverflow(instant)
    guard !overflow, let way = Int64(exactly: (Double(elapsed) * rate).rounded()) else { return position }
    return max(0, min(position.addingReportingOverflow(way).partialValue, duration ?? .max))
  }
}

/// The present: microseconds of `CLOCK_MONOTONIC`.
func monotonicMicroseconds() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
