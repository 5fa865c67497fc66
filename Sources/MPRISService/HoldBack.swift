import Synchronization

/// Decides when news of a player are told: at once, or a moment later when a new track is not fully known yet.
///
/// A change of track is told once, with everything about it, unless that takes longer than clients should wait; from
/// then on everything about this track is told as it comes.
struct HoldBack {
  /// The longest time for which news are held back.
  static let limit = Duration.milliseconds(200)
  /// The same before anything has been told of any track: as long as GStreamer may look for its plug-ins when
  /// nothing of them is in memory yet.
  static let firstLimit = Duration.seconds(2)

  /// What to do with news.
  enum Decision: Hashable {
    /// Tell them, and those held back with them.
    case tell
    /// Hold them back and come again when the limit has passed.
    case wait
    /// Hold them back; the limit runs already.
    case keepWaiting
  }

  /// What an unsettled snapshot lacks.
  private enum Subject: Hashable {
    /// The item that is to play.
    case item
    /// The metadata of a track.
    case metadata(TrackID?)

    init(_ snapshot: PlayerSnapshot) { self = snapshot.isOpening ? .item : .metadata(snapshot.track) }
  }

  private enum State: Hashable {
    case settled
    case waiting(Subject)
    /// The changes have been published although the snapshot is not settled.
    case told(Subject)
  }

  private var state = State.settled
  /// What was known last of a track as a whole.
  private var lastWhole: PlayerSnapshot?

  /// Nothing has been told of any track.
  private var isFirst: Bool { lastWhole?.track == nil }

  /// The longest time for which news are held back now.
  ///
  /// The first track has more time, but not the item to be found: it may be on a server that does not answer.
  var limit: Duration { isFirst && state != .waiting(.item) ? Self.firstLimit : Self.limit }

  /// Something has changed, as this snapshot shows.
  mutating func changed(_ snapshot: PlayerSnapshot) -> Decision {
    let subject = Subject(snapshot)
    switch state {
    case _ where snapshot.isSettled:
      state = .settled
      return .tell
    case .told(subject): return .tell
    case .waiting(.item) where subject == .item: return .keepWaiting
    // The item has been found: the limit for its metadata begins.
    case .settled, .told, .waiting(.item):
      state = .waiting(subject)
      return .wait
    case .waiting: return .keepWaiting
    }
  }

  /// What a reader sees meanwhile: of a track that has not been told yet, nothing, so that what is read is what was told.
  mutating func readable(_ snapshot: PlayerSnapshot) -> PlayerSnapshot {
    let isTold = snapshot.isSettled || state == .told(Subject(snapshot))
    if isFirst, !isTold, var fields = snapshot.metadata.fields {
      // The name of its file is nobody's title yet.
      fields.title = ""
      var held = snapshot
      held.metadata = Metadata(fields)
      return held
    }
    guard !isTold, let lastWhole, lastWhole.track != nil, lastWhole.track != snapshot.track else {
      if isTold { lastWhole = snapshot }
      return snapshot
    }
    var held = snapshot
    held.metadata = lastWhole.metadata
    held.canGoNext = lastWhole.canGoNext
    held.canGoPrevious = lastWhole.canGoPrevious
    return held
  }

  /// Everything is being told, whether settled or not: the limit has passed, or a jump of the position cannot wait.
  mutating func toldAnyway(_ snapshot: PlayerSnapshot) {
    state = snapshot.isSettled ? .settled : .told(Subject(snapshot))
  }
}

/// A hold-back that the rows read and the service decides with.
final class SharedHoldBack: Sendable {
  private let holdBack = Mutex(HoldBack())

  var limit: Duration { holdBack.withLock { $0.limit } }

  func changed(_ snapshot: PlayerSnapshot) -> HoldBack.Decision { holdBack.withLock { $0.changed(snapshot) } }
  func toldAnyway(_ snapshot: PlayerSnapshot) { holdBack.withLock { $0.toldAnyway(snapshot) } }
  func readable(_ snapshot: PlayerSnapshot) -> PlayerSnapshot { holdBack.withLock { $0.readable(snapshot) } }
}
