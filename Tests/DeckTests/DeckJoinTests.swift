import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// A signal that is cut into two files is whole again when their blocks are joined.
///
/// There are exceptions:
///
/// - An MP3 file without a tag does not say where the media ends, and up to 2,304 other frames follow.
/// - Ogg Vorbis from a server: the demuxer does not know where in the last packet the media ends.
/// - FFmpeg writes 1 to 46 frames too few as the padding of an MP3 file whose length exceeds a multiple of 1,152 by 46 to 1
///   frames: its tag never states more than 1,681. A reader cannot know of them.
@Suite(
  "Joined decks", .serialized,
  .enabled(if: Tool.areAvailable("ffmpeg", "lame", "oggenc", "opusenc", "flac"), "an encoder is not installed"))
struct DeckJoinTests {
  private static let encodings: [PaddedFile.Encoding] = [
    .flac, .wav, .vorbis, .lavVorbis, .opus, .lavOpus, .lame, .lameVBR, .lavc, .lavcVBR, .editList, .itunes,
    .itunesEditList,
  ]
  /// Where the signal of 60,000 frames is cut.
  private static let cut = 31_603

  private static func halves(_ encoding: PaddedFile.Encoding) -> [PaddedFile] {
    let rate = encoding.suffix == "opus" ? 48_000 : 44_100
    return [
      PaddedFile(encoding: encoding, rate: rate, frames: cut),
      PaddedFile(encoding: encoding, rate: rate, frames: 60_000 - cut, start: cut),
    ]
  }

  /// Expects samples to be the original's at the same numbers, and not at the ones beside.
  private func expect(
    _ decoded: TrimmedFile, _ original: ArraySlice<Int32>, _ encoding: PaddedFile.Encoding, _ what: Comment,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let start = Int(decoded.first ?? -1)
    #expect(start + decoded.samples.count == original.count, what, sourceLocation: location)
    if encoding.isLossless {
      #expect(decoded.samples == original.dropFirst(start).map(Float.init), what, sourceLocation: location)
    }
    for place in stride(from: start, to: original.count - 999, by: 1_000) {
      let likeness = decoded.likeness(original, at: place)
      #expect(likeness > 0.85, "\(what), at \(place)", sourceLocation: location)
      for offset in [-1, 1] {
        #expect(likeness > decoded.likeness(original, at: place, offset: offset), what, sourceLocation: location)
      }
    }
  }

  private func expectJoined(
    _ encoding: PaddedFile.Encoding, isOnServer: Bool, _ uri: (PaddedFile, TemporaryDirectory) async throws -> String
  ) async throws {
    var joined = TrimmedFile([])
    var original: [Int32] = []
    for file in Self.halves(encoding) {
      try await withTemporaryDirectory { directory in
        try await DeckHarness.with(uri(file, directory)) { harness in
          try await harness.end()
          #expect(harness.isContinuous())
          let half = TrimmedFile(harness.blocks())
          #expect(half.first == 0)
          #expect(half.rate == file.rate)
          #expect(half.samples.count == file.frames)
          joined.first = 0
          joined.samples += half.samples
          original += file.samples
          // In an Ogg file on a server, the demuxer does not find the duration or the target of each seek.
          if isOnServer, encoding.suffix == "opus" { return }
          let duration = try await harness.settled().duration
          #expect(duration.map { abs($0 / .seconds(1) - Double(file.frames) / Double(file.rate)) < 0.000_1 } == true)
          for frame in [0, 1_105, 17_003, 22_051, file.frames - 100] {
            let time = Duration.seconds(1) * frame / file.rate
            let passage = harness.seek(to: time, exactly: true)
            try await harness.end(of: passage)
            #expect(harness.isContinuous(passage))
            let rest = TrimmedFile(harness.blocks(of: passage))
            #expect(rest.first == Int64(frame))
            expect(rest, file.samples, encoding, "after a seek to \(frame)")
          }
          #expect(harness.failures.isEmpty)
        }
      }
    }
    expect(joined, original[...], encoding, "joined")
  }

  @Test("The blocks of two files have every frame of the signal, at its number, also after seeks", arguments: encodings)
  func files(_ encoding: PaddedFile.Encoding) async throws {
    try await expectJoined(encoding, isOnServer: false) { try await $0.make(in: $1) }
  }

  @Test("The blocks of two files on a server have every frame too", arguments: encodings.filter { $0.suffix != "ogg" })
  func server(_ encoding: PaddedFile.Encoding) async throws {
    try await withHTTPServer { server in
      try await expectJoined(encoding, isOnServer: true) { file, directory in
        server.script("/\(file.start).\(encoding.suffix)", try .file(try await file.make(in: directory)))
      }
    }
  }

  @Test("A deck that begins within a file begins at the frame of that time", arguments: encodings)
  func start(_ encoding: PaddedFile.Encoding) async throws {
    let file = try #require(Self.halves(encoding).last)
    try await withTemporaryDirectory { directory in
      let path = try await file.make(in: directory)
      try await DeckHarness.with(path, from: .seconds(1) * 20_123 / file.rate) { harness in
        try await harness.end()
        let rest = TrimmedFile(harness.blocks())
        #expect(rest.first == 20_123)
        expect(rest, file.samples, encoding, "from 20,123")
        let position = try await harness.settled().position
        #expect(position.map { PCMFormat(.int16, rate: file.rate, channels: 1)?.frame(at: $0) } == 20_123)
      }
    }
  }
}

extension PaddedFile.Encoding {
  fileprivate var isLossless: Bool { self == .flac || self == .wav }
}

extension TrimmedFile {
  /// The first channel of blocks.
  fileprivate init(_ blocks: [Block]) {
    samples = []
    first = blocks.first?.first
    rate = blocks.first?.format.rate ?? 0
    jumps = 0
    duration = .zero
    padding = nil
    for block in blocks {
      let encoding = block.format.encoding
      for start in stride(from: 0, to: block.bytes.count, by: block.format.bytesPerFrame) {
        samples.append(Self.sample(block.bytes[start..<start + encoding.bytes], encoding))
      }
    }
  }

  private static func sample(_ bytes: ArraySlice<UInt8>, _ encoding: PCMFormat.Encoding) -> Float {
    let bits = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return switch encoding {
    case .int16: Float(Int16(truncatingIfNeeded: bits))
    case .int24: Float(Int32(truncatingIfNeeded: bits << 8) >> 8)
    case .int32: Float(Int32(truncatingIfNeeded: bits))
    case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    case .float64: Float(Double(bitPattern: bits))
    }
  }
}
