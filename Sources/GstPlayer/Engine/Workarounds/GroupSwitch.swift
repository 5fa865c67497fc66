import CGst
import Dispatch
import Synchronization

/// Keeps a switch of playbin to its next source group from overlapping a change of playbin to READY or NULL.
///
/// When a stream has been read to its end, its decoder emits `drained` on a streaming thread. In its handler, playbin
/// requests the successor, removes the decoder, and starts the decoder of the successor. playbin of GStreamer 1.22
/// protects the other handlers from a shutdown, but not this one. A shutdown at the same time releases the pads of the
/// decoder a second time, which ends the process, or the thread waits for itself while it stops its own decoder.
///
/// The streaming thread never waits: its switch is refused while playbin is shut down. A shutdown waits for a switch in
/// progress, whose duration is that of opening the source of the successor.
///
/// It can go when playbin protects its `drained` handler from a shutdown.
final class GroupSwitch: Sendable {
  private struct State {
    var isAllowed = true
    var runningCount = 0
    /// The shutdown that waits for the running switches.
    var shutdown: DispatchSemaphore?
  }

  private let state = Mutex(State())

  /// Guards the switches at the end of a decoder that was just added to its playbin, which connects its handler later.
  func watch(_ decoder: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.emitted("drained", by: decoder) { decoder in
      if !self.begin() { unsafe g_signal_stop_emission_by_name(decoder, "drained") }
    }
    unsafe Signal.emitted("drained", by: decoder, isLast: true) { _ in self.end() }
  }

  // MARK: On the executor

  /// Allows switches from now on.
  func allow() { state.withLock { $0.isAllowed = true } }

  /// Refuses switches from now on, and returns when none is in progress.
  func refuse() {
    let shutdown = state.withLock { state -> DispatchSemaphore? in
      state.isAllowed = false
      guard state.runningCount > 0 else { return nil }
      let shutdown = DispatchSemaphore(value: 0)
      state.shutdown = shutdown
      return shutdown
    }
    shutdown?.wait()
  }

  // MARK: On streaming threads

  /// Whether switches are allowed; false while playbin is shut down.
  var isAllowed: Bool { state.withLock { $0.isAllowed } }

  /// Starts a switch; returns false if it is refused.
  func begin() -> Bool {
    state.withLock { state in
      if state.isAllowed { state.runningCount += 1 }
      return state.isAllowed
    }
  }

  /// Ends a switch that ``begin()`` has started.
  func end() {
    state.withLock { state in
      state.runningCount -= 1
      if state.runningCount == 0 { state.shutdown.take()?.signal() }
    }
  }
}
