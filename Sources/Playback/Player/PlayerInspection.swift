/// The state of a player that the simulation checks and that readers do not see.
package struct PlayerInspection: Sendable {
  /// The snapshot as of the last decision; unlike a reader, it does not request a measurement.
  package var snapshot: Player.Snapshot
  /// The violated rules between the parts of the machine; empty in a correct program.
  package var violations: [String]
  /// The instant at which the player has asked to be woken up.
  package var wake: MonotonicTime?
  /// The number of callers that wait for a seek.
  package var pendingSeeks: Int
  /// The number of callers that wait for the item to be ready.
  package var pendingPreparations: Int
  /// The number of registered observers and readers of events.
  package var observers: Int
  /// The number of gapless successors.
  package var successors: Int
  /// The number of items that are remembered as failed.
  package var failedItems: Int
  /// Whether the current item is ready in the engine.
  package var isReady: Bool
  /// Whether a pause or a stop fades out.
  package var isFading: Bool
  /// Whether the engine carries out a seek.
  package var isSeeking: Bool
  /// Whether the position advances.
  package var isAdvancing: Bool
  /// The number of the current run of uninterrupted playback.
  package var playbackRun: UInt64
  /// The position at which this run began.
  package var runStart: Duration
  /// The stream of the current item; 0 for none.
  package var stream: UInt64
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
