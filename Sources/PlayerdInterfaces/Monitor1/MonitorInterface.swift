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
  static let addLyricsObserver = DBusMethodDeclaration("AddLyricsObserver", out: ["observer": "u"])
  static let removeTimeObserver = DBusMethodDeclaration("RemoveTimeObserver", in: ["observer": "u"])
  static let getLyrics = DBusFunction<Void, [MonitoredLyricsLine]>("GetLyrics", out: ["lines"])

  private static func methods(of service: MonitorService) -> [DBusMethod] {
    [
      method(addPeriodicTimeObserver, of: service) { service, arguments, caller throws(DBusError) in
        [.uint32(try service.add(.interval(microseconds: arguments.first?.asInt64 ?? 0), for: caller))]
      },
      method(addBoundaryTimeObserver, of: service) { service, arguments, caller throws(DBusError) in
        [.uint32(try service.add(.times(microseconds: elements(of: arguments).compactMap(\.asInt64)), for: caller))]
      },
      method(addBoundaryFractionObserver, of: service) { service, arguments, caller throws(DBusError) in
        [.uint32(try service.add(.fractions(checking: elements(of: arguments).compactMap(\.asDouble)), for: caller))]
      },
      method(addLyricsObserver, of: service) { service, _, caller throws(DBusError) in
        [.uint32(try service.add(.lyrics, for: caller))]
      },
      method(removeTimeObserver, of: service) { service, arguments, caller throws(DBusError) in
        try service.remove(arguments.first.flatMap { UInt32(dbusValue: $0) } ?? 0, of: caller)
        return []
      },
      method(getLyrics.declaration, of: service) { service, _, _ throws(DBusError) in
        [service.lyrics().dbusValue]
      },
    ]
  }

  private static func elements(of arguments: [DBusValue]) -> [DBusValue] {
    if case .array(_, let elements)? = arguments.first { elements } else { [] }
  }

  /// Creates the row of a method whose body runs on the service.
  private static func method(
    _ declaration: DBusMethodDeclaration, of service: MonitorService,
    _ body:
      @escaping @Sendable (isolated MonitorService, [DBusValue], _ caller: BusName) throws(DBusError) -> [DBusValue]
  ) -> DBusMethod {
    DBusMethod(declaration) { [weak service] call throws(DBusError) in
      guard let service else { throw .disconnected("the service has ended") }
      // The handler runs on the connection's thread, but not in a task.
      let result = service.assumeIsolated { service in
        Result { () throws(DBusError) in try body(service, call.arguments, call.sender) }
      }
      return try result.get()
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
  package static let anchor = Row("PositionAnchor", "(xxd)") {
    .structure([.time($0.anchor.position), .int64($0.anchor.monotonicMicroseconds), .double($0.anchor.rate)])
  }
  package static let duration = Row("Duration", "x") { .int64($0.duration?.microseconds ?? -1) }
  package static let loadedTimeRanges = Row("LoadedTimeRanges", "a(xx)") { ranges($0.loadedTimeRanges) }
  package static let seekableTimeRanges = Row("SeekableTimeRanges", "a(xx)") { ranges($0.seekableTimeRanges) }
  package static let isMuted = Row("IsMuted", "b") { .boolean($0.isMuted) }

  package static let currentChapter = Row("CurrentChapter", "i") { .int32(Int32(clamping: $0.currentChapter ?? -1)) }

  /// The chapters of the current track, for a client.
  package static let chapters = DBusPropertyDeclaration<[MonitoredChapter]>("Chapters")

  private static let properties: [Row] = [
    track,
    Row("ItemStatus", "s") { .string($0.itemStatus.rawValue) },
    timeControlStatus,
    reasonForWaiting,
    Row("LastError", "(sss)") { snapshot in
      let failure = snapshot.lastFailure ?? MonitorSnapshot.Failure(code: "", message: "")
      return .structure([.string(failure.code), .string(failure.message), .string(failure.uri)])
    },
    Row("IsPlaybackBufferEmpty", "b") { .boolean($0.isPlaybackBufferEmpty) },
    Row("IsPlaybackBufferFull", "b") { .boolean($0.isPlaybackBufferFull) },
    Row("IsPlaybackLikelyToKeepUp", "b") { .boolean($0.isPlaybackLikelyToKeepUp) },
    bufferingPercent,
    loadedTimeRanges,
    seekableTimeRanges,
    anchor,
    duration,
    isMuted,
    Row("Chapters", "a(xxs)", differs: { $0.chapters != $1.chapters }) { snapshot in
      .array("(xxs)", snapshot.chapters.map { .structure([.time($0.start), .time($0.duration), .string($0.title)]) })
    },
    currentChapter,
  ]

  private static func ranges(_ ranges: [Range<Duration>]) -> DBusValue {
    .array("(xx)", ranges.map { .structure([.time($0.lowerBound), .time($0.upperBound - $0.lowerBound)]) })
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
  package static let lyricsLine = DBusSignal("LyricsLine", ["from": "x", "to": "x", "text": "s"])

  private static let signals = [
    periodicTime, boundaryReached, trackBoundary, aboutToFinish, itemDidPlayToEnd, itemFailedToPlayToEnd,
    playbackStalled, timeJumped, chapterChanged, lyricsLine,
  ]
}

extension DBusValue {
  static func track(_ track: MPRISTrackID) -> DBusValue { .objectPath(track.path) }
  static func time(_ time: Duration) -> DBusValue { .int64(time.microseconds) }
}
