/// A small picture, encoded without an image library.
enum CoverPicture {
  static let side = 32

  /// Returns a square PNG whose colour depends on `seed`; its pixels are stored without compression.
  static func png(seed: UInt8) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<side {
      rows.append(0)  // no filter
      for x in 0..<side { rows += [seed, UInt8(x * 8), UInt8(y * 8)] }
    }
    let length = UInt16(rows.count)
    let zlib: [UInt8] =
      [0x78, 0x01, 0x01, UInt8(length & 0xff), UInt8(length >> 8), UInt8(~length & 0xff), UInt8(~length >> 8)]
      + rows + bigEndian(adler32(rows))
    let header = bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk("IHDR", header) + chunk("IDAT", zlib) + chunk("IEND", [])
  }

  /// Returns the FLAC picture block that Ogg files carry in a comment.
  static func flacBlock(_ png: [UInt8]) -> [UInt8] {
    let mediaType = Array("image/png".utf8)
    return bigEndian(3) + bigEndian(UInt32(mediaType.count)) + mediaType + bigEndian(0)
      + bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + bigEndian(24) + bigEndian(0)
      + bigEndian(UInt32(png.count)) + png
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + content
    return bigEndian(UInt32(content.count)) + checked + bigEndian(crc32(checked))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
