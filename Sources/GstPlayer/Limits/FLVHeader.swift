import Playback

/// The script tags of FLV files, whose objects `flvdemux` reads by recursion.
///
/// <https://rtmp.veriskope.com/pdf/video_file_format_spec_v10_1.pdf>
struct FLVHeader: HeaderSyntax {
  private static let script = 18

  func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    if bytes.starts(with: Array("FLV".prefix(bytes.count).utf8)) {
      guard let start = bytes.number(4, at: 5) else { return .needs(9) }
      return .skip(start + 4)
    }
    guard let head = bytes.number(4) else { return .needs(4) }
    // The size of the tag follows it, in four bytes.
    let size = 11 + head & 0xFF_FFFF
    return head >> 24 == Self.script ? .check(size, thenAt: size + 4) : .skip(size + 4)
  }

  func violation(in tag: ArraySlice<UInt8>) -> PlayerError? {
    // The tag contains the name of a function, as a string, and its argument.
    var rest = tag.dropFirst(12)
    guard Self.string(&rest) != nil else { return nil }
    var depth = 0
    var name: ArraySlice<UInt8>? = []
    while let isUnnamed = name?.isEmpty, let type = rest.popFirst() {
      switch type {
      case 0: rest = rest.dropFirst(8)
      case 1: rest = rest.dropFirst()
      case 2: if Self.string(&rest) == nil { return nil }
      case 3: depth += 1
      case 8:
        rest = rest.dropFirst(4)
        depth += 1
      case 9: if isUnnamed { depth -= 1 }
      case 10: if !Self.array(&rest) { return nil }
      case 11: rest = rest.dropFirst(10)
      default: break
      }
      if depth > MediaLimits.depth { return .nesting(of: "script objects") }
      guard depth > 0 else { return nil }
      name = Self.string(&rest)
    }
    return nil
  }

  /// Takes a string and the length before it.
  private static func string(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let length = bytes.number(2), length <= bytes.count - 2 else { return nil }
    defer { bytes = bytes.dropFirst(2 + length) }
    return bytes.dropFirst(2).prefix(length)
  }

  /// Takes an array, where `flvdemux` reads only numbers; returns false at the end of the bytes.
  private static func array(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard let count = bytes.number(4) else { return false }
    bytes = bytes.dropFirst(4)
    for _ in 0..<count {
      guard let type = bytes.popFirst() else { return false }
      if type == 0 { bytes = bytes.dropFirst(8) }
    }
    return true
  }
}
