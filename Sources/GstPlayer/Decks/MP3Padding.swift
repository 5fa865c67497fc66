/// Reads the padding of an MP3 file from its first frame.
///
/// | first frame | before the media | after it |
/// |---|---|---|
/// | Info tag of LAME | trimmed by `mpegaudioparse` and the decoder | the same |
/// | Info tag of FFmpeg, `Lavc` or `Lavf` | its delay, and the decoder's 529 frames | its padding without these |
/// | no tag, and it needs no bits of an earlier frame | LAME's delay of 576 frames, and 529 | unknown |
/// | no tag, cut from a longer file | nothing, so that the parts join | nothing |
///
/// `lame --decode` and FFmpeg count in the same way.
///
/// <http://gabriel.mp3-tech.org/mp3infotag.html>
enum MP3Padding {
  /// The frames by which every decoder is late.
  private static let decoderDelay: Int64 = 529
  /// The delay of LAME, which most other encoders have too, give or take some frames.
  private static let commonDelay: Int64 = 576
  /// The bytes among which the first frame is found.
  static let searched = 4_096

  /// Returns the padding; nil if there is nothing to trim.
  ///
  /// - Parameters:
  ///   - bytes: The data of the file from its first byte on, without ID3 tags.
  ///   - isWhole: Whether it is a file, which has a start, and not a broadcast.
  /// - Returns: The padding.
  static func read(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> PaddingHeader? {
    for offset in 0..<min(searched, bytes.count) {
      let rest = bytes.dropFirst(offset)
      guard rest.first == 0xFF, let frame = MP3Frame(rest) else { continue }
      // Other data can look like the header of one frame.
      if let next = MP3Frame(rest.dropFirst(frame.size)) {
        guard next.rate == frame.rate, next.isFirstVersion == frame.isFirstVersion else { continue }
      } else if rest.count >= frame.size + 4 {
        continue
      }
      return read(frame, rest, at: offset, isWhole: isWhole)
    }
    return nil
  }

  private static func read(
    _ frame: MP3Frame, _ bytes: ArraySlice<UInt8>, at offset: Int, isWhole: Bool
  ) -> PaddingHeader? {
    let bytes = bytes.prefix(frame.size)
    guard let mark = bytes.name(at: frame.tag), mark == "Info" || mark == "Xing" else {
      guard isWhole, bytes.name(at: 36) != "VBRI", frame.reservoir(bytes) == 0 else { return nil }
      return EncoderPadding(rate: frame.rate, leading: commonDelay + decoderDelay).map {
        PaddingHeader(padding: $0, edits: [])
      }
    }
    guard let flags = bytes.number(4, at: frame.tag + 4) else { return nil }
    let fields = [(1, 4), (2, 4), (4, 100), (8, 4)].filter { flags & $0.0 != 0 }
    let encoder = frame.tag + 8 + fields.reduce(0) { $0 + $1.1 }
    guard let name = bytes.name(at: encoder), name == "Lavc" || name == "Lavf",
      let value = bytes.number(3, at: encoder + 21)
    else { return nil }
    let leading = Int64(value >> 12) + decoderDelay
    var trailing: Range<Int64>?
    if flags & 1 != 0, let count = bytes.number(4, at: frame.tag + 8), count > 0 {
      let end = Int64(count) * frame.samples
      trailing = end - max(0, Int64(value & 0xFFF) - decoderDelay)..<end
    }
    return EncoderPadding(rate: frame.rate, leading: leading, trailing: trailing).map {
      PaddingHeader(padding: $0, edits: [PaddingHeader.Edit(offset: offset + encoder, bytes: [0, 0, 0, 0])])
    }
  }
}

/// The header of a frame of MPEG audio, layer III.
private struct MP3Frame {
  /// Whether it is MPEG-1 and not one of the lower sample rates.
  let isFirstVersion: Bool
  let rate: Int
  /// The size of the frame in bytes.
  let size: Int
  /// The offset of an Info tag.
  let tag: Int
  /// The offset of the side information.
  private let side: Int

  /// The samples of each channel.
  var samples: Int64 { isFirstVersion ? 1_152 : 576 }

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let header = bytes.number(4), header >> 21 == 0x7FF, header >> 17 & 3 == 1 else { return nil }
    let (version, bitRate, sampleRate) = (header >> 19 & 3, header >> 12 & 15, header >> 10 & 3)
    guard version != 1, 1...14 ~= bitRate, sampleRate != 3 else { return nil }
    isFirstVersion = version == 3
    rate = [44_100, 48_000, 32_000][sampleRate] >> (isFirstVersion ? 0 : version == 2 ? 1 : 2)
    let kilobits =
      isFirstVersion
      ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][bitRate - 1]
      : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][bitRate - 1]
    size = (isFirstVersion ? 144_000 : 72_000) * kilobits / rate + (header >> 9 & 1)
    let isMono = header >> 6 & 3 == 3
    tag = 4 + (isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    // A checksum of two bytes precedes it, but not an Info tag.
    side = header >> 16 & 1 == 0 ? 6 : 4
  }

  /// Returns how many bytes of earlier frames the frame needs; nil if it is too short.
  func reservoir(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.number(2, at: side).map { $0 >> (isFirstVersion ? 7 : 8) }
  }
}
