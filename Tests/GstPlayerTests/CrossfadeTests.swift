import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of crossfades between two streams that a sound server mixes.
@Suite(
  "Crossfades at a sound server",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"), .serialized)
struct CrossfadeTests {
  /// Returns the URI of a WAV file with noise on one channel.
  private static func noise(_ seconds: Double, isLeft: Bool, rate: Int = 44_100) async throws -> String {
    var generator = SeededGenerator(seed: isLeft ? 1 : 2)
    let frames = (0..<Int(seconds * Double(rate))).map { _ in Int32.random(in: 1...8_000, using: &generator) }
    let silence = [Int32](repeating: 0, count: frames.count)
    return fileURI(try await Media.wav(channels: isLeft ? [frames, silence] : [silence, frames], PCM(rate: rate)))
  }

  @Test("The two streams overlap by the length of the crossfade")
  func overlap() async throws {
    let shape = CrossfadeShape(length: .seconds(1), curve: .linear)
    let (first, second) = try await (Self.stereo(4.5, isLeft: true), Self.stereo(2, isLeft: false))
    let sound = try await withPulseServer { server in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment, milliseconds: 20) { recorder in
        let environment = server.environment
        await #expect(processExitsWith: .success) {
          [first = first as String, second = second as String, environment = environment as [String: String]] in
          for (name, value) in environment { unsafe setenv(name, value, 1) }
          let engine = ScriptedEngine()
          try await engine.crossfade(
            first, second, at: .milliseconds(3500), CrossfadeShape(length: .seconds(1), curve: .linear))
          await engine.close()
        }
        return try await recorder.channels()
      }
    }
    _ = shape
    let begin = sound.right.firstIndex { $0 != 0 } ?? 0
    let end = sound.left.lastIndex { $0 != 0 } ?? 0
    print("OVERLAP", Double(end - begin) / 44.1, "ms; total", sound.left.count, "begin", begin, "end", end)
  }

  private static func stereo(_ seconds: Double, isLeft: Bool, rate: Int = 44_100) async throws -> String {
    try await noise(seconds, isLeft: isLeft, rate: rate)
  }
}
