import DBus
import Glibc

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
  /// Microseconds; nil when unknown.
  var duration: Int64? { monitor["Duration"]?.asInt64.flatMap { $0 >= 0 ? $0 : nil } }

  private var metadata: [String: Value] { mpris["Metadata"]?.asDictionary ?? [:] }
  var trackID: String? { metadata["mpris:trackid"]?.asObjectPath?.rawValue }
  var title: String? { metadata["xesam:title"]?.asString }
  var artist: String? { metadata["xesam:artist"]?.asStrings?.joined(separator: ", ") }
  var album: String? { metadata["xesam:album"]?.asString }
  var uri: String? { metadata["xesam:url"]?.asString }

  /// The position at an instant in microseconds of `CLOCK_MONOTONIC`, computed without asking; nil with nothing loaded.
  func position(at now: Int64) -> Int64? {
    guard trackID != nil, case .structure(let anchor)? = monitor["PositionAnchor"], anchor.count == 3,
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
