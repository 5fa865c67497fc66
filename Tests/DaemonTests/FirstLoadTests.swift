import GstPlayer
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

/// Tests of a new queue whose first item is not inspected, because playback opens it anyway.
@Suite("The first load of a new queue", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct FirstLoadTests {
  /// Writes a file that begins as a FLAC file and contains no audio.
  private func damaged(_ name: String, in directory: TemporaryDirectory) throws -> String {
    try directory.write(Array("fLaC".utf8) + Array(repeating: 0xFF, count: 4_000), to: name)
  }

  private func uri(_ path: String) -> String { FileURI.absolute(from: path) }

  @Test("A file that begins as media is loaded without an inspection into an empty queue, and inspected otherwise")
  func inspections() async throws {
    let media = try await Media.sine(seconds: 2, format: .flac)
    try await withLoader(checksPlayability: true) { harness, _ in
      for (isPaused, inspections) in [(false, 0), (false, 1), (true, 2)] {
        let report = try await harness.report(OpenRequest(uris: [uri(media)], startsPaused: isPaused))
        #expect(report.trackCount == 1 && harness.player.items.count == 1)
        #expect(harness.media.inspectionCount == inspections)
      }
    }
  }

  @Test("Items that fail before the first playable one are left out and reported, and the rest plays")
  func leading() async throws {
    let media = try await Media.sine(seconds: 2, format: .flac)
    try await withLoader(checksPlayability: true) { harness, directory in
      let uris = try [damaged("a.flac", in: directory), damaged("b.flac", in: directory), media, media].map(uri)
      let report = try await harness.report(OpenRequest(uris: uris))
      #expect(report.trackCount == 2 && report.rejectionCount == 2, "\(report)")
      #expect(report.rejections.first?.contains("a.flac: ") == true)
      #expect(harness.player.items.map(\.uri) == [uris[2], uris[3]])
      #expect(harness.player.snapshot.transport == .playing)
    }
  }

  @Test("If all items fail, the queue is empty as before", arguments: [Player.LoopMode.none, .track, .playlist])
  func none(loop: Player.LoopMode) async throws {
    try await withLoader(checksPlayability: true) { harness, directory in
      let uris = try [damaged("a.flac", in: directory), damaged("b.flac", in: directory)].map(uri)
      let report = try await harness.report(OpenRequest(uris: uris, loop: loop))
      #expect(report.trackCount == 0 && report.rejectionCount == 2, "\(report)")
      #expect(harness.player.items.isEmpty && harness.player.snapshot.transport == .stopped)
    }
  }

  @Test("The start of a file shows whether it may be media")
  func starts() {
    func isKnown(_ text: String) -> Bool { ContainerStart.isKnown(Array(text.utf8)) }
    #expect(isKnown("fLaC\0\0\0\u{22}") && isKnown("RIFF0000WAVEfmt ") && isKnown("\0\0\0\u{20}ftypM4A "))
    #expect(!isKnown("") && !isKnown("fLa") && !isKnown("RIFF0000WEBP") && !isKnown("#EXTM3U\n"))
    #expect(ContainerStart.isKnown([0x1A, 0x45, 0xDF, 0xA3]))
  }
}
