public import Foundation
import GstPlayer

/// An asset of a URL.
///
/// <https://developer.apple.com/documentation/avfoundation/avurlasset>
open class AVURLAsset: AVAsset, @unchecked Sendable {  // immutable
  /// The URL of the media.
  open var url: URL { mediaURL }
  private let mediaURL: URL
  /// Provides the data of a URL with a scheme of the program's own, by a delegate.
  open private(set) var resourceLoader: AVAssetResourceLoader

  /// Makes an asset; the URL is opened when a property is loaded or the asset is played.
  ///
  /// - Parameters:
  ///   - URL: An absolute URL of a file, or of any scheme that can be played.
  ///   - options: Of ``AVURLAssetHTTPUserAgentKey`` and `"AVURLAssetHTTPHeaderFieldsKey"`, the values are sent with the
  ///     HTTP requests; if one is invalid, playback and loading fail with an error that names the header. Other options
  ///     are ignored: the duration is always as precise as the media permits.
  public init(url URL: URL, options: [String: Any]? = nil) {
    mediaURL = URL
    let headers = Result { () throws(PlayerError) in try HTTPRequestHeaders.of(options ?? [:]) }
    let loader = AVAssetLoader(uri: URL.absoluteString, headers: headers)
    resourceLoader = AVAssetResourceLoader(URL, loader)
    super.init(loader)
  }

  /// Whether the asset needs keys; always false, because protected content cannot be played.
  open var mayRequireContentKeysForMediaDataProcessing: Bool { false }
}

/// An object whose initializer returns an object of a subclass.
protocol AVAssetMaking {}

extension AVAssetMaking {
  /// Returns an object that was made already.
  init(made asset: AVURLAsset) {
    // The initializer that calls this one is not inherited, so `Self` is `AVAsset`.
    self = unsafe unsafeBitCast(asset as AVAsset, to: Self.self)
  }
}
