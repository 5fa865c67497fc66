import CGst
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer

/// What stays behind of players that were closed, and of items that were played, in a process of their own.
@Suite("What is left behind", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LeakTests {
  @Test("After 200 players there is no object of GStreamer's left, and neither a thread nor a descriptor more")
  func players() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 4409).map(fileURI)
    let (first, second, missing) = (files[0], files[1], fileURI(Media.missing))
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) {
        [first = first as String, second = second as String, missing = missing as String, log = log as String] in
        try await countingObjects(in: log) {
          var early = Resources.inUse
          for cycle in 0..<200 {
            try await withPlayer([first, missing, second], sink: "fakesink") { stage in
              try await live(cycle % 5, stage)
            }
            if cycle == 20 { early = Resources.inUse }
          }
          let late = Resources.inUse
          #expect(late.descriptors <= early.descriptors)
          #expect(late.threads <= early.threads + Resources.idleThreads)
        }
      }
    }
  }

  @Test("A selector that a state change starts again while it is removed is stopped")
  func removedSelector() async throws {
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) { [log = log as String] in
        try await countingObjects(in: log) {
          try await removeRunningSelector()
        }
      }
    }
  }

  @Test("64 players closed at once leave no object of GStreamer and no more than one thread each")
  func playersAtOnce() async throws {
    let file = fileURI(try await Media.sine(seconds: 5))
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) { [file = file as String, log = log as String] in
        try await countingObjects(in: log) {
          for _ in 0..<2 {
            let stages = (0..<64).map { _ in
              Stage([file], configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
            }
            for stage in stages { try await stage.playing() }
            await withTaskGroup { group in
              for stage in stages { group.addTask { await stage.end() } }
            }
            // The pipeline of each player is released on a queue of its own. Its thread ends after 5 s without work.
            let threads = Resources.threads(named: "overcommit")
            #expect(threads > 0, "libdispatch names its threads differently")
            #expect(threads <= 64 + 16)
          }
        }
      }
    }
  }

  @Test(
    "100 loads, seeks and stops of films leave nothing behind", .enabled(if: Film.isAvailable, "\(Film.unavailable)"))
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
          try await withPlayer(films, sink: "fakesink sync=true") { stage in
            for cycle in 0..<100 {
              stage.player.play(stage.items[cycle % 2].id)
              if cycle.isMultiple(of: 3) {
                try await stage.reaches("playing") { $0.timeControlStatus == .playing }
                #expect(await stage.player.seek(to: .seconds(1)))
              }
              if cycle.isMultiple(of: 5) { stage.player.stop() }
            }
            try await stage.ready()
          }
        }
      }
    }
  }

  @Test("200 loads, seeks and stops of one player leave nothing behind")
  func loads() async throws {
    let files = try await Media.continuousSine(parts: 2).map(fileURI)
    let (first, second) = (files[0], files[1])
    try await withTemporaryDirectory { directory in
      let log = directory.file("leaks.log")
      await #expect(processExitsWith: .success) {
        [first = first as String, second = second as String, log = log as String] in
        try await countingObjects(in: log) {
          try await withPlayer([first, second], sink: "fakesink sync=true") { stage in
            var early = Resources.inUse
            for cycle in 0..<200 {
              stage.player.play(stage.items[cycle % 2].id)
              if cycle.isMultiple(of: 3) {
                try await stage.reaches("playing") { $0.timeControlStatus == .playing }
                await stage.player.seek(to: .milliseconds(300))
              }
              if cycle.isMultiple(of: 2) { stage.player.stop() }
              if cycle == 20 { early = Resources.inUse }
            }
            try await stage.ready()
            let late = Resources.inUse
            #expect(late.descriptors <= early.descriptors + 4)
            #expect(late.threads <= early.threads + Resources.idleThreads)
          }
        }
      }
    }
  }
}

/// Removes a selector that runs, as a state change of its parent that overlaps the removal leaves it.
private func removeRunningSelector() async throws {
  try GStreamer.initialize()
  let executor = PipelineExecutor(label: "test")
  let (isAdded, isRemoved) = removeRunningSelector(stoppingOn: executor)
  #expect(isAdded && isRemoved)
  await withCheckedContinuation { stopped in executor.queue.async { stopped.resume() } }
}

private func removeRunningSelector(stoppingOn executor: PipelineExecutor) -> (isAdded: Bool, isRemoved: Bool) {
  guard let bin = unsafe gst_bin_new(nil), let selector = unsafe gst_element_factory_make("input-selector", nil) else {
    return (false, false)
  }
  unsafe gst_object_ref_sink(bin)
  defer { unsafe gst_object_unref(bin) }
  unsafe RemovedSelector.stopAll(of: bin, on: executor)
  let isAdded = unsafe gst_bin_add(cgst_bin(bin), selector) != 0
  unsafe gst_element_set_state(selector, GST_STATE_PAUSED)
  return (isAdded, unsafe gst_bin_remove(cgst_bin(bin), selector) != 0)
}

/// One of several short lives.
private func live(_ kind: Int, _ stage: Stage) async throws {
  switch kind {
  case 0: try await stage.playOut()
  case 1:
    try await stage.ready()
    await stage.player.seek(to: .milliseconds(50))
  case 2: stage.player.play()
  case 3:
    stage.player.play()
    try await stage.event(.changed)
    stage.player.stop()
    stage.player.play()
  default: break
  }
}

/// Runs `body`, ends GStreamer, and expects that none of its objects is left.
private func countingObjects(in log: String, _ body: () async throws -> Void) async throws {
  unsafe setenv("GST_TRACERS", "leaks", 1)
  unsafe setenv("GST_DEBUG", "GST_TRACER:7", 1)
  unsafe setenv("GST_DEBUG_NO_COLOR", "1", 1)
  unsafe setenv("GST_DEBUG_FILE", log, 1)
  try await body()
  gst_deinit()
  // The name of an object that was freed is no valid text.
  let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
  let left = text.split(separator: "\n").filter { $0.contains("object-alive, type-name=(string)Gst") }
  #expect(left.isEmpty, "\(left.count): \(left.prefix(3))")
  #expect(text.contains("object-alive"), "the tracer was not there")
}

/// What the process uses of the system.
private struct Resources {
  var threads: Int
  var descriptors: Int

  /// Threads of Dispatch's and GLib's pools come and go; a leak would be one or more for each cycle.
  static let idleThreads = 40

  static var inUse: Resources {
    Resources(threads: count("/proc/self/task"), descriptors: count("/proc/self/fd"))
  }

  /// The number of threads whose name contains `name`.
  static func threads(named name: String) -> Int {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.count {
      (try? String(contentsOf: URL(filePath: "/proc/self/task/\($0)/comm"), encoding: .utf8))?.contains(name) == true
    }
  }

  private static func count(_ directory: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
  }
}
