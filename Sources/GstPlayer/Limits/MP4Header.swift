import CGst
import Playback

/// The boxes of MP4 and QuickTime files, which `qtdemux` reads by recursion: 200,000 nested boxes of 8 bytes overflow its
/// stack.
///
/// <https://developer.apple.com/documentation/quicktime-file-format>
struct MP4Header: HeaderSyntax {
  /// The boxes at the top that `qtdemux` reads as lists of boxes.
  private static let lists: Set = ["moov", "moof", "mfra", "meta"]

  func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard let short = bytes.number(4), let name = bytes.name(at: 4) else { return .needs(8) }
    guard short != 1 || bytes.count >= 16 else { return .needs(16) }
    guard let size = short == 1 ? bytes.number(8, at: 8) : short, size >= 8 else { return .stop }
    return Self.lists.contains(name) ? .check(size, thenAt: size) : .skip(size)
  }

  func violation(in box: ArraySlice<UInt8>) -> PlayerError? {
    let tree = BoxTree(box)
    if let error = tree.violation { return error }
    for compressed in tree.compressed {
      guard let content = Self.inflated(compressed) else { return .exceeding("a compressed header of another size") }
      if let error = BoxTree(content[...]).violation { return error }
    }
    return nil
  }

  /// Returns the content of a compressed header, which follows its size; nil if it is larger.
  ///
  /// A header that is damaged has no content.
  private static func inflated(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let size = bytes.number(4) else { return [] }
    guard size <= MediaLimits.bytes else { return nil }
    let source = Array(bytes.dropFirst(4))
    var content = [UInt8](repeating: 0, count: size)
    var count = uLongf(size)
    let result = unsafe uncompress(&content, &count, source, uLong(source.count))
    return result == Z_BUF_ERROR ? nil : Array(content.prefix(result == Z_OK ? Int(count) : 0))
  }
}

/// Finds the boxes in a box, as many and as deep as any version of a demuxer would.
struct BoxTree {
  /// The limit that the boxes exceed.
  private(set) var violation: PlayerError?
  /// The contents of compressed headers.
  private(set) var compressed: [ArraySlice<UInt8>] = []
  /// The number of nested boxes from each box on, by the position of the box.
  private var heights: [Int: Int] = [:]

  /// The boxes with tables and other values, whose content could look like boxes.
  private static let leaves: Set = [
    "stts", "ctts", "stsz", "stz2", "stco", "co64", "stsc", "stss", "sdtp", "sbgp", "sgpd", "saio", "saiz", "senc",
    "elst",
    "subs", "trun", "tfra", "data", "mdat", "free", "skip", "wide", "uuid", "chpl", "ID32",
  ]
  /// The boxes that contain boxes alone.
  private static let lists: Set = [
    "moov", "trak", "mdia", "minf", "stbl", "udta", "ilst", "moof", "traf", "mfra", "edts", "dinf", "mvex", "tref",
    "gmhd",
    "----", "covr",
  ]
  /// The offsets of the boxes in another box: of `meta`, of a list of formats, and of a format.
  private static let offsets = [8, 12, 16, 36, 52, 72, 86, 98]

  /// Reads a box and the boxes in it.
  init(_ box: ArraySlice<UInt8>) { _ = height(of: box, inside: 0) }

  /// Returns the number of nested boxes from a box on, which is inside a number of boxes.
  private mutating func height(of box: ArraySlice<UInt8>, inside depth: Int) -> Int {
    let height = heights[box.startIndex] ?? 1
    if depth + height > MediaLimits.depth { violation = violation ?? .nesting(of: "boxes") }
    guard violation == nil, heights[box.startIndex] == nil, let name = box.name(at: 4) else { return height }
    heights[box.startIndex] = 1
    if heights.count > MediaLimits.parts { violation = .number(of: "boxes") }
    if name == "cmvd" { compressed.append(box.dropFirst(8)) }
    if name == "ID32" { violation = violation ?? ID3Header.violation(inTag: Array(box.dropFirst(14))) }
    guard !Self.leaves.contains(name) else { return 1 }
    var greatest = 0
    for offset in Self.offsets.prefix(Self.lists.contains(name) ? 1 : Self.offsets.count) {
      var rest = box.dropFirst(offset)
      while let size = rest.number(4), size >= 8, size <= rest.count, violation == nil {
        greatest = max(greatest, self.height(of: rest.prefix(size), inside: depth + 1))
        rest = rest.dropFirst(size)
      }
    }
    heights[box.startIndex] = greatest + 1
    return greatest + 1
  }
}
