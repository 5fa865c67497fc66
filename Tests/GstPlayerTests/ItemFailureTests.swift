import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

@Suite("Unplayable items", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ItemFailureTests {
  /// An unplayable item, created in a directory, and its expected error code.
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: PlayerError.Code
    var uri: @Sendable (TemporaryDirectory) async throws -> String

    static let all = [
      Bad(testDescription: "a missing file", code: .notFound) { _ in fileURI(Media.missing) },
      Bad(testDescription: "a text file", code: .notMedia) { _ in fileURI(try await Media.textFile()) },
      Bad(testDescription: "a picture", code: .noAudio) { _ in fileURI(try await Media.cover()) },
      Bad(testDescription: "a directory", code: .notMedia) { fileURI($0.path) },
      Bad(testDescription: "an empty file", code: .empty) { _ in fileURI(try await Media.emptyFile()) },
      Bad(testDescription: "a file of three bytes", code: .notMedia) {
        fileURI(try $0.write([0x66, 0x4c, 0x61], to: "short.flac"))
      },
      Bad(testDescription: "noise", code: .notMedia) { fileURI(try $0.write(noise, to: "noise.mp3")) },
      Bad(testDescription: "a FLAC file cut in its first frame", code: .corrupt) {
        let whole = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1))))
        return fileURI(try $0.write(Array(whole.prefix(9000)), to: "header.flac"))
      },
      Bad(testDescription: "a web page", code: .notMedia) {
        fileURI(try $0.write(Array("<!DOCTYPE html><html><body>No music</body></html>".utf8), to: "page.mp3"))
      },
      Bad(testDescription: "an unsupported scheme", code: .unsupportedScheme) { _ in "gopher://127.0.0.1/a" },
      Bad(testDescription: "an invalid URI", code: .invalidArgument) { _ in "nonsense" },
    ]

    /// A reproducible sequence of bytes without a pattern that a type finder recognizes.
    private static let noise: [UInt8] = {
      var state: UInt64 = 42
      return (0..<20_000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 57)
      }
    }()
  }

  @Test("Each unplayable item fails once with its own code, and the next item plays", arguments: Bad.all)
  func skipped(bad: Bad) async throws {
    try await withTemporaryDirectory { directory in
      let good = fileURI(try await Media.sine(seconds: 0.3))
      try await withPlayer([try await bad.uri(directory), good]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.failures.map(\.code) == [bad.code])
        #expect(harness.player.snapshot.lastError?.code == bad.code)
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
      }
    }
  }

  @Test("An unreadable file fails with its own code", .enabled(if: geteuid() != 0, "root may read every file"))
  func permission() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write([1, 2, 3], to: "secret.flac")
      #expect(unsafe chmod(path, 0) == 0)
      try await withPlayer([fileURI(path)]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.code) == [.permissionDenied])
      }
    }
  }

  @Test("After a failure the player plays a new queue")
  func usableAfterwards() async throws {
    try await withPlayer([fileURI(Media.missing)]) { harness in
      try await harness.playToEnd()
      let good = Player.Item(uri: fileURI(try await Media.sine(seconds: 0.3)))
      harness.player.replaceQueue(with: [good])
      let place = harness.events.count
      harness.player.play()
      try await harness.event(.itemDidPlayToEnd(good), from: place)
      #expect(harness.failures.count == 1)
    }
  }

  @Test("A truncated file plays to its last sample and ends normally")
  func truncated() async throws {
    try await withTemporaryDirectory { directory in
      let whole = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .wav))))
      let path = try directory.write(Array(whole.prefix(44 + 4 * 22_050)), to: "half.wav")
      let expected = try samples(ofWAV: path)
      try await withTappedPlayer([fileURI(path)]) { harness, tap in
        try await harness.playToEnd()
        expectSamples(try tap.recorded(), expected)
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      }
    }
  }

  @Test("A file that is deleted during playback plays to its end")
  func deleted() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Media.sine(seconds: 3, format: .wav)
      let copy = try directory.write(Array(try Data(contentsOf: URL(filePath: path))), to: "gone.wav")
      let expected = try samples(ofWAV: path)
      try await withTappedPlayer([fileURI(copy)]) { harness, tap in
        try await harness.playing()
        #expect(unsafe unlink(copy) == 0)
        try await harness.event(.queueEnded)
        expectSamples(try tap.recorded(), expected)
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("A pipe or a device, which may never end, is rejected", arguments: ["pipe.flac", "/dev/zero"])
  func endless(name: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = name.hasPrefix("/") ? name : directory.file(name)
      if path != name { #expect(unsafe mkfifo(path, 0o600) == 0) }
      // Keep the pipe open for writing, so that opening it for reading would not block.
      let writer = path != name ? unsafe open(path, O_RDWR | O_CLOEXEC) : -1
      defer { close(writer) }
      let good = fileURI(try await Media.sine(seconds: 0.3))
      try await withPlayer([fileURI(path), good]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.failures.map(\.code) == [.notMedia])
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
      }
    }
  }

  @Test("A truncated FLAC file plays to its last sample, ends normally, and its duration is corrected")
  func truncatedFLAC() async throws {
    try await withTemporaryDirectory { directory in
      let whole = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 3, frequency: 333))))
      let original = try samples(ofWAV: try await Media.sine(seconds: 3, frequency: 333, format: .wav))
      let path = try directory.write(Array(whole.prefix(8500 + (whole.count - 8500) / 3)), to: "cut.flac")
      try await withTappedPlayer([fileURI(path)]) { harness, tap in
        try await harness.playToEnd()
        let recorded = try tap.recorded()
        expectSamples(recorded, original.prefix(recorded.count))
        #expect((20_000...100_000).contains(recorded.count))
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
        let end = Double(recorded.count) / 44_100
        let duration = try #require(harness.player.snapshot.duration)
        #expect(abs(duration / .seconds(1) - end) < 0.1)
      }
    }
  }

  @Test(
    "A truncated file whose successor fails ends at its last sample, not at its stated duration",
    arguments: [0.4, 1.7], [Media.missing, "text", "empty"])
  func truncatedBeforeFailing(seconds: Double, successor: String) async throws {
    let path = try await Media.sine(seconds: seconds, frequency: 333)
    let original = try samples(ofWAV: try await Media.sine(seconds: seconds, frequency: 333, format: .wav))
    let good = try await Media.continuousSine(samplesPerPart: 30_011)[0]
    let rest = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: 30_011, format: .wav)[0])
    let bad =
      switch successor {
      case "text": try await Media.textFile()
      case "empty": try await Media.emptyFile()
      default: successor
      }
    try await withTemporaryDirectory { directory in
      var bytes = Array(try Data(contentsOf: URL(filePath: path)))
      // Set the sample count of the STREAMINFO block to about one day of audio.
      bytes.replaceSubrange(22..<26, with: [0xF0, 0, 0, 0])
      let claiming = try directory.write(bytes, to: "day.flac")
      try await withTappedPlayer([claiming, bad, good].map(fileURI)) { harness, tap in
        try await harness.playToEnd()
        let recorded = try tap.recorded()
        expectSamples(recorded, original + rest)
        #expect(harness.failures.map(\.item) == [harness.items[1]])
        #expect(harness.significantEvents.first == .itemDidPlayToEnd(harness.items[0]))
      }
    }
  }

  @Test("Unplayable items between playable ones are skipped without losing a sample of the playable ones")
  func between() async throws {
    let good = try await Media.continuousSine(samplesPerPart: 70_001)
    let expected = try await Media.continuousSine(samplesPerPart: 70_001, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    let uris = [
      Media.missing, good[0], try await Media.textFile(), try await Media.emptyFile(), good[1], Media.missing,
    ]
    try await withTappedPlayer(uris.map(fileURI)) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), expected)
      #expect(harness.failures.map(\.item) == [0, 2, 3, 5].map { harness.items[$0] })
    }
  }

  @Test("A 32-bit FLAC file, which GStreamer 1.22 cannot decode, fails at most once, and the next item plays")
  func wideSamples() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let raw = try directory.write((0..<88_200).flatMap { [0, 0, UInt8(truncatingIfNeeded: $0), 0] }, to: "wide.raw")
      let path = directory.file("wide.flac")
      let format = ["--force-raw-format", "--sign=signed", "--endian=little", "--channels=1", "--bps=32"]
      let encoded = try await run(["flac", "--silent", "--sample-rate=44100", "-o", path] + format + [raw])
      try #require(encoded.succeeded, "\(encoded.error)")
      try await withPlayer([fileURI(path), good]) { harness in
        try await harness.playToEnd()
        let isPlayed = harness.significantEvents.first == .itemDidPlayToEnd(harness.items[0])
        #expect(harness.failures.map(\.code) == (isPlayed ? [] : [.codecMissing]))
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
      }
    }
  }
}
