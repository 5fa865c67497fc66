package import DBus
import MPRISService

/// The rows of `org.playerd.Monitor1`: what MPRIS lacks.
package struct MonitorInterface {
  package static let name: InterfaceName = "org.playerd.Monitor1"

  /// Takes a new observation, and ends one; both for the caller named.
  let add: @Sendable (MonitorObservation, BusName) throws(DBusError) -> UInt32
  let remove: @Sendable (UInt32, BusName) throws(DBusError) -> Void

  var rows: Interface<MonitorSnapshot> {
    Interface(
      Self.name, methods: methods, properties: status + buffer + [Self.anchor, Self.duration] + content,
      signals: Self.signals, isUnchanged: { $0 == $1 })
  }

  // MARK: Methods

  static let addPeriodicTimeObserver = MethodDeclaration(
    "AddPeriodicTimeObserver", in: ["interval_us": "x"], out: ["observer": "u"])
  static let addBoundaryTimeObserver = MethodDeclaration(
    "AddBoundaryTimeObserver", in: ["times_us": "ax"], out: ["observer": "u"])
  static let addBoundaryFractionObserver = MethodDeclaration(
    "AddBoundaryFractionObserver", in: ["fractions": "ad"], out: ["observer": "u"])

  private var methods: [Method] {
    [
      adding(Self.addPeriodicTimeObserver) { value throws(DBusError) in
        try .interval(microseconds: value.asInt64 ?? 0)
      },
      adding(Self.addBoundaryTimeObserver) { value throws(DBusError) in
        try .times(microseconds: value.elements.compactMap(\.asInt64))
      },
      adding(Self.addBoundaryFractionObserver) { value throws(DBusError) in
        try .fractions(checking: value.elements.compactMap(\.asDouble))
      },
      Method("RemoveTimeObserver", in: ["observer": "u"]) { call throws(DBusError) in
        guard let id = call.arguments.first?.asInt64.flatMap({ UInt32(exactly: $0) }) else { return [] }
        try remove(id, call.sender)
        return []
      },
    ]
  }

  private func adding(
    _ declaration: MethodDeclaration, _ read: @escaping @Sendable (Value) throws(DBusError) -> MonitorObservation
  ) -> Method {
    Method(declaration) { call throws(DBusError) in
      guard let value = call.arguments.first else { return [] }
      return [.uint32(try add(read(value), call.sender))]
    }
  }

  // MARK: Properties

  package typealias Row = Property<MonitorSnapshot>

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

  private var status: [Row] {
    [
      Self.track, Property("ItemStatus", "s") { .string($0.itemStatus.rawValue) }, Self.timeControlStatus,
      Self.reasonForWaiting,
      Property("LastError", "(sss)") { snapshot in
        let failure = snapshot.lastFailure
        return .structure([
          .string(failure?.code ?? ""), .string(failure?.message ?? ""), .string(failure?.uri ?? ""),
        ])
      },
    ]
  }

  private var buffer: [Row] {
    [
      Property("IsPlaybackBufferEmpty", "b") { .boolean($0.isPlaybackBufferEmpty) },
      Property("IsPlaybackBufferFull", "b") { .boolean($0.isPlaybackBufferFull) },
      Property("IsPlaybackLikelyToKeepUp", "b") { .boolean($0.isPlaybackLikelyToKeepUp) },
      Self.bufferingPercent,
      Property("LoadedTimeRanges", "a(xx)") { Self.ranges($0.loadedTimeRanges) },
      Property("SeekableTimeRanges", "a(xx)") { Self.ranges($0.seekableTimeRanges) },
    ]
  }

  private var content: [Row] {
    [
      Property("Chapters", "a(xxs)", differs: { $0.chapters != $1.chapters }) { snapshot in
        .array("(xxs)", snapshot.chapters.map(Self.value))
      },
      Property("CurrentChapter", "i") { .int32(Int32(clamping: $0.currentChapter ?? -1)) },
    ]
  }

  private static func ranges(_ ranges: [Range<Duration>]) -> Value {
    .array(
      "(xx)",
      ranges.map {
        .structure([.int64($0.lowerBound.microseconds), .int64(($0.upperBound - $0.lowerBound).microseconds)])
      })
  }

  private static func value(of chapter: MonitorSnapshot.Chapter) -> Value {
    .structure([
      .int64(chapter.start.microseconds), .int64(chapter.duration.microseconds), .string(chapter.title),
    ])
  }

  // MARK: Signals

  package static let periodicTime = Signal("PeriodicTime", ["observer": "u", "track": "o", "position": "x"])
  package static let boundaryReached = Signal(
    "BoundaryReached", ["observer": "u", "track": "o", "boundary": "x", "position": "x", "monotonic_us": "x"])
  package static let trackBoundary = Signal("TrackBoundary", ["ended": "o", "started": "o", "monotonic_us": "x"])
  static let aboutToFinish = Signal("AboutToFinish", ["track": "o", "remaining_us": "x"])
  package static let itemDidPlayToEnd = Signal("ItemDidPlayToEnd", ["track": "o"])
  package static let itemFailedToPlayToEnd = Signal(
    "ItemFailedToPlayToEnd", ["track": "o", "code": "s", "message": "s"])
  package static let playbackStalled = Signal("PlaybackStalled", ["track": "o", "position": "x"])
  package static let timeJumped = Signal("TimeJumped", ["track": "o", "from": "x", "to": "x"])
  package static let chapterChanged = Signal("ChapterChanged", ["track": "o", "index": "i", "title": "s"])

  private static let signals = [
    periodicTime, boundaryReached, trackBoundary, aboutToFinish, itemDidPlayToEnd, itemFailedToPlayToEnd,
    playbackStalled, timeJumped, chapterChanged,
  ]
}

extension Value {
  fileprivate var elements: [Value] { if case .array(_, let elements) = self { elements } else { [] } }
}
