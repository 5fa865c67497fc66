import Synchronization

/// The time of servers whose connections send as fast as a test advances it.
public final class DeliveryClock: Sendable {
  /// The speed of a response, and its pause.
  public struct Pace: Sendable {
    /// The bytes that each connection sends at once.
    public var burst: Int
    /// The bytes per second after the burst.
    public var speed: Double
    /// The offset in the content at which the response pauses; nil for none.
    ///
    /// It pauses once for each request of the whole content.
    public var stallsAt: Int?
    /// The length of the pause in nanoseconds.
    public var stall: Int64

    /// Creates a pace, by default one without a pause.
    public init(burst: Int, speed: Double, stallsAt: Int? = nil, stall: Int64 = 0) {
      (self.burst, self.speed, self.stallsAt, self.stall) = (burst, speed, stallsAt, stall)
    }
  }

  private struct Delivery {
    let pace: Pace
    let first: Int
    let start: Int64
    let wake: @Sendable () -> Void
    /// The offset at which the connection waits; nil while it sends.
    var waitsAt: Int?

    /// Returns the offset up to which the connection may send at an instant.
    func limit(at now: Int64) -> Int {
      var elapsed = now - start
      if let place = pace.stallsAt, first < place {
        let reached = Int64((Double(max(0, place - first - pace.burst)) / pace.speed * 1e9).rounded(.up))
        if elapsed >= reached { elapsed = max(reached, elapsed - pace.stall) }
        if elapsed <= reached { return min(place, sent(in: elapsed)) }
      }
      return sent(in: elapsed)
    }

    private func sent(in time: Int64) -> Int { first + pace.burst + Int(Double(time) / 1e9 * pace.speed) }

    /// Returns the instant at which the pause ends; nil if the connection does not pause.
    func pauseEnd(at now: Int64) -> Int64? {
      guard let place = pace.stallsAt, first < place, limit(at: now) == place else { return nil }
      return start + Int64((Double(max(0, place - first - pace.burst)) / pace.speed * 1e9).rounded(.up)) + pace.stall
    }
  }

  private struct State {
    var now: Int64
    var count = 0
    var deliveries: [Int: Delivery] = [:]
    /// The URIs whose pause is over until their whole content is requested again.
    var hasStalled: Set<String> = []
  }

  /// The interval in which a connection sends, in nanoseconds.
  private static let interval: Int64 = 50_000_000

  private let state: Mutex<State>

  /// Creates a clock that stands at an instant in nanoseconds.
  public init(now: Int64) { state = Mutex(State(now: now)) }

  /// The next instant at which a connection sends; nil if none waits.
  public var next: Int64? {
    state.withLock { state in
      let now = state.now
      return state.deliveries.values.filter { $0.waitsAt != nil }.map { delivery in
        delivery.pauseEnd(at: now).map { max($0, now + 1_000_000) } ?? now + Self.interval
      }.min()
    }
  }

  /// Advances the clock, and wakes the connections that may send.
  public func advance(to instant: Int64) {
    let wakes = state.withLock { state in
      state.now = max(state.now, instant)
      return state.deliveries.values.filter { delivery in
        delivery.waitsAt.map { $0 < delivery.limit(at: state.now) } ?? false
      }.map(\.wake)
    }
    for wake in wakes { wake() }
  }

  // MARK: For a connection

  /// Registers a connection that sends the content from an offset on; `wake` ends its wait.
  func begin(_ pace: Pace, path: String, from first: Int, wake: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.count += 1
      var pace = pace
      if first == 0 { state.hasStalled.remove(path) }
      if state.hasStalled.contains(path) { pace.stallsAt = nil }
      state.deliveries[state.count] = Delivery(pace: pace, first: first, start: state.now, wake: wake)
      return state.count
    }
  }

  /// Returns the offset up to which a connection may send; one that has nothing to send waits then.
  func limit(of number: Int, at place: Int, path: String) -> Int {
    state.withLock { state in
      guard let delivery = state.deliveries[number] else { return place }
      let limit = delivery.limit(at: state.now)
      if let stall = delivery.pace.stallsAt, place >= stall { state.hasStalled.insert(path) }
      state.deliveries[number]?.waitsAt = limit > place ? nil : place
      return limit
    }
  }

  /// Removes a connection.
  func end(_ number: Int) { state.withLock { $0.deliveries[number] = nil } }
}
