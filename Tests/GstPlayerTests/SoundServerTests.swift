import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// What a sound server's output plays, recorded there.
@Suite("Play through a sound server", .enabled(if: Media.isAvailable && SoundRecorder.isAvailable), .serialized)
struct SoundServerTests {
  private let length = 70_001

  /// Plays two halves of one sine.
  ///
  /// - Returns: What was recorded, from the first sample to the last that is not zero, and the same of both files.
  private func played(at sink: String, environment: [String: String]) async throws
    -> (heard: [Int16], original: [Int16])
  {
    let uris = try await Media.continuousSine(samplesPerPart: length).map(fileURI)
    let waves = try await Media.continuousSine(samplesPerPart: length, format: .wav)
    let original = try waves.flatMap { try samples(ofWAV: $0) }
    return try await withSoundRecorder(of: sink, environment: environment) { recorder in
      // libpulse takes the server from the environment, which belongs to a whole process.
      await #expect(processExitsWith: .success) {
        [uris = uris as [String], environment = environment as [String: String]] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        let stage = Stage(uris, configuration: PlayerConfiguration())
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
        #expect(!stage.events.elements.contains { if case .warning = $0 { true } else { false } })
        await stage.end()
      }
      let end = (original.lastIndex { $0 != 0 } ?? 0) + 1
      return (try await recorder.sound(), Array(original[..<end].drop { $0 == 0 }))
    }
  }

  @Test(
    "Two halves of one sine reach a PulseAudio output with not a sample between or above",
    .enabled(if: PulseServer.isAvailable, "\(PulseServer.unavailable)"))
  func pulseAudio() async throws {
    try await withPulseServer { server in
      let (heard, original) = try await played(at: PulseServer.sink, environment: server.environment)
      // The monitor has passed silence on for the time that a stream takes to start.
      #expect(heard.count > length + length / 2)
      #expect(difference(heard, original.suffix(heard.count)) == nil)
    }
  }

  @Test(
    "Two halves of one sine reach a PipeWire output with not a sample between or above",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"))
  func pipeWire() async throws {
    try await withPipeWireServer { server in
      let (heard, original) = try await played(at: PipeWireServer.sink, environment: server.environment)
      #expect(difference(heard, original) == nil)
    }
  }
}
