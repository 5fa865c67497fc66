import Synchronization

/// An append-only record for many readers, each of which reads it from the beginning and then follows it.
///
/// A test cannot miss an element that was recorded before it began to wait.
public final class EventLog<Element: Sendable>: Sendable {
  /// One element and its index in the log.
  public struct Entry: Sendable {
    /// The index, from 0.
    public let index: Int
    /// The recorded element.
    public let element: Element
  }

  /// The error of a wait whose log ended without a matching element.
  public struct LogEnded: Error, CustomStringConvertible {
    /// The expectation, as given by the caller.
    public let expectation: String
    /// One line for the failure report.
    public var description: String { "the log ended without: \(expectation)" }
  }

  private struct State {
    var entries: [Entry] = []
    var finished = false
    var nextFollower = 0
    var followers: [Int: AsyncStream<Entry>.Continuation] = [:]
  }
  private let state = Mutex(State())

  /// Creates an empty log.
  public init() {}

  /// All elements recorded so far.
  public var elements: [Element] { state.withLock { $0.entries.map(\.element) } }

  /// The number of elements so far; also the start index for a wait for later elements.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Records `element`; does nothing after ``finish()``.
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

  /// Returns the entries at and after index `start`, past and future, until the log ends.
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

  /// Waits at most `seconds` for the first entry at or after index `start` that satisfies `predicate`.
  ///
  /// - Throws: ``DeadlineExceeded``, or ``LogEnded`` if the log ends without such an entry.
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
      throw LogEnded(expectation: expectation)
    }
  }
}
