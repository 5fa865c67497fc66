/// A picture type that desktops can show, detected by the first bytes, because names and tags can be wrong.
enum PictureType: String, CaseIterable {
  case jpeg = "jpg"
  case png, webp, gif

  /// Detects the type; nil if it is none of these.
  init?(_ bytes: [UInt8]) {
    guard let type = Self.allCases.first(where: { $0.matches(bytes) }) else { return nil }
    self = type
  }

  private func matches(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    case .gif: bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
    }
  }
}
