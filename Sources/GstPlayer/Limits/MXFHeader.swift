import Playback

/// The sets of metadata in MXF files, whose references to each other `mxfdemux` follows by recursion.
///
/// <https://pub.smpte.org/doc/st377-1/>
struct MXFHeader: HeaderSyntax {
  private static let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34]
  private var count = 0

  mutating func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard bytes.count >= 17 else { return .needs(17) }
    // Other data may precede the first key.
    guard bytes.starts(with: Self.key) else { return .skip(1) }
    let bytes = Array(bytes.prefix(25))
    let width = bytes[16] < 0x80 ? 0 : Int(bytes[16] & 0x7F)
    guard width <= 8 else { return .skip(1) }
    guard bytes.count >= 17 + width else { return .needs(17 + width) }
    // Keys of sets, without the index's keys.
    if bytes[4] == 0x02, bytes[5] == 0x53, bytes[8...10] != [0x0D, 0x01, 0x02] { count += 1 }
    if count > MediaLimits.parts { return .refuse(.number(of: "sets of metadata")) }
    let size = width == 0 ? Int(bytes[16]) : bytes[...].number(width, at: 17) ?? 0
    return .skip(size.addingReportingOverflow(17 + width).partialValue)
  }
}
