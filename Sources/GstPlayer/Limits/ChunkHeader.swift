import Playback

/// The chunks of WAV and AIFF files: cue points, whose labels `wavparse` compares with all of them, and ID3 tags.
///
/// <https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html>,
/// <https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/AIFF/AIFF.html>
struct ChunkHeader: HeaderSyntax {
  /// Each cue point has a name and a comment.
  private static let labels = 2 * MediaLimits.parts

  let isLittleEndian: Bool

  func step(_ bytes: ArraySlice<UInt8>) -> HeaderStep {
    guard let name = bytes.name(at: 0), let size = bytes.number(4, at: 4, isLittleEndian: isLittleEndian) else {
      return .needs(8)
    }
    // The last byte of an odd size is padding.
    let next = 8 + size + size % 2
    switch name {
    case "RIFF", "RF64", "FORM": return .skip(12)
    case "cue ":
      guard let count = bytes.number(4, at: 8, isLittleEndian: isLittleEndian) else { return .needs(12) }
      return count > MediaLimits.parts ? .refuse(.number(of: "cue points")) : .skip(next)
    case "LIST":
      guard let kind = bytes.name(at: 8) else { return .needs(12) }
      return kind == "adtl" ? .check(8 + size, thenAt: next) : .skip(next)
    case "ID3 ", "id3 ": return .check(8 + size, thenAt: next)
    default: return .skip(next)
    }
  }

  func violation(in chunk: ArraySlice<UInt8>) -> PlayerError? {
    guard chunk.name(at: 0) == "LIST" else { return ID3Header.violation(inTag: Array(chunk.dropFirst(8))) }
    // The labels and notes of cue points.
    var rest = chunk.dropFirst(12)
    var count = 0
    while let size = rest.number(4, at: 4, isLittleEndian: true), size < rest.count {
      count += 1
      if count > Self.labels { return .number(of: "labels of cue points", Self.labels) }
      rest = rest.dropFirst(8 + size + size % 2)
    }
    return nil
  }
}
