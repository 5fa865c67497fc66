import DBus
import MPRISService
import PlayerdInterfaces

/// The state of the daemon, from its properties.
package struct WatchedPlayer: Sendable {
  /// The properties of the MPRIS player, of Monitor1, of Extras1 and of Control1.
  var mpris: [String: DBusValue] = [:]
  var monitor: [String: DBusValue] = [:]
  var extras: [String: DBusValue] = [:]
  var control: [String: DBusValue] = [:]

  var status: String { mpris[PlayerInterface.status]?.asString ?? "Stopped" }
  var timeControlStatus: String { monitor[MonitorInterface.timeControlStatus]?.asString ?? "paused" }
  var reasonForWaiting: String { monitor[MonitorInterface.reasonForWaiting]?.asString ?? "" }
  var bufferingPercent: Int64 { monitor[MonitorInterface.bufferingPercent]?.asInt64 ?? 0 }
  /// The track that the values of Monitor1 describe; nil with nothing loaded.
  var monitoredTrackID: String? { Self.trackID(monitor[MonitorInterface.track]) }
  /// Microseconds; nil when unknown.
  var duration: Int64? { monitor[MonitorInterface.duration]?.asInt64.flatMap { $0 >= 0 ? $0 : nil } }
  var isMuted: Bool { monitor[MonitorInterface.isMuted]?.asBool ?? false }
  /// The MPRIS volume; 1 is unchanged.
  var volume: Double { mpris[PlayerInterface.volume]?.asDouble ?? 1 }
  private var isShuffled: Bool { mpris[PlayerInterface.shuffle]?.asBool ?? false }
  /// `off`, `tracks` or `albums`; a daemon of an earlier version shuffles tracks.
  var shuffleMode: String { control[ControlInterface.shuffleMode] ?? (isShuffled ? "tracks" : "off") }
  /// `None`, `Track` or `Playlist`.
  var loop: String { mpris[PlayerInterface.loop]?.asString ?? MPRISLoopStatus.none.rawValue }
  var rate: Double { mpris[PlayerInterface.rate]?.asDouble ?? 1 }

  /// The ID of the selected output device; empty for the configured one.
  var output: String { extras["AudioOutput"]?.asString ?? "" }
  /// Microseconds of `CLOCK_MONOTONIC`; nil if the sleep timer is off.
  var sleepDeadline: Int64? { extras["SleepTimerDeadline"]?.asInt64.flatMap { $0 > 0 ? $0 : nil } }
  var sleepsAfterTrack: Bool { extras["SleepTimerAfterTrack"]?.asBool ?? false }
  /// The number of tracks after which playback stops; 0 for none.
  var stopsAfterTracks: Int64 { extras[ExtrasInterface.stopAfterTracks.name.rawValue]?.asInt64 ?? 0 }
  /// The repeated part in microseconds; nil for none.
  var repeatedPart: ClosedRange<Int64>? {
    guard case .structure(let ends)? = extras["ABRepeat"], ends.count == 2, let start = ends[0].asInt64,
      let end = ends[1].asInt64, start >= 0, start <= end
    else { return nil }
    return start...end
  }
  /// The lengths of crossfades in microseconds; 0 for none.
  var crossfade: Int64 { extras[ExtrasInterface.crossfade.name.rawValue]?.asInt64 ?? 0 }
  var crossfadeOnSkip: Int64 { extras[ExtrasInterface.crossfadeOnSkip.name.rawValue]?.asInt64 ?? 0 }
  /// Whether each track leaves the queue when it was played.
  var isConsuming: Bool { extras[ExtrasInterface.consume.name.rawValue]?.asBool ?? false }
  /// The name of the other player for which playback is paused; nil for none.
  var pausedFor: String? {
    extras[ExtrasInterface.pausedFor.name.rawValue]?.asString.flatMap { $0.isEmpty ? nil : $0 }
  }
  /// The URI of the folder of the book that the current track belongs to; nil for none.
  var book: String? { extras[ExtrasInterface.book].flatMap { $0.isEmpty ? nil : $0 } }

  /// A number that differs after each change of the queue.
  var queueRevision: UInt64? { control[ControlInterface.queueRevision] }
  /// The index of the current track in the queue; nil for none.
  var queueIndex: Int64? {
    control[ControlInterface.queueIndex].flatMap { $0 < 0 ? nil : Int64($0) }
  }
  /// The number of tracks in the queue.
  var queueCount: Int64 { Int64(control[ControlInterface.queueCount] ?? 0) }
  /// `track 3 of 12`; nil for an empty queue.
  var placeText: String? { PlayerStatus.text(ofPlace: queueIndex, of: queueCount) }

  private var metadata: [String: DBusValue] { mpris[PlayerInterface.metadata]?.asDictionary ?? [:] }
  /// The track that the values of MPRIS describe; nil with nothing loaded.
  var trackID: String? { Self.trackID(metadata["mpris:trackid"]) }
  var title: String? { metadata["xesam:title"]?.asString }
  var artist: String? { metadata["xesam:artist"]?.asStrings?.joined(separator: ", ") }
  var album: String? { metadata["xesam:album"]?.asString }
  var uri: String? { metadata["xesam:url"]?.asString }
  /// Microseconds; nil when unknown.
  ///
  /// MPRIS reports it before Monitor1 reports the duration.
  var length: Int64? { metadata["mpris:length"]?.asInt64 }

  var chapters: [MonitoredChapter] { monitor[MonitorInterface.chapters] ?? [] }
  /// The index of the chapter at the position; nil for none.
  var currentChapter: Int? {
    monitor[MonitorInterface.currentChapter]?.asInt64.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// The media seconds per second; 0 while the position is held, nil with nothing loaded.
  var positionRate: Double? {
    guard case .structure(let anchor)? = monitor[MonitorInterface.anchor], anchor.count == 3 else { return nil }
    return anchor[2].asDouble
  }

  /// The loaded parts of a stream, in microseconds; nil for a file, which is all there.
  var loadedRanges: [ClosedRange<Int64>]? {
    guard let uri, uri.hasPrefix("http:") || uri.hasPrefix("https:") else { return nil }
    return ranges(MonitorInterface.loadedTimeRanges)
  }

  /// The position of what a station sends now; nil for another track, and for a station that cannot go back.
  var livePosition: Int64? {
    duration == nil ? ranges(MonitorInterface.seekableTimeRanges)?.last?.upperBound : nil
  }

  /// Returns the ranges of a property; nil if it is not known.
  private func ranges(_ property: MonitorInterface.Row) -> [ClosedRange<Int64>]? {
    guard case .array(_, let ranges)? = monitor[property] else { return nil }
    return ranges.compactMap { range in
      guard case .structure(let parts) = range, parts.count == 2, let start = parts[0].asInt64,
        let length = parts[1].asInt64,
        start >= 0, length >= 0
      else { return nil }
      return start...max(start, start.addingReportingOverflow(length).partialValue)
    }
  }

  private static func trackID(_ value: DBusValue?) -> String? {
    value?.asObjectPath.flatMap { $0 == MPRISTrackID.noTrack.path ? nil : $0.rawValue }
  }

  /// Computes the position at an instant of `CLOCK_MONOTONIC` in microseconds, without a call; nil with nothing loaded.
  func position(at now: Int64) -> Int64? {
    guard monitoredTrackID != nil, case .structure(let anchor)? = monitor[MonitorInterface.anchor], anchor.count == 3,
      let position = anchor[0].asInt64, let instant = anchor[1].asInt64, let rate = anchor[2].asDouble
    else { return nil }
    let (elapsed, overflow) = now.subtractingReportingOverflow(instant)
    guard !overflow, let way = Int64(exactly: (Double(elapsed) * rate).rounded()) else { return position }
    return max(0, min(position.addingReportingOverflow(way).partialValue, duration ?? .max))
  }
}
