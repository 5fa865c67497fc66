import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Large files", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LargeFileTests {
  /// Calls `body` with an MP3 of 320 kbit/s without a header, whose data exceeds the limit of data without a sample, and its
  /// duration.
  private func withLargeMP3(_ body: (String, Duration) async throws -> Void) async throws {
    let wav = try await Media.sine(seconds: 24, format: .wav)
    try await withTemporaryDirectory { directory in
      let part = directory.file("part.mp3")
      let made = try await run(["lame", "--silent", "-b", "320", "-t", "--nores", wav, part])
      try #require(made.succeeded, "\(made.error)")
      let frames = try Data(contentsOf: URL(filePath: part))
      let count = (MediaLimits.bytes + (4 << 20)) / frames.count + 1
      let path = directory.file("large.mp3")
      var data = Data(capacity: count * frames.count)
      for _ in 0..<count { data.append(frames) }
      try data.write(to: URL(filePath: path))
      // A frame of 320 kbit/s has 1152 samples, and 1044 or 1045 bytes.
      try await body(path, .nanoseconds(Int64(count * frames.count) * 25_000))
    }
  }

  @Test("A seek in a file and a start position may read more data than may precede the first sample")
  func seek() async throws {
    try await withLargeMP3 { path, duration in
      let target = duration - .seconds(10)
      let late = Player.Item(uri: fileURI(path), externalMetadata: nil, start: target)
      try await withPlayer(items: [Player.Item(uri: fileURI(path)), late], sink: "fakesink") { harness in
        try await harness.ready()
        #expect(await harness.player.seek(to: target).isCompleted)
        #expect(harness.player.snapshot.position >= target)
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      }
      let chunk = try SampleReader(fileURI(path), from: target).next()
      #expect((chunk?.frames ?? 0) > 0)
    }
  }

  @Test("An Ogg file whose end is a megabyte of zeros, as an unfinished download has, plays")
  func zerosAtEnd() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("zeros.ogg")
      let made = try await run([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.5", "-c:a", "libvorbis", path,
      ])
      try #require(made.succeeded, "\(made.error)")
      // The search for the last page reads more than 64 MiB, the same bytes again and again.
      try (Data(contentsOf: URL(filePath: path)) + Data(count: 1 << 20)).write(to: URL(filePath: path))
      try await withPlayer([fileURI(path)], sink: "fakesink") { harness in
        try await harness.playToEnd(within: 60)
        #expect(harness.failures.isEmpty)
      }
    }
  }
}
