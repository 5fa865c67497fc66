import Synchronization

/// The error of a ``deadline(_:_:_:)`` whose body did not return in time.
public struct DeadlineExceeded: Error, CustomStringConvertible {
  /// The limit, in seconds.
  public let seconds: Double
  /// The expectation, as given by the caller.
  public let expectation: String

  /// One line for the failure report.
  public var description: String { "timed out after \(seconds) s: \(expectation)" }
}

/// The factor for a loaded machine: many tests run at once, and the caches may be cold.
private let patience = 5.0

/// Runs `body` and throws ``DeadlineExceeded`` if it has not returned in time.
///
/// The limit is `seconds`, times the factor for a loaded machine.
///
/// This is a watchdog and not a delay: it costs no time when the body returns. A late body is cancelled and has one
/// more second to unwind. A body that ignores cancellation is abandoned, so that a hung wait fails its test and
/// not the whole run.
@discardableResult
public func deadline<T: Sendable>(
  _ seconds: Double, _ expectation: String = "the body returns", _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
  let outcome = Outcome<T>()
  let exceeded = DeadlineExceeded(seconds: seconds * patience, expectation: expectation)
  let work = Task {
    do { outcome.settle(.success(try await body())) } catch { outcome.settle(.failure(error)) }
  }
  let watchdog = Task {
    try await Task.sleep(for: .seconds(seconds * patience))  // watchdog
    outcome.expire(with: exceeded)
    work.cancel()
    try await Task.sleep(for: .seconds(1))  // watchdog
    outcome.settle(.failure(exceeded))
  }
  defer { watchdog.cancel() }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { outcome.deliver(to: $0) }
  } onCancel: {
    work.cancel()
  }
}

/// The first of several results, passed to one waiter.
private final class Outcome<T: Sendable>: Sendable {
  private struct State {
    var result: Result<T, any Error>?
    var expiry: (any Error)?
    var waiter: CheckedContinuation<T, any Error>?
  }
  private let state = Mutex(State())

  /// Makes `error` the result of the body from now on, because the watchdog cancels it.
  func expire(with error: any Error) {
    state.withLock { $0.expiry = error }
  }

  func settle(_ result: Result<T, any Error>) {
    let waiter = state.withLock { state -> CheckedContinuation<T, any Error>? in
      guard state.result == nil else { return nil }
      // A wait that ends by cancellation returns as if its condition had been met.
      state.result = state.expiry.map(Result.failure) ?? result
      defer { state.waiter = nil }
      return state.waiter
    }
    if let waiter { deliver(to: waiter) }
  }

  func deliver(to waiter: CheckedContinuation<T, any Error>) {
    let result = state.withLock { state -> Result<T, any Error>? in
      if state.result == nil { state.waiter = waiter }
      return state.result
    }
    if let result { waiter.resume(with: result) }
  }
}
