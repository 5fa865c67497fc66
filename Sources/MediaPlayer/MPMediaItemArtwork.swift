public import AVFoundation

/// The picture of an item, as an encoded file.
///
/// Linux has no `UIImage`: a picture is `Data` in a format such as JPEG or PNG, or a URL. Clients scale it themselves, so the
/// handler is called once, with the size that it was created with.
/// <https://developer.apple.com/documentation/mediaplayer/mpmediaitemartwork>
public final class MPMediaItemArtwork: NSObject, @unchecked Sendable {  // immutable; handlers run on the main queue
  enum Source {
    case url(URL)
    case data(Data)
    case handler((CGSize) -> Data?)
  }

  /// The size of the picture; zero if it was created from data or from a URL.
  public let bounds: CGRect
  let source: Source

  /// Creates the picture from a closure that returns the encoded picture; nil for none.
  ///
  /// Apple's closure returns a `UIImage`.
  public init(boundsSize: CGSize, requestHandler: @escaping (CGSize) -> Data?) {
    bounds = CGRect(origin: .zero, size: boundsSize)
    source = .handler(requestHandler)
  }

  /// Creates the picture from an encoded one; an addition to Apple's interface.
  public init(data: Data) {
    bounds = .zero
    source = .data(data)
  }

  /// Creates the picture from the URL of a file or of a server, which clients load; an addition to Apple's interface.
  public init(contentsOf url: URL) {
    bounds = .zero
    source = .url(url)
  }

  /// Returns the encoded picture; nil if there is none, and for the URL of a server.
  public func image(at size: CGSize) -> Data? {
    switch source {
    case .url(let url): url.isFileURL ? try? Data(contentsOf: url) : nil
    case .data(let data): data
    case .handler(let handler): handler(size)
    }
  }
}
