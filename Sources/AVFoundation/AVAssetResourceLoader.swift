public import Dispatch
public import Foundation
import Synchronization

/// The methods of the delegate of a resource loader.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetresourceloaderdelegate>
@preconcurrency
public protocol AVAssetResourceLoaderDelegate: NSObjectProtocol {
  /// Called when data is needed; returns whether the delegate provides it, now or later.
  func resourceLoader(
    _ resourceLoader: AVAssetResourceLoader,
    shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
  ) -> Bool

  /// Called when the data of a request is not needed any more.
  func resourceLoader(
    _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest)
}

extension AVAssetResourceLoaderDelegate {
  /// Returns false: the delegate does not provide the data.
  public func resourceLoader(
    _ resourceLoader: AVAssetResourceLoader,
    shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
  ) -> Bool { false }

  /// Does nothing.
  public func resourceLoader(
    _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
  ) {}
}

/// Provides the data of an asset with a scheme of the program's own, such as `cache:`.
///
/// The player reads the data from a socket of the loopback interface, at an address that contains a secret.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetresourceloader>
open class AVAssetResourceLoader: NSObject, @unchecked Sendable {  // `state` is a lock
  private struct State {
    var delegate = WeakDelegate()
    var queue: DispatchQueue?
    var server: ResourceServer?
  }

  /// The delegate, which is only called on its queue.
  private struct WeakDelegate: @unchecked Sendable {  // the reference is only read, under the lock of the state
    weak var delegate: (any AVAssetResourceLoaderDelegate)?
  }

  /// The schemes that the player reads without a delegate.
  private static let ownSchemes: Set = ["file", "http", "https"]

  let url: URL
  private let loader: AVAssetLoader
  private let state = Mutex(State())

  init(_ url: URL, _ loader: AVAssetLoader) {
    self.url = url
    self.loader = loader
  }

  /// Sets the delegate, which is not retained, and the serial queue on which it is called; nil for the main queue.
  ///
  /// Call it before the asset is loaded or played. The delegate is not called for the schemes `file`, `http` and `https`.
  open func setDelegate(_ delegate: (any AVAssetResourceLoaderDelegate)?, queue delegateQueue: DispatchQueue?) {
    let reference = WeakDelegate(delegate: delegate)
    let needsServer = state.withLock { state in
      (state.delegate, state.queue) = (reference, delegateQueue)
      return delegate != nil && state.server == nil
    }
    guard needsServer, !Self.ownSchemes.contains(url.scheme?.lowercased() ?? "") else { return }
    // Without a socket, the asset fails as one of an unknown scheme.
    guard let server = ResourceServer(named: url.lastPathComponent, for: self) else { return }
    state.withLock { $0.server = server }
    loader.uri = server.uri
  }

  /// The delegate.
  open var delegate: (any AVAssetResourceLoaderDelegate)? { state.withLock { $0.delegate }.delegate }

  /// The queue on which the delegate is called; nil for the main queue.
  open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// Passes a request to the delegate; `refused` is called if it does not provide the data.
  func begin(_ request: AVAssetResourceLoadingRequest, refused: @escaping @Sendable () -> Void) {
    (delegateQueue ?? .main).async { [self] in
      guard let delegate, delegate.resourceLoader(self, shouldWaitForLoadingOfRequestedResource: request) else {
        return refused()
      }
    }
  }

  /// Cancels a request, unless it has finished.
  func cancel(_ request: AVAssetResourceLoadingRequest) {
    guard request.cancel() else { return }
    (delegateQueue ?? .main).async { [self] in delegate?.resourceLoader(self, didCancel: request) }
  }
}
