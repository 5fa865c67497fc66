import DBus

/// The rows of `org.playerd.Monitor1`: what MPRIS lacks.
struct MonitorInterface {
  static let name: InterfaceName = "org.playerd.Monitor1"

  /// Takes a new observation, and ends one; both for the caller named.
  let add: @Sendable (MonitorObservation, BusName) throws(DBusError) -> UInt32
  let remove: @Sendable (UInt32, BusName) throws(DBusError) -> Void

  var rows: Interface<MonitorSnapshot> {
    Interface(Self.name, methods: methods, properties: status + buffer + time + content, signals: Self.signals)
  }

  // MARK: Methods

  private var methods: [Method] {
    [
      adding("AddPeriodicTimeObserver", Argument("interval_us", "x")) { value throws(DBusError) in
        try .interval(microseconds: value.asInt64 ?? 0)
      },
      adding("AddBoundaryTimeObserver", Argument("times_us", "ax")) { value throws(DBusError) in
        try .times(microseconds: value.elements.compactMap(\.asInt64))
      },
      adding("AddBoundaryFractionObserver", Argument("fractions", "ad")) { value throws(DBusError) in
        try .fractions(checking: value.elements.compactMap(\.asDouble))
      },
      Method("RemoveTimeObserver", in: [Argument("observer", "u")]) { call throws(DBusError) in
        guard let id = call.arguments.first?.asInt64.flatMap({ UInt32(exactly: $0) }) else { return [] }
        try remove(id, call.sender)
        return []
      },
    ]
  }

  private func adding(
    _ name: MemberName, _ argument: Argument,
    _ read: @escaping @Sendable (Value) throws(DBusError) -> MonitorObservation
  ) -> Method {
    Method(name, in: [argument], out: [Argument("observer", "u")]) { call throws(DBusError) in
      guard let value = call.arguments.first else { return [] }
      return [.uint32(try add(read(value), call.sender))]
    }
  }

  // MARK: Properties

  private var status: [Property<MonitorSnapshot>] {
    [
      Property("Track", "o") { .track($0.track ?? .noTrack) },
      Property("ItemStatus", "s") { .string($0.itemStatus.rawValue) },
      Property("TimeControlStatus", "s") { .string($0.timeControlStatus.rawValue) },
      Property("ReasonForWaitingToPlay", "s") { .string($0.waitingReason?.rawValue ?? "") },
      Property("LastError", "(sss)") { snapshot in
        let failure = snapshot.lastFailure
        return .structure([
          .string(failure?.code ?? ""), .string(failure?.message ?? ""), .string(failure?.uri ?? ""),
        ])
      },
    ]
  }

  private var buffer: [Property<MonitorSnapshot>] {
    [
      Property("IsPlaybackBufferEmpty", "b") { .boolean($0.isPlaybackBufferEmpty) },
      Property("IsPlaybackBufferFull", "b") { .boolean($0.isPlaybackBufferFull) },
      Property("IsPlaybackLikelyToKeepUp", "b") { .boolean($0.isPlaybackLikelyToKeepUp) },
      Property("BufferingPercent", "u") { .uint32(UInt32(min(max(0, $0.bufferingPercent), 100))) },
      Property("LoadedTimeRanges", "a(xx)") { Self.ranges($0.loadedTimeRanges) },
      Property("SeekableTimeRanges", "a(xx)") { Self.ranges($0.seekableTimeRanges) },
    ]
  }

  private var time: [Property<MonitorSnapshot>] {
    [
      Property("PositionAnchor", "(xxd)") { snapshot in
        let anchor = snapshot.anchor
        return .structure([
          .int64(anchor.position.microseconds), .int64(anchor.monotonicMicroseconds), .double(anchor.rate),
        ])
      },
      Property("Duration", "x") { .int64($0.duration?.microseconds ?? -1) },
    ]
  }

  private var content: [Property<MonitorSnapshot>] {
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

  private static let track = Argument("track", "o")
  private static let position = Argument("position", "x")
  private static let instant = Argument("monotonic_us", "x")
  private static let observer = Argument("observer", "u")

  private static let signals = [
    Signal("PeriodicTime", [observer, track, position]),
    Signal("BoundaryReached", [observer, track, Argument("boundary", "x"), position, instant]),
    Signal("TrackBoundary", [Argument("ended", "o"), Argument("started", "o"), instant]),
    Signal("AboutToFinish", [track, Argument("remaining_us", "x")]),
    Signal("ItemDidPlayToEnd", [track]),
    Signal("ItemFailedToPlayToEnd", [track, Argument("code", "s"), Argument("message", "s")]),
    Signal("PlaybackStalled", [track, position]),
    Signal("TimeJumped", [track, Argument("from", "x"), Argument("to", "x")]),
    Signal("ChapterChanged", [track, Argument("index", "i"), Argument("title", "s")]),
  ]
}

extension Value {
  fileprivate var elements: [Value] { if case .array(_, let elements) = self { elements } else { [] } }
}

/// A signal of Monitor1 with its values.
struct MonitorSignal {
  let name: MemberName
  let values: [Value]

  private init(_ name: MemberName, _ values: Value...) {
    self.name = name
    self.values = values
  }

  /// What an event is told as, beside the properties; nil where that takes more than the event to know.
  init?(_ event: MonitorEvent) {
    switch event {
    case .changed, .trackChanged, .queueEnded, .other: return nil
    case .trackEnded(let track): self.init("ItemDidPlayToEnd", .track(track))
    case .trackFailed(let track, let failure):
      self.init("ItemFailedToPlayToEnd", .track(track), .string(failure.code), .string(failure.message))
    case .stalled(let track, let position): self.init("PlaybackStalled", .track(track), .time(position))
    case .jumped(let track, let from, let to): self.init("TimeJumped", .track(track), .time(from), .time(to))
    case .aboutToFinish(let track, let remaining): self.init("AboutToFinish", .track(track), .time(remaining))
    case .chapterChanged(let track, let index, let title):
      self.init("ChapterChanged", .track(track), .int32(Int32(clamping: index ?? -1)), .string(title))
    }
  }

  init(_ boundary: HeardTrack.Boundary, now: Int64) {
    self.init(
      "TrackBoundary", .track(boundary.ended), .track(boundary.started),
      .int64(boundary.monotonicMicroseconds ?? now))
  }

  init(_ notice: MonitorNotice, of observer: UInt32) {
    switch notice {
    case .time(let track, let position):
      self.init("PeriodicTime", .uint32(observer), .track(track ?? .noTrack), .time(position))
    case .boundary(let track, let boundary, let position, let instant):
      self.init(
        "BoundaryReached", .uint32(observer), .track(track), .time(boundary), .time(position), .int64(instant))
    }
  }
}

extension Value {
  fileprivate static func track(_ track: TrackID) -> Value { .objectPath(track.path) }
  fileprivate static func time(_ time: Duration) -> Value { .int64(time.microseconds) }
}
