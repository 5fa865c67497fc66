import Synchronization

/// Decides when to publish a change: at once, or after a delay while the metadata of a new track is incomplete.
///
/// A track change is published once, with its complete metadata, unless that takes longer than clients should wait.
/// After the limit, each further change of this track is published as it happens.
struct SignalCoalescer {
  /// The longest delay of a change.
  static let limit = Duration.milliseconds(200)
  /// The longest delay before the first track has been published.
  ///
  /// It includes the time that GStreamer may need to scan its plug-ins when none of them is in memory.
  static let firstLimit = Duration.seconds(2)

  /// The decision for a change.
  enum Decision: Hashable {
    /// Publish it, together with the delayed changes.
    case publishNow
    /// Delay it, and publish it when the limit has passed.
    case wait
    /// Delay it; the limit is already running.
    case keepWaiting
  }

  /// The part that an unsettled snapshot still waits for.
  private enum Subject: Hashable {
    /// The item to play.
    case item
    /// The metadata of a track.
    case metadata(MPRISTrackID?)

    init(_ snapshot: MPRISSnapshot) { self = snapshot.isOpening ? .item : .metadata(snapshot.track) }
  }

  private enum State: Hashable {
    case settled
    case waiting(Subject)
    /// The changes have been published, although the metadata or the item is incomplete.
    case published(Subject)
  }

  private var state = State.settled
  /// The parts of the last published snapshot that replace the parts of an unpublished track.
  private var lastPublished = (metadata: MPRISMetadata.none, canGoNext: false, canGoPrevious: false)

  /// Whether no track has been published yet.
  private var isFirst: Bool { lastPublished.metadata.trackID == nil }

  /// The current limit of a delay.
  ///
  /// Only the metadata of the first track has the longer limit. Resolving the item does not: it may be on a server that
  /// does not respond.
  var limit: Duration { isFirst && state != .waiting(.item) ? Self.firstLimit : Self.limit }

  /// Decides about a change that led to this snapshot.
  mutating func changed(_ snapshot: MPRISSnapshot) -> Decision {
    let subject = Subject(snapshot)
    switch state {
    case _ where snapshot.isSettled:
      state = .settled
      return .publishNow
    case .published(subject): return .publishNow
    case .waiting(.item) where subject == .item: return .keepWaiting
    // The item has been resolved: the limit for its metadata starts.
    case .settled, .published, .waiting(.item):
      state = .waiting(subject)
      return .wait
    case .waiting: return .keepWaiting
    }
  }

  /// Returns the snapshot that clients can read.
  ///
  /// It hides an unpublished track, so that Get agrees with the signals.
  mutating func readable(_ snapshot: MPRISSnapshot) -> MPRISSnapshot {
    if snapshot.isSettled || state == .published(Subject(snapshot)) {
      lastPublished = (snapshot.metadata, snapshot.canGoNext, snapshot.canGoPrevious)
      return snapshot
    }
    var held = snapshot
    if isFirst, var fields = snapshot.metadata.fields {
      // The title is still the file name, which is not published as a title.
      fields.title = ""
      held.metadata = MPRISMetadata(fields)
    } else if lastPublished.metadata.trackID != snapshot.track {
      (held.metadata, held.canGoNext, held.canGoPrevious) = lastPublished
    }
    return held
  }

  /// Records that the snapshot is published, settled or not: the limit has passed, or a position jump cannot wait.
  mutating func markPublished(_ snapshot: MPRISSnapshot) {
    state = snapshot.isSettled ? .settled : .published(Subject(snapshot))
  }
}

/// A lock around a `SignalCoalescer`, for the rows that read through it and the service that decides with it.
final class SharedSignalCoalescer: Sendable {
  private let coalescer = Mutex(SignalCoalescer())

  var limit: Duration { coalescer.withLock { $0.limit } }

  func changed(_ snapshot: MPRISSnapshot) -> SignalCoalescer.Decision { coalescer.withLock { $0.changed(snapshot) } }
  func markPublished(_ snapshot: MPRISSnapshot) { coalescer.withLock { $0.markPublished(snapshot) } }
  func readable(_ snapshot: MPRISSnapshot) -> MPRISSnapshot { coalescer.withLock { $0.readable(snapshot) } }
}
