import CGst
import EngineProcess
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// The instant at which the first sample of a stream is due at the output.
@Suite("A start at an instant at the output", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct StartInstantTests {
  private static let configuration = Player.Configuration(audioSink: "fakesink sync=true")

  @Test("The first sample is due at the instant by the clock of the output, and the start is reported then")
  func due() async throws {
    let engine = ScriptedEngine(Self.configuration)
    engine.perform(.load(uri: fileURI(try await Media.sine(seconds: 30)), .first))
    try await engine.event(.settled, of: .first)
    // On a busy machine, the seek may take longer than the first delays.
    for delay in [1, 4, 16] {
      let (place, instant) = (engine.events.count, MonotonicTime.now + .seconds(delay))
      engine.perform(.setPlaying(false), .seek(to: .seconds(5), rate: 1, startingAt: instant), .setPlaying(true))
      let running = try await engine.events.first("the start", from: place, within: 60) {
        if case .running = $0 { true } else { false }
      }
      #expect(MonotonicTime.now >= instant)
      guard case .running(_, let position?) = running.element else { continue }
      #expect(position >= .seconds(5) - .milliseconds(1))
      let due = try #require(engine.host.firstSampleDue)
      #expect(due > instant + .milliseconds(-1))
      if due < instant + .milliseconds(1) { return await engine.close() }
    }
    Issue.record("the first sample is due after the instant")
    await engine.close()
  }

  @Test(
    "A seek without an instant releases the sample that is held, while playing and paused", arguments: [true, false])
  func released(isPlaying: Bool) async throws {
    let engine = ScriptedEngine(Self.configuration)
    engine.perform(.load(uri: fileURI(try await Media.sine(seconds: 30)), .first))
    try await engine.event(.settled, of: .first)
    let place = engine.events.count
    engine.perform(.seek(to: .seconds(5), rate: 1, startingAt: .now + .seconds(3600)), .setPlaying(isPlaying))
    try await engine.event(.settled, of: .first, from: place)
    #expect(engine.events.elements.allSatisfy { if case .running = $0 { false } else { true } })
    engine.perform(.seek(to: .seconds(7), rate: 1), .setPlaying(true))
    try await engine.passed(.milliseconds(7_100), of: .first)
    await engine.close()
  }
}

extension PipelineHost {
  /// The instant at which the first sample of the present segment is due, by the monotonic clock of a sink that does not
  /// have its own.
  fileprivate var firstSampleDue: MonotonicTime? {
    let context = state.withLock { $0.context }
    return unsafe context?.output.with { output in
      let base = unsafe gst_element_get_base_time(output)
      let segment = unsafe GLib.withPad("sink", of: output) { unsafe GstSegment.present(at: $0) } ?? nil
      return segment.map { MonotonicTime(nanoseconds: Int64(clamping: base) + Int64(clamping: $0.base)) }
    } ?? nil
  }
}

/// Two players that start at one instant at a sound server; figures for a person, because they depend on the load of the
/// machine.
@Suite(
  "Starts at an instant at a sound server",
  .enabled(if: Environment.measuresStarts, "set MEASURE_STARTS=1"))
struct StartInstantMeasurement {
  /// Loads a file, and plays it at an instant.
  @Sendable static func play(_ uri: String, at instant: MonotonicTime) async throws {
    let engine = ScriptedEngine()
    engine.perform(.load(uri: uri, .first))
    try await engine.event(.settled, of: .first)
    engine.perform(.seek(to: .zero, rate: 1, startingAt: instant))
    let wait = WakeTimer(queue: DispatchClock.queue)
    let start = instant + (.zero - EngineCommand.startLead)
    await withCheckedContinuation { continuation in wait.set(max(.now, start)) { continuation.resume() } }
    engine.perform(.setPlaying(true))
    try await engine.event(.ended, of: .first)
    await engine.close()
  }

  @Test(
    "Two players start within a millisecond", arguments: [true, false], [500, 1_000, 2_000, 5_000])
  func difference(isOneProcess: Bool, delay: Int) async throws {
    let left = try await OneChannel.noise(1, isLeft: true)
    let right = try await OneChannel.noise(1, isLeft: false)
    try await withPulseServer { server in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment, milliseconds: 20) { recorder in
        let groups = isOneProcess ? [[left, right]] : [[left], [right]]
        // A process of the tests and its output are started in less than two seconds.
        let instant = (MonotonicTime.now + .milliseconds(2_000 + delay)).nanoseconds
        await withTaskGroup { group in
          for files in groups {
            group.addTask {
              await #expect(processExitsWith: .success) {
                [
                  files = files as [String], environment = server.environment as [String: String],
                  instant = instant as Int64
                ]
                in
                for (name, value) in environment { unsafe setenv(name, value, 1) }
                try await withThrowingTaskGroup { group in
                  for file in files {
                    group.addTask { try await Self.play(file, at: MonotonicTime(nanoseconds: instant)) }
                  }
                  try await group.waitForAll()
                }
              }
            }
          }
        }
        let (first, second) = try await recorder.channels(until: Waveform.sampleRate / 2)
        let begins = [first, second].map { $0.firstIndex { $0 != 0 } ?? 0 }
        let difference = Double(begins[0] - begins[1]) / Double(Waveform.sampleRate) * 1000
        print("start: \(isOneProcess ? 1 : 2) processes, \(delay) ms ahead: \(difference) ms")
        #expect(abs(difference) < 1)
      }
    }
  }
}

private enum Environment {
  static var measuresStarts: Bool { unsafe getenv("MEASURE_STARTS") != nil }
}
