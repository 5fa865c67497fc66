import Dispatch
import EngineProcess
import Playback
import PlayerClock
import Synchronization

/// Reports calls into GStreamer that do not return in time; uses no resources without a pending call.
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
    /// The tickets of the holds; while there are any, no call has a time limit.
    var holds: Set<Ticket> = []
    var last: UInt64 = 0

    mutating func makeTicket() -> Ticket {
      last += 1
      return Ticket(number: last)
    }
  }

  private let state = Mutex(State())
  private let timer: WakeTimer

  /// Makes a watchdog that calls back on `queue`.
  init(queue: DispatchQueue) { timer = WakeTimer(queue: queue) }

  /// Registers a call; if it takes longer than `limit`, `overdue` is called, and again after each further `limit` until it
  /// returns true.
  func expect(within limit: Duration, overdue: @escaping @Sendable () -> Bool) -> Ticket {
    change { state in
      let ticket = state.makeTicket()
      state.pending[ticket] = Pending(limit: limit, deadline: .now + limit, overdue: overdue)
      return ticket
    }
  }

  /// Removes a call that has returned.
  func done(_ ticket: Ticket) { change { $0.pending[ticket] = nil } }

  /// Suspends all time limits until ``release(_:)``, because the first start of GStreamer may take long.
  func hold() -> Ticket {
    change { state in
      let ticket = state.makeTicket()
      state.holds.insert(ticket)
      return ticket
    }
  }

  /// Ends a hold; after the last one, every pending call gets its full time again.
  func release(_ hold: Ticket) {
    change { state in
      guard state.holds.remove(hold) != nil, state.holds.isEmpty else { return }
      let now = MonotonicTime.now
      for (ticket, call) in state.pending { state.pending[ticket]?.deadline = now + call.limit }
    }
  }

  /// Removes all calls and holds.
  func reset() { change { ($0.pending, $0.holds) = ([:], []) } }

  /// Changes the state, and sets the timer to the first deadline.
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      let first = state.holds.isEmpty ? state.pending.values.map(\.deadline).min() : nil
      timer.set(first) { [weak self] in self?.checkDeadlines() }
      return result
    }
  }

  /// Reports the calls that are overdue.
  private func checkDeadlines() {
    let late: [Ticket: Pending] = change { state in
      guard state.holds.isEmpty else { return [:] }
      let now = MonotonicTime.now
      let late = state.pending.filter { $0.value.deadline <= now }
      for (ticket, call) in late { state.pending[ticket]?.deadline = now + call.limit }
      return late
    }
    for (ticket, call) in late.sorted(by: { $0.key.number < $1.key.number }) where call.overdue() { done(ticket) }
  }
}
