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
  /// The number of items that are remembered as failed or rejected.
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

  init(_ state: borrowing PlayerCore.State, _ snapshot: Player.Snapshot) {
    self.snapshot = snapshot
    violations = state.machine.violations
    wake = state.wake
    pendingSeeks = state.seeks.count
    pendingPreparations = state.preparations.count
    observers = state.observerRegistry.count
    successors = state.machine.loaded.gaplessQueue.count
    failedItems = max(state.machine.skip.failed.count, state.machine.current.rejectedSuccessors.count)
    isReady = state.machine.phase.isReady
    isFading = state.machine.fade.wake != nil
    isSeeking = state.machine.loaded.isSeeking
    isAdvancing = state.machine.timebase.isRunning
    (playbackRun, runStart) = state.machine.timebase.playbackRun
    stream = state.machine.token.number
  }
}

extension Player {
  /// The inner state of the player; reading it changes nothing.
  package var inspection: PlayerInspection { core.inspection }

  /// The latest inputs, if ``Player/Configuration/recordsInputs`` is set; nil if there are none.
  package var recording: PlaybackRecording? { core.recording }
}
