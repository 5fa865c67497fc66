import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of the samples that reach a sound server, at the normal rate and full volume and without ReplayGain.
@Suite(
  "Unchanged samples at the output",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"), .serialized)
struct ExactOutputTests {
  /// Plays samples at an output of their format, the first second at a rate, and returns the recorded samples.
  private func recorded(_ samples: [Int32], _ format: PCM, rate: Double = 1) async throws -> [Int32] {
    try await withPulseServer(format: format) { server in
      try await recorded(samples, format, rate: rate, at: PulseServer.sink, environment: server.environment)
    }
  }

  /// Plays samples at an output of a server, the first second at a rate, and returns the recorded samples.
  private func recorded(
    _ samples: [Int32], _ format: PCM, rate: Double, at sink: String, environment: [String: String]
  ) async throws -> [Int32] {
    let uri = fileURI(try await Media.wav(samples, format))
    let bits = format.bits == 16 ? 16 : 32
    return try await withSoundRecorder(
      of: sink, environment: environment, rate: format.rate, bits: bits, milliseconds: 15
    ) { recorder in
      // libpulse reads the server address from the environment, which is shared by the whole process.
      await #expect(processExitsWith: .success) {
        [uri = uri as String, environment = environment as [String: String], rate = rate as Double] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        let harness = PlayerHarness([uri], configuration: Player.Configuration())
        let player = harness.player
        player.rate = rate
        let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(1)]) { _ in player.rate = 1 }
        try await harness.playToEnd()
        observation.cancel()
        #expect(harness.failures.isEmpty)
        await harness.end()
      }
      return try await recorder.samples(until: format.rate).map { $0 >> (bits - format.bits) }
    }
  }

  /// Returns the number of samples at the end that are equal.
  private func equal(_ recorded: [Int32], _ samples: [Int32]) -> Int {
    zip(recorded.reversed(), samples.reversed()).prefix { $0 == $1 }.count
  }

  @Test(
    "Each sample of 16, 24 and 32 bits reaches the output unchanged",
    arguments: [(44_100, 16), (48_000, 24), (96_000, 24), (48_000, 32)])
  func unchanged(rate: Int, bits: Int) async throws {
    let format = PCM(rate: rate, bits: bits)
    let samples = format.noise(count: rate / 2)
    let recorded = try await recorded(samples, format)
    let equal = equal(recorded, samples)
    #expect(equal == recorded.count, "\(equal) of \(recorded.count) recorded samples, of \(samples.count)")
    // A null sink has recorded silence instead of the first milliseconds.
    #expect(samples.count - equal < rate / 50)
  }

  @Test("The last samples reach a server that is late at the end of the item")
  func lateServer() async throws {
    let format = PCM(rate: 44_100, bits: 16)
    let samples = format.noise(count: format.rate / 2)
    let uri = fileURI(try await Media.wav(samples, format))
    let recorded = try await withPulseServer(format: format) { server in
      let (environment, processID) = (server.environment, try #require(server.process).processID)
      return try await withSoundRecorder(
        of: PulseServer.sink, environment: environment, rate: format.rate, milliseconds: 20
      ) { recorder in
        await #expect(processExitsWith: .success) {
          [uri = uri as String, environment = environment as [String: String], processID = processID as Int32] in
          for (name, value) in environment { unsafe setenv(name, value, 1) }
          let harness = PlayerHarness([uri], configuration: Player.Configuration())
          // The clock of the output continues while the server is stopped.
          let observation = try harness.player.addBoundaryTimeObserver(forTimes: [.milliseconds(485)]) { _ in
            kill(processID, SIGSTOP)
          }
          try await harness.playToEnd()
          kill(processID, SIGCONT)
          observation.cancel()
          await harness.end()
        }
        return try await recorder.samples(until: format.rate)
      }
    }
    let equal = equal(recorded, samples)
    #expect(equal > format.rate / 3, "\(equal) of \(recorded.count) recorded samples, of \(samples.count)")
  }

  @Test(
    "Each sample of 16 and 24 bits reaches a PipeWire output unchanged, and the highest 24 of samples of 32 bits",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"),
    arguments: [(44_100, 16), (48_000, 24), (96_000, 24), (48_000, 32)])
  func pipeWire(rate: Int, bits: Int) async throws {
    let format = PCM(rate: rate, bits: bits)
    let samples = format.noise(count: rate / 2)
    let played = try await withPipeWireServer(rates: [rate]) { server in
      try await recorded(samples, format, rate: 1, at: PipeWireServer.sink, environment: server.environment)
    }
    // PipeWire mixes in floating-point samples, whose significand has 24 bits.
    let tolerance: Int64 = bits == 32 ? 256 : 0
    let equal = zip(played, samples).prefix { abs(Int64($0) - Int64($1)) <= tolerance }.count
    #expect(equal == samples.count, "\(equal) of \(played.count) recorded samples, of \(samples.count)")
  }

  @Test("After another rate, samples of 32 bits reach the output unchanged again")
  func unchangedAgain() async throws {
    let format = PCM(rate: 48_000, bits: 32)
    let samples = format.noise(count: 3 * format.rate)
    let equal = equal(try await recorded(samples, format, rate: 1.5), samples)
    #expect(equal > format.rate * 3 / 2 && equal <= format.rate * 2, "\(equal)")
  }
}
