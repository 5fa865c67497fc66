package import DBus
import MPRISService

/// The rows of `org.playerd.Monitor1`: the state and events that MPRIS does not cover.
package enum MonitorInterface {
  package static let name: InterfaceName = "org.playerd.Monitor1"

  static func rows(of service: MonitorService) -> DBusInterface<MonitorSnapshot> {
    DBusInterface(
      name, methods: methods(of: service), properties: properties, signals: signals, isUnchanged: { $0 == $1 })
  }

  // MARK: Methods

  static let addPeriodicTimeObserver = DBusMethodDeclaration(
    "AddPeriodicTimeObserver", in: ["interval_us": "x"], out: ["observer": "u"])
  static let addBoundaryTimeObserver = DBusMethodDeclaration(
    "AddBoundaryTimeObserver", in: ["times_us": "ax"], out: ["observer": "u"])
  static let addBoundaryFractionObserver = DBusMethodDeclaration(
    "AddBoundaryFractionObserver", in: ["fractions": "ad"], out: ["observer": "u"])

  private static func methods(of service: MonitorService) -> [DBusMethod] {
    [
      adding(addPeriodicTimeObserver, to: service) { value throws(DBusError) in
        try .interval(microseconds: value.asInt64 ?? 0)
      },
      adding(addBoundaryTimeObserver, to: service) { value throws(DBusError) in
        try .times(microseconds: value.elements.compactMap(\.asInt64))
      },
      adding(addBoundaryFractionObserver, to: service) { value throws(DBusError) in
        try .fractions(checking: value.elements.compactMap(\.asDouble))
      },
      DBusMethod("RemoveTimeObserver", in: ["observer": "u"]) { [weak service] call throws(DBusError) in
        guard let id = call.arguments.first?.asInt64.flatMap({ UInt32(exactly: $0) }) else { return [] }
        try MonitorService.onThread(of: service) { (service) throws(DBusError) in
          try service.remove(id, of: call.sender)
        }
        return []
      },
    ]
  }

  private static func adding(
    _ declaration: DBusMethodDeclaration, to service: MonitorService,
    _ read: @escaping @Sendable (DBusValue) throws(DBusError) -> MonitorObservation
  ) -> DBusMethod {
    DBusMethod(declaration) { [weak service] call throws(DBusError) in
      guard let value = call.arguments.first else { return [] }
      let observation = try read(value)
      let id = try MonitorService.onThread(of: service) { (service) throws(DBusError) in
        try service.add(observation, for: call.sender)
      }
      return [.uint32(id)]
    }
  }

  // MARK: Properties

  package typealias Row = DBusProperty<MonitorSnapshot>

  package static let track = Row("Track", "o") { .track($0.track ?? .noTrack) }
  package static let timeControlStatus = Row("TimeControlStatus", "s") { .string($0.timeControlStatus.rawValue) }
  package static let reasonForWaiting = Row("ReasonForWaitingToPlay", "s") { .string($0.waitingReason?.rawValue ?? "") }
  package static let bufferingPercent = Row("BufferingPercent", "u") {
    .uint32(UInt32(min(max(0, $0.bufferingPercent), 100)))
  }
  package static let anchor = Row("PositionAnchor", "(xxd)") { snapshot in
    let anchor = snapshot.anchor
    return .structure([
      .int64(anchor.position.microseconds), .int64(anchor.monotonicMicroseconds), .double(anchor.rate),
    ])
  }
  package static let duration = Row("Duration", "x") { .int64($0.duration?.microseconds ?? -1) }

  private static let properties: [Row] = [
    track,
    Row("ItemStatus", "s") { .string($0.itemStatus.rawValue) },
    timeControlStatus,
    reasonForWaiting,
    Row("LastError", "(sss)") { snapshot in
      let failure = snapshot.lastFailure
      return .structure([
        .string(failure?.code ?? ""), .string(failure?.message ?? ""), .string(failure?.uri ?? ""),
      ])
    },
    Row("IsPlaybackBufferEmpty", "b") { .boolean($0.isPlaybackBufferEmpty) },
    Row("IsPlaybackBufferFull", "b") { .boolean($0.isPlaybackBufferFull) },
    Row("IsPlaybackLikelyToKeepUp", "b") { .boolean($0.isPlaybackLikelyToKeepUp) },
    bufferingPercent,
    Row("LoadedTimeRanges", "a(xx)") { ranges($0.loadedTimeRanges) },
    Row("SeekableTimeRanges", "a(xx)") { ranges($0.seekableTimeRanges) },
    anchor,
    duration,
    Row("Chapters", "a(xxs)", differs: { $0.chapters != $1.chapters }) { snapshot in
      .array("(xxs)", snapshot.chapters.map(value))
    },
    Row("CurrentChapter", "i") { .int32(Int32(clamping: $0.currentChapter ?? -1)) },
  ]

  private static func ranges(_ ranges: [Range<Duration>]) -> DBusValue {
    .array(
      "(xx)",
      ranges.map {
        .structure([.int64($0.lowerBound.microseconds), .int64(($0.upperBound - $0.lowerBound).microseconds)])
      })
  }

  private static func value(of chapter: MonitorSnapshot.Chapter) -> DBusValue {
    .structure([
      .int64(chapter.start.microseconds), .int64(chapter.duration.microseconds), .string(chapter.title),
    ])
  }

  // MARK: Signals

  package static let periodicTime = DBusSignal("PeriodicTime", ["observer": "u", "track": "o", "position": "x"])
  package static let boundaryReached = DBusSignal(
    "BoundaryReached", ["observer": "u", "track": "o", "boundary": "x", "position": "x", "monotonic_us": "x"])
  package static let trackBoundary = DBusSignal("TrackBoundary", ["ended": "o", "started": "o", "monotonic_us": "x"])
  static let aboutToFinish = DBusSignal("AboutToFinish", ["track": "o", "remaining_us": "x"])
  package static let itemDidPlayToEnd = DBusSignal("ItemDidPlayToEnd", ["track": "o"])
  package static let itemFailedToPlayToEnd = DBusSignal(
    "ItemFailedToPlayToEnd", ["track": "o", "code": "s", "message": "s"])
  package static let playbackStalled = DBusSignal("PlaybackStalled", ["track": "o", "position": "x"])
  package static let timeJumped = DBusSignal("TimeJumped", ["track": "o", "from": "x", "to": "x"])
  package static let chapterChanged = DBusSignal("ChapterChanged", ["track": "o", "index": "i", "title": "s"])

  private static let signals = [
    periodicTime, boundaryReached, trackBoundary, aboutToFinish, itemDidPlayToEnd, itemFailedToPlayToEnd,
    playbackStalled, timeJumped, chapterChanged,
  ]
}

extension DBusValue {
  fileprivate var elements: [DBusValue] { if case .array(_, let elements) = self { elements } else { [] } }
}
