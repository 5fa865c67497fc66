public import Foundation
import GstPlayer

/// Media at a URL: its duration, tracks, metadata and chapters.
///
/// All properties are loaded together, once, when one of them is needed, without playback. Apple's synchronous properties block
/// until they are loaded; here they have an empty value until then. Safe to use from any isolation.
///
/// <https://developer.apple.com/documentation/avfoundation/avasset>
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {  // the loader has a lock
  let loader: AVAssetLoader

  /// The absolute URI of the media.
  var uri: String { loader.uri }

  /// Makes an asset; the URL is opened when a property is loaded or the asset is played.
  public init(url URL: URL) { loader = AVAssetLoader(uri: URL.absoluteString, headers: .success(nil)) }

  init(uri: String, headers: Result<HTTPRequestHeaders?, PlayerError>) {
    loader = AVAssetLoader(uri: uri, headers: headers)
  }

  /// The error of invalid HTTP headers; nil if they are valid.
  var headersError: PlayerError? {
    if case .failure(let error) = loader.headers { error } else { nil }
  }

  /// Returns an item of a `Player` for a range of the media.
  ///
  /// With invalid headers, the item does not send a request, and fails when it becomes current.
  func playerItem(start: Duration, end: Duration?) -> Player.Item {
    switch loader.headers {
    case .success(nil): Player.Item(uri: uri, externalMetadata: nil, start: start, end: end)
    case .success(let headers?): Player.Item(uri: uri, httpHeaders: headers, start: start, end: end)
    case .failure: Player.Item(uri: "invalid-headers:")
    }
  }

  /// Returns the asset itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Cancels the load of properties for all callers, with ``AVError/Code/operationCancelled``.
  public func cancelLoading() { loader.cancel() }

  /// Returns the description, and loads it if necessary.
  func description() async throws -> MediaDescription {
    try await loader.answer().mapError { $0.foundationError(about: uri) }.get()
  }

  // MARK: AVAsynchronousKeyValueLoading

  /// Returns the state of the asset, whatever the key.
  public func statusOfValue(
    forKey key: String, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVKeyValueStatus {
    switch loader.phase {
    case .idle: return .unknown
    case .loading: return .loading
    case .done(.success): return .loaded
    case .done(.failure(let error)):
      unsafe outError?.pointee = error.foundationError(about: uri) as NSError
      return error == AVAssetLoader.cancellation ? .cancelled : .failed
    }
  }

  /// Loads all properties, and calls `handler` on any thread.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    loader.load { _ in handler?() }
  }
}

/// An asset of a URL.
///
/// <https://developer.apple.com/documentation/avfoundation/avurlasset>
open class AVURLAsset: AVAsset, @unchecked Sendable {  // immutable
  /// The URL of the media.
  public let url: URL

  /// Makes an asset; the URL is opened when a property is loaded or the asset is played.
  ///
  /// - Parameters:
  ///   - URL: An absolute URL of a file, or of any scheme that can be played.
  ///   - options: Of ``AVURLAssetHTTPUserAgentKey`` and `"AVURLAssetHTTPHeaderFieldsKey"`, the values are sent with the
  ///     HTTP requests; if one is invalid, playback and loading fail with an error that names the header. Other options
  ///     are ignored: the duration is always as precise as the media permits.
  public init(url URL: URL, options: [String: Any]? = nil) {
    url = URL
    let headers = Result { () throws(PlayerError) in try HTTPRequestHeaders.of(options ?? [:]) }
    super.init(uri: URL.absoluteString, headers: headers)
  }
}
