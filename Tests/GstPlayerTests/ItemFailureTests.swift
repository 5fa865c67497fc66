import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

@Suite("Items that cannot be played", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ItemFailureTests {
  /// An item that fails, made in a directory, and the code that tells why.
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
      Bad(testDescription: "a scheme nobody reads", code: .unsupportedScheme) { _ in "gopher://127.0.0.1/a" },
      Bad(testDescription: "no URI at all", code: .invalidArgument) { _ in "nonsense" },
    ]

    /// The same bytes each time, with no pattern that a type finder knows.
    private static let noise: [UInt8] = {
      var state: UInt64 = 42
      return (0..<20_000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 57)
      }
    }()
  }

  @Test("Each has one failure with a code of its own, and the next item plays", arguments: Bad.all)
  func skipped(bad: Bad) async throws {
    try await withTemporaryDirectory { directory in
      let good = fileURI(try await Media.sine(seconds: 0.3))
      try await withPlayer([try await bad.uri(directory), good]) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [bad.code])
        #expect(stage.player.snapshot.lastError?.code == bad.code)
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
      }
    }
  }

  @Test("A file that may not be read", .enabled(if: geteuid() != 0, "root may read every file"))
  func permission() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write([1, 2, 3], to: "secret.flac")
      #expect(unsafe chmod(path, 0) == 0)
      try await withPlayer([fileURI(path)]) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.code) == [.permissionDenied])
      }
    }
  }

  @Test("When all fail there is one pass with one failure each, whatever the loop mode", arguments: LoopMode.allCases)
  func allBad(loop: LoopMode) async throws {
    try await withTemporaryDirectory { directory in
      var uris: [String] = []
      for bad in Bad.all { uris.append(try await bad.uri(directory)) }
      try await withPlayer(uris) { stage in
        stage.player.setLoop(loop)
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == stage.items)
        #expect(stage.failures.map(\.code) == Bad.all.map(\.code))
        #expect(stage.player.snapshot.transport == .stopped)
        #expect(stage.story.last == .queueEnded)
      }
    }
  }

  @Test("After a failure the player plays what it is given next")
  func usableAfterwards() async throws {
    try await withPlayer([fileURI(Media.missing)]) { stage in
      try await stage.playOut()
      let good = PlayerItem(uri: fileURI(try await Media.sine(seconds: 0.3)))
      stage.player.replaceQueue(with: [good])
      let place = stage.events.count
      stage.player.play()
      try await stage.event(.itemDidPlayToEnd(good), from: place)
      #expect(stage.failures.count == 1)
    }
  }

  @Test("A truncated file plays what is there and ends like any other")
  func truncated() async throws {
    try await withTemporaryDirectory { directory in
      let whole = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .wav))))
      let path = try directory.write(Array(whole.prefix(44 + 4 * 22_050)), to: "half.wav")
      let expected = try samples(ofWAV: path)
      try await withTappedPlayer([fileURI(path)]) { stage, tap in
        try await stage.playOut()
        #expect(difference(try tap.heard(), expected) == nil)
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
      }
    }
  }

  @Test("A file that is deleted while it plays is played to its end")
  func deleted() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Media.sine(seconds: 3, format: .wav)
      let copy = try directory.write(Array(try Data(contentsOf: URL(filePath: path))), to: "gone.wav")
      let expected = try samples(ofWAV: path)
      try await withTappedPlayer([fileURI(copy)]) { stage, tap in
        try await stage.playing()
        #expect(unsafe unlink(copy) == 0)
        try await stage.event(.queueEnded)
        #expect(difference(try tap.heard(), expected) == nil)
        #expect(stage.failures.isEmpty)
      }
    }
  }

  @Test("A pipe or a device, of which no end may come, is refused", arguments: ["pipe.flac", "/dev/zero"])
  func endless(name: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = name.hasPrefix("/") ? name : directory.file(name)
      if path != name { #expect(unsafe mkfifo(path, 0o600) == 0) }
      // Held open, so that opening it to read would not wait for a writer.
      let writer = path != name ? unsafe open(path, O_RDWR | O_CLOEXEC) : -1
      defer { close(writer) }
      let good = fileURI(try await Media.sine(seconds: 0.3))
      try await withPlayer([fileURI(path), good]) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.failures.map(\.code) == [.notMedia])
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
      }
    }
  }

  @Test("A truncated FLAC file plays what is there, ends like any other, and its duration is corrected")
  func truncatedFLAC() async throws {
    try await withTemporaryDirectory { directory in
      let whole = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 3, frequency: 333))))
      let original = try samples(ofWAV: try await Media.sine(seconds: 3, frequency: 333, format: .wav))
      let path = try directory.write(Array(whole.prefix(8500 + (whole.count - 8500) / 3)), to: "cut.flac")
      try await withTappedPlayer([fileURI(path)]) { stage, tap in
        try await stage.playOut()
        let heard = try tap.heard()
        #expect(difference(heard, original.prefix(heard.count)) == nil)
        #expect((20_000...100_000).contains(heard.count))
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
        let end = Double(heard.count) / 44_100
        let duration = try #require(stage.player.snapshot.duration)
        #expect(abs(duration / .seconds(1) - end) < 0.1)
      }
    }
  }

  @Test(
    "A truncated file whose successor fails ends with its last sample, and not when its duration says so",
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
      // The count of samples in the stream's description: about a day.
      bytes.replaceSubrange(22..<26, with: [0xF0, 0, 0, 0])
      let claiming = try directory.write(bytes, to: "day.flac")
      try await withTappedPlayer([claiming, bad, good].map(fileURI)) { stage, tap in
        try await stage.playOut()
        let heard = try tap.heard()
        #expect(difference(heard, original + rest) == nil)
        #expect(stage.failures.map(\.item) == [stage.items[1]])
        #expect(stage.story.first == .itemDidPlayToEnd(stage.items[0]))
      }
    }
  }

  @Test("Bad items between good ones are passed over with every sample of the good ones")
  func between() async throws {
    let good = try await Media.continuousSine(samplesPerPart: 70_001)
    let expected = try await Media.continuousSine(samplesPerPart: 70_001, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    let uris = [
      Media.missing, good[0], try await Media.textFile(), try await Media.emptyFile(), good[1], Media.missing,
    ]
    try await withTappedPlayer(uris.map(fileURI)) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), expected) == nil)
      #expect(stage.failures.map(\.item) == [0, 2, 3, 5].map { stage.items[$0] })
    }
  }

  @Test("A FLAC file of 32 bits, which GStreamer 1.22 cannot decode, fails once if at all, and the next item plays")
  func wideSamples() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let raw = try directory.write((0..<88_200).flatMap { [0, 0, UInt8(truncatingIfNeeded: $0), 0] }, to: "wide.raw")
      let path = directory.file("wide.flac")
      let format = ["--force-raw-format", "--sign=signed", "--endian=little", "--channels=1", "--bps=32"]
      let encoded = try await run(["flac", "--silent", "--sample-rate=44100", "-o", path] + format + [raw])
      try #require(encoded.succeeded, "\(encoded.error)")
      try await withPlayer([fileURI(path), good]) { stage in
        try await stage.playOut()
        let isPlayed = stage.story.first == .itemDidPlayToEnd(stage.items[0])
        #expect(stage.failures.map(\.code) == (isPlayed ? [] : [.codecMissing]))
        #expect(stage.story.suffix(2) == [.itemDidPlayToEnd(stage.items[1]), .queueEnded])
      }
    }
  }
}
