import Foundation
import GstPlayer
import Synchronization

/// The loading of an asset: one inspection for all its properties and all callers.
///
/// A failure is kept; after a cancellation, the next caller begins again.
final class AVAssetLoader: Sendable {
  typealias Answer = Result<MediaDescription, PlayerError>

  enum Phase: Sendable {
    case idle, loading
    case done(Answer)
    /// Cancelled for all callers.
    case cancelled
  }

  private struct State {
    var phase = Phase.idle
    /// The callers that wait; nil until they have registered their completion.
    var waiters: [UInt64: (@Sendable (Answer) -> Void)?] = [:]
    var lastNumber: UInt64 = 0
    /// The number of the inspection; an earlier one has no effect.
    var inspection: UInt64 = 0
    /// Cancels the running inspection.
    var cancel: (@Sendable () -> Void)?
  }

  /// The inspector of all assets.
  private static let inspector = MediaInspector(concurrencyLimit: 4, timeout: .seconds(30))
  static let cancellation = PlayerError(code: .cancelled, message: "loading was cancelled")

  let uri: String
  /// The headers of the HTTP requests; nil for the engine's own, or the error of an invalid one.
  let headers: Result<HTTPRequestHeaders?, PlayerError>
  private let state = Mutex(State())

  init(uri: String, headers: Result<HTTPRequestHeaders?, PlayerError>) {
    self.uri = uri
    self.headers = headers
  }

  var phase: Phase { state.withLock { $0.phase } }

  /// The description; nil until it is loaded.
  var description: MediaDescription? {
    guard case .done(.success(let description)) = phase else { return nil }
    return description
  }

  /// Waits for the answer; the error is `cancelled` as soon as the task is cancelled.
  func answer() async -> Answer {
    let number = enter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        register(number) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      withdraw(number)
    }
  }

  /// Calls `completion` with the answer, now or on any thread.
  func load(_ completion: @escaping @Sendable (Answer) -> Void) { register(enter(), completion) }

  /// Cancels the load for all callers; has no effect if nothing is being loaded.
  func cancel() {
    let (cancel, waiters) = state.withLock { state in
      guard case .loading = state.phase else {
        return (cancel: (@Sendable () -> Void)?.none, waiters: [@Sendable (Answer) -> Void]())
      }
      state.phase = .cancelled
      return (state.cancel.take(), Self.takeWaiters(&state))
    }
    cancel?()
    for waiter in waiters { waiter(.failure(Self.cancellation)) }
  }

  // MARK: Callers

  private func enter() -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      state.waiters.updateValue(nil, forKey: state.lastNumber)
      return state.lastNumber
    }
  }

  private func register(_ number: UInt64, _ completion: @escaping @Sendable (Answer) -> Void) {
    let (answer, inspection) = state.withLock { state -> (Answer?, UInt64?) in
      // A withdrawn caller has no entry.
      guard state.waiters[number] != nil else { return (.failure(Self.cancellation), nil) }
      if case .done(let answer) = state.phase {
        state.waiters[number] = nil
        return (answer, nil)
      }
      state.waiters.updateValue(completion, forKey: number)
      if case .loading = state.phase { return (nil, nil) }
      state.phase = .loading
      state.inspection += 1
      return (nil, state.inspection)
    }
    if let answer { completion(answer) }
    if let inspection { begin(inspection) }
  }

  private func withdraw(_ number: UInt64) {
    let (waiter, cancel) = state.withLock { state -> ((@Sendable (Answer) -> Void)?, (@Sendable () -> Void)?) in
      guard let entry = state.waiters.removeValue(forKey: number) else { return (nil, nil) }
      // The last caller ends the inspection.
      guard case .loading = state.phase, state.waiters.isEmpty else { return (entry, nil) }
      state.phase = .idle
      return (entry, state.cancel.take())
    }
    cancel?()
    waiter?(.failure(Self.cancellation))
  }

  // MARK: The inspection

  private func begin(_ inspection: UInt64) {
    let cancel: @Sendable () -> Void
    switch headers {
    case .success(let headers):
      cancel = Self.inspector.begin(uri, headers: headers) { self.settle(inspection, $0) }
    case .failure(let error): return settle(inspection, .failure(error))
    }
    let isWanted = state.withLock { state in
      guard case .loading = state.phase, state.inspection == inspection else { return false }
      state.cancel = cancel
      return true
    }
    if !isWanted { cancel() }
  }

  private func settle(_ inspection: UInt64, _ answer: Answer) {
    let waiters = state.withLock { state in
      guard case .loading = state.phase, state.inspection == inspection else { return [@Sendable (Answer) -> Void]() }
      state.phase = .done(answer)
      state.cancel = nil
      return Self.takeWaiters(&state)
    }
    for waiter in waiters { waiter(answer) }
  }

  /// Removes and returns the registered callers; the others get the answer when they register.
  private static func takeWaiters(_ state: inout State) -> [@Sendable (Answer) -> Void] {
    let waiters = state.waiters.values.compactMap(\.self)
    state.waiters = state.waiters.filter { $0.value == nil }
    return waiters
  }
}
