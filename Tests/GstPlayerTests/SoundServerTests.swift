import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of the samples that reach a sound server, recorded there.
@Suite("Playback through a sound server", .enabled(if: Media.isAvailable && SoundRecorder.isAvailable), .serialized)
struct SoundServerTests {
  /// Plays two halves of one sine.
  ///
  /// - Returns: The recorded samples and the samples of both files, each without the silence at its start and end.
  private func played(_ length: Int, at sink: String, environment: [String: String]) async throws
    -> (recorded: [Int16], original: [Int16])
  {
    let uris = try await Media.continuousSine(samplesPerPart: length).map(fileURI)
    let waves = try await Media.continuousSine(samplesPerPart: length, format: .wav)
    let original = try waves.flatMap { try samples(ofWAV: $0) }
    return try await withSoundRecorder(of: sink, environment: environment) { recorder in
      // libpulse reads the server address from the environment, which is shared by the whole process.
      await #expect(processExitsWith: .success) {
        [uris = uris as [String], environment = environment as [String: String]] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        let harness = PlayerHarness(uris, configuration: Player.Configuration())
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
        #expect(!harness.events.elements.contains { if case .warning = $0 { true } else { false } })
        await harness.end()
      }
      let end = (original.lastIndex { $0 != 0 } ?? 0) + 1
      return (try await recorder.sound(), Array(original[..<end].drop { $0 == 0 }))
    }
  }

  @Test(
    "Two halves of one sine reach a PulseAudio output without an extra or missing sample",
    .enabled(if: PulseServer.isAvailable, "\(PulseServer.unavailable)"), arguments: [70_001, 100_001])
  func pulseAudio(length: Int) async throws {
    try await withPulseServer { server in
      let (recorded, original) = try await played(length, at: PulseServer.sink, environment: server.environment)
      // The monitor source has recorded silence while the stream was starting.
      #expect(recorded.count > length + length / 2)
      expectSamples(recorded, original.suffix(recorded.count))
    }
  }

  @Test(
    "Two halves of one sine reach a PipeWire output without an extra or missing sample",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"))
  func pipeWire() async throws {
    try await withPipeWireServer { server in
      let (recorded, original) = try await played(70_001, at: PipeWireServer.sink, environment: server.environment)
      expectSamples(recorded, original)
    }
  }
}
