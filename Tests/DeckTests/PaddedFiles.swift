import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer

/// Noise that is encoded with a padding, and the way in which.
struct PaddedFile: Sendable, CustomTestStringConvertible {
  enum Encoding: String, CaseIterable, Sendable {
    case lavc, lavcVBR, lavcWithoutID3, lame, lameVBR, lameABR, lameID3
    /// AAC in MP4 with an edit list, with the tag of iTunes, and with both.
    case editList, itunes, itunesEditList
    case mp3InMP4, vorbis, lavVorbis, opus, lavOpus, flac, wav
    /// MP3 without a tag: the end of the media is unknown.
    case lameWithoutTag, lavcWithoutTag

    var suffix: String {
      switch self {
      case .lavc, .lavcVBR, .lavcWithoutID3, .lame, .lameVBR, .lameABR, .lameID3, .lameWithoutTag, .lavcWithoutTag:
        "mp3"
      case .editList, .itunes, .itunesEditList, .mp3InMP4: "m4a"
      case .vorbis, .lavVorbis: "ogg"
      case .opus, .lavOpus: "opus"
      case .flac: "flac"
      case .wav: "wav"
      }
    }

    var hasEnd: Bool { self != .lameWithoutTag && self != .lavcWithoutTag }

    func command(_ source: String, _ path: String) -> [String] {
      let ffmpeg = ["ffmpeg", "-v", "error", "-y", "-i", source]
      let lame = ["lame", "--quiet"]
      let exact = ["-fflags", "+bitexact", "-map_metadata", "-1"]
      return switch self {
      case .lavc: ffmpeg + ["-c:a", "libmp3lame", "-b:a", "128k", path]
      case .lavcVBR: ffmpeg + ["-c:a", "libmp3lame", "-q:a", "2", path]
      case .lavcWithoutID3: ffmpeg + ["-c:a", "libmp3lame", "-b:a", "128k", "-id3v2_version", "0", path]
      case .lavcWithoutTag: ffmpeg + ["-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", path]
      case .lame: lame + ["-b", "128", source, path]
      case .lameVBR: lame + ["-V", "2", source, path]
      case .lameABR: lame + ["--abr", "140", source, path]
      case .lameID3: lame + ["-b", "128", "--tt", "T", "--add-id3v2", source, path]
      case .lameWithoutTag: lame + ["-b", "128", "-t", source, path]
      case .editList, .itunesEditList: ffmpeg + ["-c:a", "aac", "-b:a", "160k"] + exact + [path]
      case .itunes: ffmpeg + ["-c:a", "aac", "-b:a", "160k", "-use_editlist", "0"] + exact + [path]
      case .mp3InMP4: ffmpeg + ["-c:a", "libmp3lame", "-b:a", "128k", "-f", "mp4", path]
      case .vorbis: ["oggenc", "-Q", "-q", "6", "-o", path, source]
      case .lavVorbis: ffmpeg + ["-c:a", "libvorbis", "-q:a", "6", path]
      case .opus: ["opusenc", "--quiet", "--bitrate", "160", source, path]
      case .lavOpus: ffmpeg + ["-c:a", "libopus", "-b:a", "160k", path]
      case .flac: ["flac", "--silent", "-o", path, source]
      case .wav: ["cp", source, path]
      }
    }
  }

  var encoding: Encoding
  var rate = 44_100
  var channels = 2
  var frames = 50_003
  /// The number of frames of the noise before it.
  var start = 0

  var testDescription: String { "\(encoding.rawValue) \(rate) × \(channels), \(frames) frames" }

  /// The samples that are encoded, of each channel: noise without high frequencies, which every encoder keeps.
  var samples: ArraySlice<Int32> { Array(Self.noise.dropFirst(start).prefix(frames))[...] }

  private static let noise: [Int32] = {
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<60_008).map { _ in Int32.random(in: -16_000...16_000, using: &generator) }
    var sum = noise[..<8].reduce(0, +)
    return (0..<60_000).map { index in
      sum += noise[index + 8] - noise[index]
      return sum / 4
    }
  }()

  func make(in directory: TemporaryDirectory) async throws -> String {
    let source = try directory.write(PCM(rate: rate, channels: channels).wav(Array(samples)), to: "source.wav")
    let path = directory.file("padded.\(encoding.suffix)")
    let finished = try await run(encoding.command(source, path), within: 60)
    guard finished.succeeded else { throw Failed(message: finished.error) }
    if encoding == .itunes || encoding == .itunesEditList {
      let file = Array(try Data(contentsOf: URL(filePath: path)))
      try directory.write(Self.tagged(file, leading: 1_024, frames: frames), to: "padded.m4a")
    }
    return path
  }

  struct Failed: Error { var message: String }

  /// Returns an MP4 file whose `moov` box is the last one, with the tag of iTunes.
  static func tagged(_ file: [UInt8], leading: Int, frames: Int) -> [UInt8] {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt32(content.count + 8)
      return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
        + name.unicodeScalars.map { UInt8($0.value) }
        + content
    }
    func hex(_ value: Int, _ digits: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let zeros = [UInt8](repeating: 0, count: 4)
    let text = " 00000000 \(hex(leading, 8)) 00000000 \(hex(frames, 16)) 00000000 00000000"
    let item = box(
      "----",
      box("mean", zeros + Array("com.apple.iTunes".utf8)) + box("name", zeros + Array("iTunSMPB".utf8))
        + box("data", [0, 0, 0, 1] + zeros + Array(text.utf8)))
    let added = box("udta", box("meta", zeros + box("ilst", item)))
    var file = file
    guard let start = movie(in: file) else { return file }
    file += added
    file.replaceSubrange(start..<start + 4, with: box("", Array(file[(start + 8)...])).prefix(4))
    return file
  }

  /// Returns the offset of the `moov` box.
  static func movie(in file: [UInt8]) -> Int? {
    var offset = 0
    while let size = file[...].number(4, at: offset), size >= 8, size <= file.count - offset {
      if file[...].name(at: offset + 4) == "moov" { return offset }
      offset += size
    }
    return nil
  }
}
