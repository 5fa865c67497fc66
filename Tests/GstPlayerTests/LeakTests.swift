import CGst
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer

/// Tests for leaks of closed players and played items, in separate processes.
@Suite("Leaks", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LeakTests {
  @Test("After 200 players no GStreamer object, thread or descriptor is leaked")
  func players() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 4409).map(fileURI)
    let (first, second, missing) = (files[0], files[1], fileURI(Media.missing))
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) {
        [first = first as String, second = second as String, missing = missing as String, log = log as String] in
        try await countingObjects(in: log) {
          var early = ResourceUsage.inUse
          for cycle in 0..<200 {
            try await withPlayer([first, missing, second], sink: "fakesink", inFastTime: false) { harness in
              try await live(cycle % 5, harness)
            }
            if cycle == 20 { early = ResourceUsage.inUse }
          }
          let late = ResourceUsage.inUse
          #expect(late.descriptors <= early.descriptors)
          #expect(late.threads <= early.threads + ResourceUsage.idleThreads)
        }
      }
    }
  }

  @Test("Closing 64 players at once leaks no GStreamer object and leaves at most one thread each")
  func playersAtOnce() async throws {
    let file = fileURI(try await Media.sine(seconds: 5))
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) { [file = file as String, log = log as String] in
        try await countingObjects(in: log) {
          for _ in 0..<2 {
            let stages = (0..<64).map { _ in
              PlayerHarness([file], configuration: Player.Configuration(audioSink: "fakesink sync=true"))
            }
            for harness in stages { try await harness.playing() }
            await withTaskGroup { group in
              for harness in stages { group.addTask { await harness.end() } }
            }
            // The deck and the output of each player are released on a queue each, whose thread ends after 5 s
            // without work.
            let threads = ResourceUsage.threads(named: "overcommit")
            #expect(threads > 0, "libdispatch names its threads differently")
            #expect(threads <= 64 + 16, "\(threads) threads")
          }
        }
      }
    }
  }

  @Test(
    "100 loads, seeks and stops of films leak nothing", .enabled(if: Film.isAvailable, "\(Film.unavailable)"))
  func films() async throws {
    let sound = try await Media.sine(seconds: 2, format: .wav)
    let films = [
      fileURI(try await made(.subtitled, sound: sound, seconds: 2)),
      fileURI(try await made(.mp4, sound: sound, seconds: 2)),
    ]
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) { [films = films as [String], log = log as String] in
        try await countingObjects(in: log) {
          try await withPlayer(films, sink: "fakesink sync=true", inFastTime: false) { harness in
            for cycle in 0..<100 {
              harness.player.play(item: harness.items[cycle % 2].id)
              if cycle.isMultiple(of: 3) {
                try await harness.reaches("playing") { $0.timeControlStatus == .playing }
                #expect(await harness.player.seek(to: .seconds(1)).isCompleted)
              }
              if cycle.isMultiple(of: 5) { harness.player.stop() }
            }
            try await harness.ready()
          }
        }
      }
    }
  }

  @Test("200 loads, seeks and stops of one player leak nothing")
  func loads() async throws {
    let files = try await Media.continuousSine(parts: 2).map(fileURI)
    let (first, second) = (files[0], files[1])
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) {
        [first = first as String, second = second as String, log = log as String] in
        try await countingObjects(in: log) {
          try await withPlayer([first, second], sink: "fakesink sync=true", inFastTime: false) { harness in
            var early = ResourceUsage.inUse
            for cycle in 0..<200 {
              harness.player.play(item: harness.items[cycle % 2].id)
              if cycle.isMultiple(of: 3) {
                try await harness.reaches("playing") { $0.timeControlStatus == .playing }
                _ = await harness.player.seek(to: .milliseconds(300)).isCompleted
              }
              if cycle.isMultiple(of: 2) { harness.player.stop() }
              if cycle == 20 { early = ResourceUsage.inUse }
            }
            try await harness.ready()
            let late = ResourceUsage.inUse
            #expect(late.descriptors <= early.descriptors + 4)
            #expect(late.threads <= early.threads + ResourceUsage.idleThreads)
          }
        }
      }
    }
  }
}

/// Runs one of several short uses of a player.
private func live(_ kind: Int, _ harness: PlayerHarness) async throws {
  switch kind {
  case 0: try await harness.playToEnd()
  case 1:
    try await harness.ready()
    _ = await harness.player.seek(to: .milliseconds(50)).isCompleted
  case 2: harness.player.play()
  case 3:
    harness.player.play()
    try await harness.event(.changed)
    harness.player.stop()
    harness.player.play()
  default: break
  }
}

/// Runs `body`, deinitializes GStreamer, and expects that all of its objects are freed.
private func countingObjects(in log: String, _ body: () async throws -> Void) async throws {
  unsafe setenv("GST_TRACERS", "leaks", 1)
  unsafe setenv("GST_DEBUG", "GST_TRACER:7", 1)
  unsafe setenv("GST_DEBUG_NO_COLOR", "1", 1)
  unsafe setenv("GST_DEBUG_FILE", log, 1)
  try await body()
  gst_deinit()
  // The name of a freed object may be invalid text.
  let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
  let left = text.split(separator: "\n").filter { $0.contains("object-alive, type-name=(string)Gst") }
  #expect(left.isEmpty, "\(left.count): \(left.prefix(3))")
  #expect(text.contains("object-alive"), "the tracer did not run")
}
