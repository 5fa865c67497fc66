import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Seeks in a stream of frames from a server", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ByteSeekTests {
  /// Returns the offsets at which the requests of a path began.
  private func requests(_ server: HTTPServer, _ path: String) -> [Int] {
    server.events.elements.compactMap { if case .requested(path, let start) = $0 { start ?? 0 } else { nil } }
  }

  @Test(
    "A seek in an MP3 requests the data from its target on, and the rest of the item plays", arguments: [true, false])
  func constantRate(isStart: Bool) async throws {
    let path = try await Media.sine(seconds: 120, format: .mp3)
    let size = Array(try Data(contentsOf: URL(filePath: path))).count
    try await withHTTPServer { server in
      try await withTappedPlayer([server.script("/a.mp3", try .file(path))]) { harness, tap in
        let seek: Player.Seek
        if isStart {
          // A player that plays may be at its end before its position is read, because this output does not wait.
          harness.player.load()
          seek = harness.player.seek(to: .seconds(118))
        } else {
          try await harness.ready()
          seek = harness.player.seek(to: .seconds(118))
        }
        #expect(await seek.isCompleted)
        #expect(harness.player.snapshot.isPositionEstimated)
        #expect(harness.player.snapshot.position >= .seconds(118))
        try await harness.playToEnd()
        let seconds = Double(try tap.recorded().count) / 44_100
        #expect(abs(seconds - 2) < 0.1, "\(seconds) s")
        #expect(abs((try #require(harness.player.snapshot.duration) - .seconds(120)) / .seconds(1)) < 0.1)
      }
      let requests = requests(server, "/a.mp3")
      #expect(requests.count == 2 && requests[0] == 0)
      #expect(abs(Double(requests[1]) / Double(size) - 117.7 / 120) < 0.001, "\(requests) of \(size)")
    }
  }

  private static let mono = PCM(rate: 16_000, bits: 16, channels: 1)

  /// Media of 200 s: one half is noise, and the other half has a level for each second.
  private func uneven(isFirstDense: Bool) -> [Int32] {
    let noise = Self.mono.noise(count: 1_600_000)
    let levels = (0..<100).flatMap { [Int32](repeating: Int32($0 * 100), count: 16_000) }
    return isFirstDense ? noise + levels : levels + noise
  }

  @Test(
    "A seek in a FLAC file without a table is exact to the sample, and requests the data shortly before its target",
    arguments: [(true, 80), (true, 150), (false, 150)])
  func flac(isFirstDense: Bool, second: Int) async throws {
    let samples = uneven(isFirstDense: isFirstDense)
    let wav = try await Media.wav(samples, Self.mono)
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.flac")
      let command = ["flac", "--silent", "--no-seektable", "--no-padding", "-o", path, wav]
      #expect(try await run(command, within: 60).succeeded)
      let tap = try Tap(directory)
      try await withHTTPServer { server in
        let uri = server.script("/a.flac", try .file(path))
        try await withPlayer([uri], sink: "audio/x-raw,rate=16000,format=S16LE,channels=1 ! " + tap.rawSink) {
          harness in
          try await harness.ready()
          let target = Duration.seconds(second) + .milliseconds(500)
          #expect(await harness.player.seek(to: target).isCompleted)
          #expect(!harness.player.snapshot.isPositionEstimated)
          #expect(harness.player.snapshot.position == target)
          try await harness.playing(pausedAt: target + .seconds(2))
          // On a busy machine the output is behind the clock.
          let recorded = try tap.raw().prefix(16_000)
          #expect(recorded.count > 1_000)
          expectSamples(recorded, samples[(second * 16_000 + 8_000)...].prefix(recorded.count).map { Int16($0) })
        }
        let requests = requests(server, "/a.flac")
        #expect((2...8).contains(requests.count) && requests.dropFirst().allSatisfy { $0 > 100_000 }, "\(requests)")
      }
    }
  }

  @Test("A seek in a FLAC file with a table needs one request")
  func seekTable() async throws {
    let path = try await Media.sine(seconds: 120)
    try await withHTTPServer { server in
      try await withTappedPlayer([server.script("/a.flac", try .file(path))]) { harness, tap in
        try await harness.ready()
        #expect(await harness.player.seek(to: .seconds(118)).isCompleted)
        try await harness.playToEnd()
        #expect(try tap.recorded().count == 2 * 44_100)
      }
      let requests = requests(server, "/a.flac")
      #expect(requests.count == 2 && requests[1] > 1_000_000, "\(requests)")
    }
  }

  @Test("A seek in AAC without a container requests the data from its target on")
  func adts() async throws {
    guard isElementInstalled("avenc_aac") else { return }
    try await withTemporaryDirectory { directory in
      let path = directory.file("a.aac")
      let command = """
        gst-launch-1.0 -q audiotestsrc num-buffers=5200 ! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! aacparse ! \
        audio/mpeg,stream-format=adts ! filesink location=\(path)
        """
      #expect(try await run(command.split(separator: " ").map(String.init), within: 60).succeeded)
      let size = Array(try Data(contentsOf: URL(filePath: path))).count
      try await withHTTPServer { server in
        try await withPlayer([server.script("/a.aac", try .file(path))]) { harness in
          try await harness.ready()
          #expect(await harness.player.seek(to: .seconds(110)).isCompleted)
          #expect(harness.player.snapshot.isPositionEstimated)
          #expect(await harness.player.seek(to: .seconds(2)).isCompleted)
          #expect(!harness.player.snapshot.isPositionEstimated)
        }
        let requests = requests(server, "/a.aac")
        #expect(requests.count == 3 && Double(requests[1]) > Double(size) * 0.8, "\(requests) of \(size)")
        #expect(requests[2] < size / 20)
      }
    }
  }

  @Test("A seek in a local MP3 is exact, and its position is not an estimate")
  func local() async throws {
    let path = try await Media.sine(seconds: 120, format: .mp3)
    try await withPlayer([fileURI(path)]) { harness in
      try await harness.ready()
      #expect(await harness.player.seek(to: .seconds(118)).isCompleted)
      #expect(!harness.player.snapshot.isPositionEstimated)
    }
  }
}
