import Dispatch
import Foundation
import GstPlayer
import Synchronization

/// Loads an asset: one inspection for all its properties and all callers.
///
/// A failure is kept; after a cancellation, the next caller begins again.
final class AVAssetLoader: Sendable {
  typealias Answer = Result<MediaDescription, PlayerError>
  typealias Completion = @Sendable (Answer) -> Void

  enum Phase: Sendable {
    case idle
    /// The inspection of this identity runs; the answer of an earlier one is ignored.
    case loading(UUID)
    /// A later caller gets the same answer, or begins again if all callers were cancelled.
    case done(Answer)
  }

  private struct State {
    var phase = Phase.idle
    /// The completions of the callers that wait.
    var waiters: [UUID: Completion] = [:]
    /// Cancels the running inspection.
    var cancel: (@Sendable () -> Void)?
    /// The description of an item that is ready to play, and the number of its revision.
    var playing: (description: MediaDescription, revision: UInt64)?
  }

  /// The inspector of all assets.
  private static let inspector = MediaInspector(concurrencyLimit: 4, timeout: .seconds(30))
  static let cancellation = PlayerError(code: .cancelled, message: "loading was cancelled")

  /// The URI that is opened; the URI of the delegate's data after a resource loader has it.
  var uri: String {
    get { location.withLock { $0 } }
    set { location.withLock { $0 = newValue } }
  }
  private let location: Mutex<String>
  /// The headers of the HTTP requests; nil for the engine's own, or the error of an invalid one.
  let headers: Result<HTTPRequestHeaders?, PlayerError>
  private let state = Mutex(State())

  init(uri: String, headers: Result<HTTPRequestHeaders?, PlayerError>) {
    location = Mutex(uri)
    self.headers = headers
  }

  var phase: Phase { state.withLock { $0.phase } }

  /// The description; nil until it is loaded.
  var description: MediaDescription? {
    guard case .done(.success(let description)) = phase else { return nil }
    return description
  }

  /// The description of an item of the asset that is ready to play; nil if there was none.
  var playing: MediaDescription? { state.withLock { $0.playing?.description } }

  /// Stores the description of an item of the asset that is ready to play.
  func setPlaying(_ description: @autoclosure () -> MediaDescription, revision: UInt64) {
    state.withLock { if $0.playing?.revision != revision { $0.playing = (description(), revision) } }
  }

  /// Blocks until the description is loaded; nil if it cannot be loaded.
  ///
  /// The inspection has a separate thread and time limit.
  func waitForDescription() -> MediaDescription? {
    let loaded = DispatchSemaphore(value: 0)
    load { _ in loaded.signal() }
    loaded.wait()
    return description
  }

  /// Waits for the answer; the error is `cancelled` as soon as the task is cancelled.
  func answer() async -> Answer {
    let caller = UUID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        load(for: caller, isWithdrawn: Task.isCancelled) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      withdraw(caller)
    }
  }

  /// Cancels the load for all callers; does nothing unless the asset is being loaded.
  func cancel() { settle(nil, .failure(Self.cancellation)) }

  // MARK: Callers

  /// Calls `completion` with the answer, now or on any thread.
  func load(
    for caller: UUID = UUID(), isWithdrawn: @autoclosure () -> Bool = false, _ completion: @escaping Completion
  ) {
    let (answer, inspection) = state.withLock { state -> (Answer?, UUID?) in
      // Read under the lock: a task that is cancelled after this finds its completion in `withdraw`.
      if isWithdrawn() { return (.failure(Self.cancellation), nil) }
      if case .done(let answer) = state.phase, answer != .failure(Self.cancellation) { return (answer, nil) }
      state.waiters[caller] = completion
      if case .loading = state.phase { return (nil, nil) }
      let inspection = UUID()
      state.phase = .loading(inspection)
      return (nil, inspection)
    }
    if let answer { completion(answer) }
    if let inspection { begin(inspection) }
  }

  private func withdraw(_ caller: UUID) {
    let (waiter, cancel) = state.withLock { state -> (Completion?, (@Sendable () -> Void)?) in
      guard let waiter = state.waiters.removeValue(forKey: caller) else { return (nil, nil) }
      // The last caller ends the inspection.
      guard state.waiters.isEmpty else { return (waiter, nil) }
      state.phase = .idle
      return (waiter, state.cancel.take())
    }
    cancel?()
    waiter?(.failure(Self.cancellation))
  }

  // MARK: The inspection

  private func begin(_ inspection: UUID) {
    let cancel: @Sendable () -> Void
    switch headers {
    case .success(let headers):
      cancel = Self.inspector.begin(uri, headers: headers) { self.settle(inspection, $0) }
    case .failure(let error): return settle(inspection, .failure(error))
    }
    let isWanted = state.withLock { state in
      guard case .loading(inspection) = state.phase else { return false }
      state.cancel = cancel
      return true
    }
    if !isWanted { cancel() }
  }

  /// Ends the inspection of an identity, nil for any, with the answer for all callers.
  private func settle(_ inspection: UUID?, _ answer: Answer) {
    let (cancel, waiters) = state.withLock { state -> ((@Sendable () -> Void)?, [UUID: Completion]) in
      guard case .loading(let running) = state.phase, running == inspection ?? running else { return (nil, [:]) }
      defer { state.waiters = [:] }
      state.phase = .done(answer)
      return (state.cancel.take(), state.waiters)
    }
    // Without effect on an inspection that has ended.
    cancel?()
    for waiter in waiters.values { waiter(answer) }
  }
}
