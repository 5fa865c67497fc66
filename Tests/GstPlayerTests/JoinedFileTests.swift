import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Files whose header describes a part of them", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct JoinedFileTests {
  /// The options of `lame` for the files that are joined: the first has a header, or none.
  static let encodings = [["-b", "128"], ["-V", "4"], ["-b", "128", "-t"], ["-V", "4", "-t"]]

  /// Joins three MP3 files of two seconds.
  private func joined(_ options: [String], in directory: TemporaryDirectory) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for frequency in [440, 550, 660] {
      let wav = try await Media.sine(seconds: 2, frequency: frequency, format: .wav)
      let path = directory.file("\(frequency).mp3")
      let title = ["--tt", "\(frequency)", "--id3v2-only"]
      #expect(try await run(["lame", "--quiet"] + title + options + [wav, path], within: 60).succeeded)
      bytes += Array(try Data(contentsOf: URL(filePath: path)))
    }
    return bytes
  }

  @Test(
    "Three joined MP3 files have the duration of all, can be sought in, and play to their end", arguments: encodings)
  func local(options: [String]) async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write(try await joined(options, in: directory), to: "joined.mp3")
      // The measurement has the lowest priority: on a busy machine, it waits for all other tests. A release of the output in
      // the pause would end it.
      try await withTappedPlayer([fileURI(path)], releaseOutputAfter: .seconds(600)) { harness, tap in
        try await harness.ready()
        let snapshot = try await harness.reaches("a measured duration", within: 100) {
          $0.duration.map { $0 > .seconds(5.9) } ?? false
        }
        let duration = try #require(snapshot.duration)
        #expect(duration < .seconds(6.3))
        #expect(await harness.player.seek(to: .seconds(5)).isCompleted)
        #expect(harness.player.snapshot.position == .seconds(5))
        try await harness.playToEnd()
        let rest = Double(try tap.recorded().count) / 44_100
        // A seek across the tag between two files loses the last two frames of the first one.
        #expect(abs(rest - (duration.seconds - 5)) < 0.15, "\(rest) s after 5 s of \(duration)")
        #expect(abs((try #require(harness.player.snapshot.duration) - duration) / .seconds(1)) < 0.1)
      }
    }
  }

  @Test("A position that begins beyond the claimed duration is kept")
  func start() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write(try await joined(["-b", "128"], in: directory), to: "joined.mp3")
      try await withPlayer([fileURI(path)]) { harness in
        harness.player.play()
        harness.player.pause()
        #expect(await harness.player.seek(to: .seconds(5)).isCompleted)
        #expect(harness.player.snapshot.position == .seconds(5))
      }
    }
  }

  @Test("In low power mode, and from a server, the position passes the claimed duration, and the end is the duration")
  func unmeasured() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write(try await joined(["-b", "128"], in: directory), to: "joined.mp3")
      try await withHTTPServer { server in
        for uri in [fileURI(path), server.script("/a.mp3", try .file(path))] {
          try await withPlayer([uri]) { harness in
            harness.player.isLowPowerModeEnabled = true
            let passed = EventLog<Duration>()
            let player = harness.player
            let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(4), .seconds(5)]) { _ in
              passed.append(player.snapshot.position)
            }
            try await harness.playToEnd()
            #expect(passed.elements.map { $0.components.seconds } == [4, 5])
            #expect(abs((try #require(player.snapshot.duration) - .seconds(6.1)) / .seconds(1)) < 0.2)
            observation.cancel()
          }
        }
      }
    }
  }

  @Test("A file with a header that fits its size has its duration at once")
  func reliable() async throws {
    let path = try await Media.sine(seconds: 2, format: .mp3)
    try await withPlayer([fileURI(path)]) { harness in
      let duration = try #require(try await harness.ready().duration)
      #expect(abs((duration - .seconds(2)) / .milliseconds(1)) < 60)
    }
  }
}
