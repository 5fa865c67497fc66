import Synchronization

/// An append-only record that many can read from its beginning and then follow live, so that a test never misses what
/// happened before it began to wait.
public final class EventLog<Element: Sendable>: Sendable {
  /// One element and its place in the order of all.
  public struct Entry: Sendable {
    /// The place, counted from 0.
    public let index: Int
    /// What was recorded.
    public let element: Element
  }

  /// The log ended with nothing that the waiter was looking for.
  public struct Ended: Error, CustomStringConvertible {
    /// What was waited for, in the caller's words.
    public let expectation: String
    /// One line for the failure report.
    public var description: String { "ended before: \(expectation)" }
  }

  private struct State {
    var entries: [Entry] = []
    var finished = false
    var nextFollower = 0
    var followers: [Int: AsyncStream<Entry>.Continuation] = [:]
  }
  private let state = Mutex(State())

  /// Makes an empty log.
  public init() {}

  /// Everything recorded so far.
  public var elements: [Element] { state.withLock { $0.entries.map(\.element) } }

  /// How many elements are recorded so far; also the place to wait from for "whatever comes next".
  public var count: Int { state.withLock { $0.entries.count } }

  /// Records `element`; ignored after ``finish()``.
  public func append(_ element: Element) {
    state.withLock { state in
      guard !state.finished else { return }
      let entry = Entry(index: state.entries.count, element: element)
      state.entries.append(entry)
      for follower in state.followers.values { follower.yield(entry) }
    }
  }

  /// Ends the log and every sequence that follows it.
  public func finish() {
    let followers = state.withLock { state in
      state.finished = true
      defer { state.followers = [:] }
      return Array(state.followers.values)
    }
    for follower in followers { follower.finish() }
  }

  /// A sequence of what is recorded at and after place `start`, past and future, ending with the log.
  public func entries(from start: Int = 0) -> AsyncStream<Entry> {
    AsyncStream { continuation in
      let follower = state.withLock { state -> Int? in
        for entry in state.entries.dropFirst(start) { continuation.yield(entry) }
        guard !state.finished else { return nil }
        state.nextFollower += 1
        state.followers[state.nextFollower] = continuation
        return state.nextFollower
      }
      guard let follower else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.followers.removeValue(forKey: follower) }
      }
    }
  }

  /// The first entry at or after place `start` that satisfies `predicate`, waited for at most `seconds`.
  ///
  /// - Throws: ``DeadlineExceeded``, or ``Ended`` when the log ends without one.
  @discardableResult
  public func first(
    _ expectation: String = "an entry", from start: Int = 0, within seconds: Double = 10,
    where predicate: @escaping @Sendable (Element) -> Bool = { _ in true }
  ) async throws -> Entry {
    try await deadline(seconds, expectation) {
      for await entry in self.entries(from: start) where entry.index >= start && predicate(entry.element) {
        return entry
      }
      try Task.checkCancellation()
      throw Ended(expectation: expectation)
    }
  }
}
