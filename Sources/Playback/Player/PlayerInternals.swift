/// The state of a player that the simulation checks and that readers do not see.
///
/// A class, because the checks after an event share one and keep the one before.
package final class PlayerInternals: Sendable {
  /// The snapshot as of the last decision; unlike a reader, it does not request a measurement.
  package let snapshot: Player.Snapshot
  private let machine: PlaybackMachine
  /// The violated rules between the parts of the machine; empty in a correct program.
  package var violations: [String] { machine.violations }
  /// The instant for which the player has requested a wake-up.
  package let wake: MonotonicTime?
  /// The number of callers that wait for a seek.
  package let pendingSeeks: Int
  /// The number of callers that wait for the item to be ready.
  package let pendingPreparations: Int
  /// The number of registered observers and readers of events.
  package let observers: Int
  /// The open streams of the items that follow, in playback order.
  package var successors: [UInt64] { machine.loaded.successors.map(\.token.number) }
  /// Whether the first of them overlaps with the current item.
  package var overlaps: Bool { machine.loaded.successors.first?.overlap.map { $0.length > .zero } ?? false }
  /// Whether the current item is ready in the engine.
  package var isReady: Bool { machine.phase.isReady }
  /// Whether a pause or a stop fades out.
  package var isFading: Bool { machine.fade.due != nil }
  /// Whether the engine carries out a seek.
  package var isSeeking: Bool { machine.loaded.isSeeking }
  /// Whether the position advances.
  package var isAdvancing: Bool { machine.timebase.isRunning }
  /// The number of the current run of uninterrupted playback.
  package var playbackRun: UInt64 { machine.timebase.playbackRun.number }
  /// The position at which this run began.
  package var runStart: Duration { machine.timebase.playbackRun.start }
  /// The instant of a scheduled start; nil if there is none.
  package var scheduledStart: MonotonicTime? { machine.scheduledStart?.instant }
  /// The stream of the current item; 0 for none.
  package var stream: UInt64 { machine.token.number }
  /// The stream of the item before, which overlaps with the current one; nil if there is none.
  package var outgoingStream: UInt64? { machine.outgoing?.token.number }
  /// The stream that a command has skipped, while it fades out; nil if there is none.
  package var skippedStream: UInt64? { machine.skipped?.token.number }
  /// The item that follows without a command; nil if there is none.
  package var follower: Player.Item? { machine.follower() }
  /// The lengths and the curve of crossfades.
  package var crossfade: Player.Crossfade { machine.settings.crossfade }

  init(
    _ snapshot: Player.Snapshot, _ machine: PlaybackMachine, wake: MonotonicTime?, seeks: Int, preparations: Int,
    observers: Int
  ) {
    (self.snapshot, self.machine, self.wake) = (snapshot, machine, wake)
    (pendingSeeks, pendingPreparations, self.observers) = (seeks, preparations, observers)
  }
}

extension Player {
  /// The inner state of the player; reading it changes nothing.
  package var internals: PlayerInternals { core.internals }

  /// The latest inputs, if ``Player/Configuration/recordsInputs`` is set; nil if there are none.
  package var recording: PlaybackRecording? { core.recording }
}
