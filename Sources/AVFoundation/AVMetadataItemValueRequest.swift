public import Foundation
import Synchronization

/// A request for the value of an item that is loaded when it is needed.
///
/// A request that is released without a response fails with ``AVError/Code/operationCancelled``.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadataitemvaluerequest>
open class AVMetadataItemValueRequest: NSObject, @unchecked Sendable {  // immutable, except for the weak reference
  /// The item; nil after it was released.
  open private(set) weak var metadataItem: AVMetadataItem?
  private let loader: MetadataValueLoader

  init(for item: AVMetadataItem, _ loader: MetadataValueLoader) { (metadataItem, self.loader) = (item, loader) }

  deinit { loader.finish(metadataItem, .failure(AVError(.operationCancelled) as NSError)) }

  /// Responds with the value: a string, number, date or bytes; a later response is ignored.
  open func respond(value: any NSCopying & NSObjectProtocol) {
    loader.finish(metadataItem, .success(MetadataValue(value)))
  }

  /// Responds with an error; a later response is ignored.
  open func respond(error: any Error) { loader.finish(metadataItem, .failure(error as NSError)) }
}

/// Loads the value of an item once, by a handler of the program.
final class MetadataValueLoader: Sendable {
  private struct State {
    var status = AVKeyValueStatus.unknown
    var error: NSError?
    /// The completions of the callers that wait.
    var waiters: [@Sendable () -> Void] = []
  }

  private let handler: @Sendable (AVMetadataItemValueRequest) -> Void
  private let state = Mutex(State())

  init(_ handler: @escaping @Sendable (AVMetadataItemValueRequest) -> Void) { self.handler = handler }

  var status: (value: AVKeyValueStatus, error: NSError?) { state.withLock { ($0.status, $0.error) } }

  /// Loads the value of an item, and calls `completion` on the thread of the response.
  func load(_ item: AVMetadataItem, _ completion: @escaping @Sendable () -> Void) {
    let (isDone, isFirst) = state.withLock { state in
      let (isDone, isFirst) = (state.status == .loaded || state.status == .failed, state.status == .unknown)
      if isFirst { state.status = .loading }
      if !isDone { state.waiters.append(completion) }
      return (isDone, isFirst)
    }
    if isDone { completion() }
    if isFirst { handler(AVMetadataItemValueRequest(for: item, self)) }
  }

  /// Sets the value of the item, or the error, and calls the completions; does nothing after the first response.
  func finish(_ item: AVMetadataItem?, _ result: Result<MetadataValue?, NSError>) {
    let waiters = state.withLock { state -> [@Sendable () -> Void] in
      guard state.status == .loading else { return [] }
      switch result {
      case .success(let value):
        item?.write { ($0.value, $0.dataType) = (value, value?.dataType) }
        state.status = .loaded
      case .failure(let error): (state.status, state.error) = (.failed, error)
      }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter() }
  }
}

extension AVAsyncProperty where Root: AVMetadataItem {
  /// Makes a property of the value, which may have to be loaded; it has the name of the calling declaration.
  convenience init(_ name: String = #function, ofValue value: @escaping @Sendable (Root) -> Value) {
    self.init(
      name,
      status: { item in
        guard let (status, error) = item.loader?.status else { return .loaded(value(item)) }
        return switch status {
        case .unknown: .notYetLoaded
        case .loading: .loading
        case .loaded: .loaded(value(item))
        case .failed, .cancelled: .failed(error ?? AVError(.unknown) as NSError)
        }
      },
      value: { item in
        await item.loadValues(forKeys: [name])
        if let error = item.loader?.status.error { throw error }
        return value(item)
      })
  }
}
