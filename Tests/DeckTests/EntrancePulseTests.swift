import EngineProcess
import Glibc
import Playback
import PlayerClock
import TestSupport
import Testing

@testable import GstPlayer

/// Two engines that start at one instant at a sound server; figures for a person, because they depend on the load of the machine.
@Suite(
  "Starts of decks at an instant at a sound server",
  .enabled(if: unsafe getenv("MEASURE_STARTS") != nil, "set MEASURE_STARTS=1"), .serialized)
struct EntrancePulseTests {
  /// Plays files, each in an engine, from an instant to their ends.
  @Sendable private static func play(_ files: [String], at instant: MonotonicTime) async throws {
    let engines = files.map { _ in DeckEngine(configuration: Player.Configuration()) }
    for (engine, file) in zip(engines, files) {
      let events = EventLog<EngineEvent>()
      engine.open(EngineClient { events.append($0) })
      let stream = StreamToken(number: 1)
      engine.perform(.open(StreamRequest(uri: "file://" + file, stream: stream)))
      engine.perform(.plan([PlannedPart(stream)]))
      engine.perform(.start(at: instant))
      engine.perform(.setPlaying(true))
      Task {
        try await events.first("the end", within: 30) { if case .stream(_, .ended) = $0 { true } else { false } }
        engine.perform(.close(stream))
        engine.perform(.plan([]))
        engine.close()
      }
    }
    for engine in engines { await engine.closed() }
  }

  @Test("Two engines start within a millisecond", arguments: [500, 2_000, 4_500, 500, 2_000, 4_500])
  func difference(delay: Int) async throws {
    let noise = PCM().noise(count: Waveform.sampleRate)
    let silence = [Int32](repeating: 0, count: noise.count)
    let left = try await Media.wav(channels: [noise, silence], PCM())
    let right = try await Media.wav(channels: [silence, noise], PCM())
    try await withPulseServer { server in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment, milliseconds: 20) { recorder in
        // The process of the test starts in less than a second.
        let time = (MonotonicTime.now + .milliseconds(1_000 + delay)).nanoseconds
        await #expect(processExitsWith: .success) {
          [
            left = left as String, right = right as String, environment = server.environment as [String: String],
            time = time as Int64
          ] in
          for (name, value) in environment { unsafe setenv(name, value, 1) }
          try await Self.play([left, right], at: MonotonicTime(nanoseconds: time))
        }
        let (first, second) = try await recorder.channels(until: Waveform.sampleRate / 2)
        let begins = [first, second].map { $0.firstIndex { $0 != 0 } ?? 0 }
        // Each channel starts as the file does.
        let starts = zip([first, second], begins).map { $0[$1] }
        print("start: \(delay) ms ahead: \(begins[0] - begins[1]) samples, \(starts), the file \(noise[0])")
        #expect(abs(begins[0] - begins[1]) < Waveform.sampleRate / 1_000)
        #expect(starts.allSatisfy { Int32($0) == noise[0] })
      }
    }
  }
}
