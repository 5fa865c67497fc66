/// A picture type that desktops can show, detected by the first bytes, because names and tags can be wrong.
enum PictureType: String {
  case jpeg = "jpg"
  case png
  case webp
  case gif

  /// Detects the type; nil if it is none of these.
  init?(_ bytes: [UInt8]) {
    func has(_ signature: [UInt8], at index: Int = 0) -> Bool {
      bytes.dropFirst(index).starts(with: signature)
    }
    if has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
      self = .gif
    } else {
      return nil
    }
  }
}
