import Dispatch
import Playback
import Synchronization

/// A watchdog for calls into GStreamer that do not return in time; it uses no resources without a pending call.
final class PipelineWatchdog: Sendable {
  /// A pending call.
  struct Ticket: Hashable, Sendable { fileprivate var number: UInt64 }

  private struct Pending {
    var limit: Duration
    var deadline: MonotonicTime
    var overdue: @Sendable () -> Bool
  }

  private struct State {
    var pending: [Ticket: Pending] = [:]
    var last: UInt64 = 0
    var isHeld = false
  }

  private let state = Mutex(State())
  private let timer: WakeTimer

  /// Makes a watchdog that calls back on `queue`.
  init(queue: DispatchQueue) { timer = WakeTimer(queue: queue) }

  /// Registers a call; if it takes longer than `limit`, `overdue` is called, and again after each further `limit` until it
  /// returns true.
  func expect(within limit: Duration, overdue: @escaping @Sendable () -> Bool) -> Ticket {
    state.withLock { state in
      state.last += 1
      let ticket = Ticket(number: state.last)
      state.pending[ticket] = Pending(limit: limit, deadline: .now + limit, overdue: overdue)
      arm(state)
      return ticket
    }
  }

  /// Removes a call that has returned.
  func done(_ ticket: Ticket) {
    state.withLock { state in
      if state.pending.removeValue(forKey: ticket) != nil { arm(state) }
    }
  }

  /// Suspends all time limits until ``release()``, because the first start of GStreamer may take long.
  func hold() {
    state.withLock { state in
      state.isHeld = true
      arm(state)
    }
  }

  /// Resumes the time limits; every pending call gets its full time again.
  func release() {
    state.withLock { state in
      guard state.isHeld else { return }
      state.isHeld = false
      let now = MonotonicTime.now
      for (ticket, call) in state.pending { state.pending[ticket]?.deadline = now + call.limit }
      arm(state)
    }
  }

  /// Removes all calls.
  func reset() {
    state.withLock { state in
      state.pending = [:]
      arm(state)
    }
  }

  private func arm(_ state: borrowing State) {
    let first = state.isHeld ? nil : state.pending.values.map(\.deadline).min()
    timer.set(first) { [weak self] in self?.look() }
  }

  private func look() {
    let late: [(ticket: Ticket, overdue: @Sendable () -> Bool)] = state.withLock { state in
      guard !state.isHeld else { return [] }
      let now = MonotonicTime.now
      let late = state.pending.filter { $0.value.deadline <= now }
      for (ticket, call) in late { state.pending[ticket]?.deadline = now + call.limit }
      arm(state)
      return late.sorted { $0.key.number < $1.key.number }.map { ($0.key, $0.value.overdue) }
    }
    for call in late where call.overdue() { done(call.ticket) }
  }
}
