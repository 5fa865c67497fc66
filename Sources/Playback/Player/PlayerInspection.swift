/// The state of a player that the simulation checks and that readers do not see.
///
/// A class, because the checks after an event share one and keep the one before.
package final class PlayerInspection: Sendable {
  /// The snapshot as of the last decision; unlike a reader, it does not request a measurement.
  package let snapshot: Player.Snapshot
  /// The violated rules between the parts of the machine; empty in a correct program.
  package let violations: [String]
  /// The instant at which the player has asked to be woken up.
  package let wake: MonotonicTime?
  /// The number of callers that wait for a seek.
  package let pendingSeeks: Int
  /// The number of callers that wait for the item to be ready.
  package let pendingPreparations: Int
  /// The number of registered observers and readers of events.
  package let observers: Int
  /// The number of gapless successors.
  package let successors: Int
  /// The number of items that are remembered as failed.
  package let failedItems: Int
  /// Whether the current item is ready in the engine.
  package let isReady: Bool
  /// Whether a pause or a stop fades out.
  package let isFading: Bool
  /// Whether the engine carries out a seek.
  package let isSeeking: Bool
  /// Whether the position advances.
  package let isAdvancing: Bool
  /// The number of the current run of uninterrupted playback.
  package let playbackRun: UInt64
  /// The position at which this run began.
  package let runStart: Duration
  /// The stream of the current item; 0 for none.
  package let stream: UInt64

  init(
    snapshot: Player.Snapshot, violations: [String], wake: MonotonicTime?, pendingSeeks: Int,
    pendingPreparations: Int, observers: Int, successors: Int, failedItems: Int, isReady: Bool, isFading: Bool,
    isSeeking: Bool, isAdvancing: Bool, playbackRun: UInt64, runStart: Duration, stream: UInt64
  ) {
    self.snapshot = snapshot
    self.violations = violations
    self.wake = wake
    self.pendingSeeks = pendingSeeks
    self.pendingPreparations = pendingPreparations
    self.observers = observers
    self.successors = successors
    self.failedItems = failedItems
    self.isReady = isReady
    self.isFading = isFading
    self.isSeeking = isSeeking
    self.isAdvancing = isAdvancing
    self.playbackRun = playbackRun
    self.runStart = runStart
    self.stream = stream
  }
}

extension Player {
  /// The inner state of the player; reading it changes nothing.
  package var inspection: PlayerInspection { core.inspection }

  /// The latest inputs, if ``Player/Configuration/recordsInputs`` is set; nil if there are none.
  package var recording: PlaybackRecording? { core.recording }
}

extension PlaybackMachine {
  /// The number of items that are remembered as failed or rejected.
  var failedCount: Int { max(skip.failed.count, current.rejectedSuccessors.count) }
}
