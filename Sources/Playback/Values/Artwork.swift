import Synchronization

extension MediaMetadata {
  /// An embedded picture of an item; the counterpart of `AVMetadataItem` with `commonKeyArtwork`.
  ///
  /// Copies share the bytes.
  public struct Artwork: Hashable, Sendable {
    private final class Storage: Codable, Sendable {
      let mimeType: String
      let bytes: [UInt8]
      let digest = Mutex<String?>(nil)

      private enum CodingKeys: CodingKey { case mimeType, bytes }

      init(mimeType: String, bytes: [UInt8]) {
        self.mimeType = mimeType
        self.bytes = bytes
      }
    }

    private let storage: Storage

    /// The maximum size of a picture in bytes; larger ones are dropped.
    package static let sizeLimit = 16 << 20

    /// The picture's MIME type according to the item, such as `image/png`; it may be wrong.
    public var mimeType: String { storage.mimeType }

    /// The encoded picture.
    public var bytes: [UInt8] { storage.bytes }

    /// Returns the result of `compute` for the bytes; all copies of the picture share the first result.
    package func digest(_ compute: ([UInt8]) -> String) -> String {
      storage.digest.withLock { digest in
        if let digest { return digest }
        let new = compute(storage.bytes)
        digest = new
        return new
      }
    }

    /// Creates a picture from its type and bytes.
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
}

extension MediaMetadata.Artwork: Codable {
  /// Decodes the type and the bytes.
  public init(from decoder: any Decoder) throws { storage = try Storage(from: decoder) }

  /// Encodes the type and the bytes.
  public func encode(to encoder: any Encoder) throws { try storage.encode(to: encoder) }
}
