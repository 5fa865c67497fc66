import Playback

/// The metadata blocks of FLAC files, which `flacparse` keeps until the first frame.
///
/// <https://www.rfc-editor.org/rfc/rfc9639>
struct FLACHeader: HeaderSyntax {
  private static let comments = 4
  /// A type that no block has; audio frames look like it.
  private static let invalid = 127
  /// The number of blocks; nil outside of a header.
  private var count: Int?

  mutating func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard let head = bytes.number(4) else { return .needs(4) }
    guard bytes.name(at: 0) != "fLaC" else {
      count = 0
      return .skip(4)
    }
    guard let count else { return .stop }
    let (type, size) = (head >> 24 & 0x7F, head & 0xFF_FFFF)
    guard type != Self.invalid else { return .stop }
    self.count = count + 1
    if count >= MediaLimits.parts { return .refuse(.number(of: "FLAC metadata blocks")) }
    guard type == Self.comments else { return .skip(4 + size) }
    guard let vendor = bytes.number(4, at: 4, isLittleEndian: true) else { return .needs(8) }
    guard vendor <= size - 8 else { return .skip(4 + size) }
    guard let comments = bytes.number(4, at: 8 + vendor, isLittleEndian: true) else { return .needs(12 + vendor) }
    return comments > MediaLimits.comments
      ? .refuse(.number(of: "comments", MediaLimits.comments)) : .skip(4 + size)
  }

  mutating func restart() { count = nil }
}
