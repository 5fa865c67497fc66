import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@testable import Playback

@Suite("Limits of media", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct MediaLimitTests {
  /// Media that exceeds a limit, and a part of the reason.
  struct Excess: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: @Sendable () -> [UInt8]
    let reason: String

    static let all = [
      Excess(
        testDescription: "200 000 nested boxes", bytes: { file + HostileHeaders.boxes("moov", 200_000) },
        reason: "boxes"),
      Excess(
        testDescription: "100 000 nested chapters",
        bytes: {
          HostileHeaders.segment + HostileHeaders.element(0x1043_A770, 4, HostileHeaders.elements(0xB6, 1, 100_000))
        }, reason: "nested chapters"),
      Excess(
        testDescription: "200 000 nested script objects", bytes: { HostileHeaders.script(200_000) }, reason: "script"),
      Excess(
        testDescription: "100 000 nested ASF objects", bytes: { HostileHeaders.asf(100_000) }, reason: "ASF objects"),
      Excess(
        testDescription: "100 000 ID3 frames", bytes: { HostileHeaders.frames(100_000) + sound }, reason: "ID3 frames"),
      Excess(
        testDescription: "20 ID3 tags",
        bytes: { HostileHeaders.repeated(20, HostileHeaders.tag(HostileHeaders.zeros(20))) + sound }, reason: "in a row"
      ),
      Excess(
        testDescription: "metadata without end",
        bytes: {
          let format = HostileHeaders.join([16, 0, 16, 0], HostileHeaders.zeros(6), [0x0A, 0xC4, 0x42, 0xF0])
          let information = HostileHeaders.block(0, HostileHeaders.join(format, HostileHeaders.zeros(20)))
          let padding = HostileHeaders.block(1, HostileHeaders.zeros(1 << 20))
          return HostileHeaders.join(HostileHeaders.magic, information, HostileHeaders.repeated(66, padding))
        }, reason: "64 MiB"),
      Excess(
        testDescription: "130 tracks", bytes: { HostileHeaders.tracks(130) }, reason: "tracks"),
    ]

    private static let file = HostileHeaders.box("ftyp", Array("M4A ".utf8) + HostileHeaders.zeros(4))
    /// A frame of MP3 without data.
    private static let sound = HostileHeaders.repeated(20, [0xFF, 0xFB, 0x90, 0x64] + HostileHeaders.zeros(413))
  }

  @Test(
    "Media that exceeds a limit fails with the reason, from a file and a server, and the next item plays",
    arguments: Excess.all)
  func excess(excess: Excess) async throws {
    let good = fileURI(try await Media.sine(seconds: 0.2))
    try await withTemporaryDirectory { directory in
      let bytes = excess.bytes()
      let path = try directory.write(bytes, to: "excess")
      try await withHTTPServer { server in
        let remote = server.script("/excess", HTTPResponse.bytes(bytes).ignoringRanges())
        try await withPlayer([fileURI(path), good, remote, good], sink: "fakesink", inFastTime: false) { harness in
          try await harness.playToEnd(within: 60)
          #expect(harness.failures.map(\.code) == [.limitExceeded, .limitExceeded])
          #expect(harness.failures.map(\.item) == [harness.items[0], harness.items[2]])
          #expect(harness.player.snapshot.lastError?.message.contains(excess.reason) == true)
        }
        for uri in [fileURI(path), remote] {
          let error = await #expect(throws: PlayerError.self) { _ = try await MediaInspector().inspect(uri) }
          #expect(error?.code == .limitExceeded, "\(String(describing: error))")
        }
      }
    }
  }

  @Test("A file with a cover of 15 MiB plays, and the cover is read")
  func largeCover() async throws {
    let plain = try await Media.sine(seconds: 0.2)
    try await withTemporaryDirectory { directory in
      let sound = Array(try Data(contentsOf: URL(filePath: plain)))
      let cover = Array(try Data(contentsOf: URL(filePath: try await Media.cover())))
      let size = 15 << 20
      let head = HostileHeaders.join(HostileHeaders.big(3), HostileHeaders.big(9), Array("image/png".utf8))
      let picture = HostileHeaders.join(
        head, HostileHeaders.zeros(20), HostileHeaders.big(size), cover, HostileHeaders.zeros(size - cover.count))
      let block = HostileHeaders.block(6, picture)
      let path = try directory.write(Array(sound[..<42]) + block + sound[42...], to: "cover.flac")
      let description = try await MediaInspector().inspect(fileURI(path))
      #expect(description.metadata.artwork?.bytes.count == size)
    }
  }
}
