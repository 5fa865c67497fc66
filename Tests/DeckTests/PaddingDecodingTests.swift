import CGst
import FoundationEssentials
import Playback
import TestSupport
import Testing

@testable import GstPlayer

private let tools = Tool.areAvailable("ffmpeg", "lame", "oggenc", "opusenc", "flac")

@Suite("Encoder padding in decoded files", .enabled(if: tools, "an encoder is not installed"))
struct PaddingDecodingTests {
  private static let files = PaddedFile.Encoding.allCases.flatMap { encoding in
    let usual = [
      PaddedFile(encoding: encoding), PaddedFile(encoding: encoding, rate: 48_000, channels: 1, frames: 48_000),
    ]
    return encoding.suffix == "opus" ? usual : usual + [PaddedFile(encoding: encoding, rate: 22_050, frames: 31_234)]
  }

  /// Expects the samples of a file to be its original's from a media frame on, each at its number.
  private func expect(
    _ decoded: TrimmedFile, _ file: PaddedFile, from start: Int = 0, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(decoded.jumps == 0, sourceLocation: location)
    // Opus is decoded with 48 kHz.
    guard decoded.rate == file.rate else { return }
    #expect(decoded.first == Int64(start), sourceLocation: location)
    if file.encoding.hasEnd { #expect(decoded.samples.count == file.frames - start, sourceLocation: location) }
    for place in [start + 200, (file.frames + start) / 2, file.frames - 2_100] where place >= start + 200 {
      let likeness = decoded.likeness(file.samples, at: place)
      #expect(likeness > 0.85, "from \(start), at \(place)", sourceLocation: location)
      for offset in [-1, 1] {
        #expect(likeness > decoded.likeness(file.samples, at: place, offset: offset), sourceLocation: location)
      }
    }
  }

  @Test("A file has exactly the samples that were encoded, each at its number", arguments: files)
  func whole(file: PaddedFile) async throws {
    try await withTemporaryDirectory { directory in
      let decoded = try TrimmedFile(try await file.make(in: directory))
      expect(decoded, file)
      if file.encoding.hasEnd {
        #expect(abs(decoded.duration.seconds - Double(file.frames) / Double(file.rate)) < 0.000_1)
      }
    }
  }

  @Test("After a seek, the first sample is the one of that time", arguments: PaddedFile.Encoding.allCases)
  func sought(encoding: PaddedFile.Encoding) async throws {
    let file = PaddedFile(encoding: encoding, rate: encoding.suffix == "opus" ? 48_000 : 44_100)
    try await withTemporaryDirectory { directory in
      let path = try await file.make(in: directory)
      for frame in [0, 10, 1_105, 22_051, 44_000] {
        expect(try TrimmedFile(path, from: .seconds(1) * frame / file.rate), file, from: frame)
      }
    }
  }

  @Test(
    "Every decoder returns the same frames",
    arguments: [
      (PaddedFile.Encoding.lavcWithoutID3, "mpegaudioparse name=parser ! avdec_mp3float name=decoder"),
      (.lavcWithoutID3, "mpegaudioparse name=parser ! avdec_mp3 name=decoder"),
      (.lameVBR, "mpegaudioparse name=parser ! avdec_mp3float name=decoder"),
      (.editList, "qtdemux name=parser ! avdec_aac name=decoder"),
      (.editList, "qtdemux name=parser ! faad name=decoder"),
      (.itunes, "qtdemux name=parser ! faad name=decoder"), (.opus, "oggdemux ! opusparse ! avdec_opus name=decoder"),
    ])
  func decoder(encoding: PaddedFile.Encoding, elements: String) async throws {
    try GStreamer.initialize()
    let names = elements.split(separator: "!").compactMap { $0.split(separator: " ").first.map(String.init) }
    guard names.allSatisfy(isInstalled) else { return }
    let file = PaddedFile(encoding: encoding, rate: 48_000)
    try await withTemporaryDirectory { directory in
      let path = try await file.make(in: directory)
      expect(try TrimmedFile(path, elements: elements), file)
      expect(try TrimmedFile(path, from: .milliseconds(500), elements: elements), file, from: 24_000)
    }
  }

  @Test(
    "A file on a server has the same samples",
    arguments: [
      PaddedFile.Encoding.lavc, .lavcWithoutID3, .lame, .editList, .itunes, .itunesEditList, .flac,
    ], [true, false])
  func server(encoding: PaddedFile.Encoding, isSeekable: Bool) async throws {
    let file = PaddedFile(encoding: encoding)
    try await withTemporaryDirectory { directory in
      let response = try HTTPResponse.file(try await file.make(in: directory))
      try await withHTTPServer { server in
        let uri = server.script("/padded", isSeekable ? response : response.refusingRanges())
        expect(try TrimmedFile(uri), file)
        if isSeekable { expect(try TrimmedFile(uri, from: .seconds(1) * 30_000 / file.rate), file, from: 30_000) }
      }
    }
  }

  @Test("A header that arrives in small pieces is read", arguments: [97, 1_000])
  func pieces(size: Int) async throws {
    let file = PaddedFile(encoding: .itunesEditList)
    try await withTemporaryDirectory { directory in
      let path = try await file.make(in: directory)
      let elements = "queue ! qtdemux name=parser ! avdec_aac name=decoder"
      guard isInstalled("avdec_aac") else { return }
      expect(try TrimmedFile("\(path) blocksize=\(size)", elements: elements), file)
    }
  }

  @Test("A file that was joined to another one is played; only the padding between them is left out")
  func joined() async throws {
    let file = PaddedFile(encoding: .lavcWithoutID3)
    try await withTemporaryDirectory { directory in
      let bytes = Array(try Data(contentsOf: URL(filePath: try await file.make(in: directory))))
      let both = try TrimmedFile(try directory.write(bytes + bytes, to: "both.mp3"))
      #expect(both.jumps == 0)
      // The second Info tag is a frame of silence, and the second file has its padding.
      #expect(both.samples.count > 2 * file.frames)
      #expect(both.likeness(file.samples, at: file.frames - 2_100) > 0.85)
    }
  }

  @Test("A file that ends early, or whose header claims too much, is played to its end", arguments: ["mp3", "m4a"])
  func damaged(suffix: String) async throws {
    let file = PaddedFile(encoding: suffix == "mp3" ? .lavcWithoutID3 : .editList)
    try await withTemporaryDirectory { directory in
      var bytes = Array(try Data(contentsOf: URL(filePath: try await file.make(in: directory))))
      if suffix == "mp3" {
        bytes.removeLast(bytes.count / 2)
      } else if let place = PaddedFile.movie(in: bytes).flatMap({ start in
        bytes.indices.dropFirst(start).first { bytes[$0...].name(at: 0) == "elst" }
      }) {
        // An edit that begins after the media.
        bytes.replaceSubrange(place + 16..<place + 20, with: [0x00, 0xFF, 0xFF, 0xFF])
      }
      let decoded = try TrimmedFile(try directory.write(bytes, to: "damaged.\(suffix)"))
      if suffix == "mp3" {
        #expect(decoded.first == 0)
        #expect((20_000...26_000).contains(decoded.samples.count))
        #expect(decoded.likeness(file.samples, at: 10_000) > 0.85)
      } else {
        #expect(decoded.padding == nil)
      }
    }
  }
}
