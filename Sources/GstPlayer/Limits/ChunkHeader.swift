import Playback

/// The chunks of WAV and AIFF files: cue points, each of which `wavparse` compares with all others, and ID3 tags.
///
/// <https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html>,
/// <https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/AIFF/AIFF.html>
struct ChunkHeader: HeaderSyntax {
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
      return count > MediaLimits.parts / 4 ? .refuse(.number(of: "cue points", MediaLimits.parts / 4)) : .skip(next)
    case "ID3 ", "id3 ": return .check(8 + size, thenAt: next)
    default: return .skip(next)
    }
  }

  func violation(in chunk: ArraySlice<UInt8>) -> PlayerError? { ID3Header.violation(inTag: Array(chunk.dropFirst(8))) }
}
