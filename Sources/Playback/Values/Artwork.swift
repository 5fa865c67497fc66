import Synchronization

/// A picture as it stands in an item; the counterpart of `AVMetadataItem` with `commonKeyArtwork`.
///
/// A copy shares its bytes.
public struct Artwork: Hashable, Sendable {
  private final class Storage: Sendable {
    let mimeType: String
    let bytes: [UInt8]
    let digest = Mutex<String?>(nil)

    init(mimeType: String, bytes: [UInt8]) {
      self.mimeType = mimeType
      self.bytes = bytes
    }
  }

  private let storage: Storage

  /// The largest picture that is kept, in bytes; an item with a larger one has none.
  public static let sizeLimit = 16 << 20

  /// The picture's MIME type as the item says it, such as `image/png`; not always true.
  public var mimeType: String { storage.mimeType }

  /// The encoded picture.
  public var bytes: [UInt8] { storage.bytes }

  /// Returns what `compute` makes of the bytes; every copy of the picture keeps the first result.
  package func digest(_ compute: ([UInt8]) -> String) -> String {
    storage.digest.withLock { digest in
      if let digest { return digest }
      let new = compute(storage.bytes)
      digest = new
      return new
    }
  }

  /// Makes a picture of its type and bytes.
  public init(mimeType: String, bytes: [UInt8]) { storage = Storage(mimeType: mimeType, bytes: bytes) }

  /// Whether the type and the bytes are the same.
  public static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage || one.mimeType == other.mimeType && one.bytes == other.bytes
  }

  /// Hashes the type and the size.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mimeType)
    hasher.combine(bytes.count)
  }
}
