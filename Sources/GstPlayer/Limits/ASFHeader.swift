import Playback

/// The header of ASF and WMA files, whose objects `asfdemux` reads by recursion.
///
/// <https://learn.microsoft.com/en-us/windows/win32/wmformat/overview-of-the-asf-format>
struct ASFHeader: HeaderSyntax {
  private static let header: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  private static let headerExtension: [UInt8] = [
    0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]

  func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard let size = bytes.number(8, at: 16, isLittleEndian: true) else { return .needs(24) }
    if bytes.starts(with: Self.header) { return .check(size, thenAt: size) }
    // In a live stream, another header follows the packets.
    let next = bytes.dropFirst().firstRange(of: Self.header)?.lowerBound
    return .skip(next.map { $0 - bytes.startIndex } ?? max(1, bytes.count - 15))
  }

  func violation(in object: ArraySlice<UInt8>) -> PlayerError? {
    var level = [object]
    var (count, depth) = (0, 0)
    while !level.isEmpty {
      depth += 1
      if depth > MediaLimits.depth { return .nesting(of: "ASF objects") }
      level = level.flatMap { Self.objects(in: $0) }
      count += level.count
      if count > MediaLimits.parts { return .number(of: "ASF objects") }
    }
    return nil
  }

  /// Returns the objects in an object.
  private static func objects(in object: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var rest: ArraySlice<UInt8>
    if object.starts(with: header) {
      rest = object.dropFirst(30)
    } else if object.starts(with: headerExtension) {
      rest = object.dropFirst(46)
    } else {
      return []
    }
    var objects: [ArraySlice<UInt8>] = []
    while let size = rest.number(8, at: 16, isLittleEndian: true), size >= 24, size <= rest.count,
      objects.count <= MediaLimits.parts
    {
      objects.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return objects
  }
}
