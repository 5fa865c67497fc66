import Glibc
import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// Tests of the measurement of files.
@Suite("Loudness measurement", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LoudnessMeasurementTests {
  private func outcome(of path: String, includesTagged: Bool = false) async throws -> TrackLoudness? {
    let outcomes = EventLog<TrackLoudness?>()
    // Idle threads hardly run beside other tests.
    let measurement = LoudnessMeasurement(of: fileURI(path), isIdle: false, includesTagged: includesTagged) {
      outcomes.append($0)
    }
    measurement.begin()
    let outcome = try await outcomes.first("the outcome of \(path)", within: 30) { _ in true }.element
    #expect(outcomes.count == 1)
    return outcome
  }

  @Test("A file in each format has the loudness of its samples", arguments: Media.Format.allCases)
  func formats(format: Media.Format) async throws {
    // A sine of 997 Hz has a weight of 0 dB, and here −6.02 dBFS in both channels.
    let path = try await Media.sine(seconds: 3, frequency: 997, format: format, tags: Tags(album: "Album"))
    guard let result = try await outcome(of: path) else {
      Issue.record("not measured")
      return
    }
    let loudness = try #require(result.integrated)
    // LAME scales samples by 0.95.
    #expect(abs(loudness + (format == .mp3 ? 6.47 : 6.02)) <= 0.1, "\(loudness) LUFS")
    #expect(abs(result.peak - 0.5) < 0.05)
    #expect((result.album != nil) == (format != .wav))
  }

  @Test(
    "The audio of a film is measured", .enabled(if: Film.isAvailable, "\(Film.unavailable)"),
    arguments: [Film.mp4, .matroska, .subtitled, .transportStream])
  func films(film: Film) async throws {
    let sound = try await Media.sine(seconds: 3, frequency: 997, format: .wav)
    guard let result = try await outcome(of: made(film, sound: sound, seconds: 3)) else {
      Issue.record("not measured")
      return
    }
    // Encoders of AAC pass less at the start.
    let loudness = try #require(result.integrated)
    #expect(abs(loudness + 6.02) <= 0.3, "\(loudness) LUFS")
  }

  @Test("The signals of EBU Tech 3341 in a FLAC file are measured within 0.1 LU")
  func gatedFile() async throws {
    try await withTemporaryDirectory { directory in
      // Case 5, at 44.1 kHz.
      let parts: [(level: Double, tenths: Int)] = [(-26, 200), (-20, 201), (-26, 200)]
      var samples: [Int32] = []
      for part in parts {
        let amplitude = 32_768 * pow(10, part.level / 20)
        let tenth = (0..<4_410).map { Int32((amplitude * sin(2 * Double.pi * Double($0 % 441) / 44.1)).rounded()) }
        for _ in 0..<part.tenths { samples += tenth }
      }
      let wav = try directory.write(PCM().wav(samples), to: "5.wav")
      let flac = directory.file("5.flac")
      #expect(try await run(["flac", "--silent", "-o", flac, wav]).succeeded)
      guard let result = try await outcome(of: flac) else {
        Issue.record("not measured")
        return
      }
      let loudness = try #require(result.integrated)
      #expect(abs(loudness + 23) <= 0.1, "\(loudness) LUFS")
    }
  }

  @Test("A file with loudness tags, a damaged one and a missing one are not measured")
  func others() async throws {
    try await withTemporaryDirectory { directory in
      let tagged = directory.file("tagged.flac")
      let wav = try await Media.sine(seconds: 1, format: .wav)
      #expect(
        try await run(["flac", "--silent", "-T", "REPLAYGAIN_TRACK_GAIN=-6.02 dB", "-o", tagged, wav]).succeeded)
      for path in [tagged, try await Media.textFile(), try await Media.emptyFile(), Media.missing, directory.path] {
        #expect(try await outcome(of: path) == nil)
      }
    }
  }

  @Test("The silence at the end of a file begins a tenth of a second after its last sound, also of a file with tags")
  func silence() async throws {
    let tone = PCM().sine(frequency: 441, count: 44_100)
    let quiet = tone.map { $0 / 520 }
    let parts: [(samples: [Int32], silence: Duration?)] = [
      (tone + [Int32](repeating: 0, count: 26_460), .milliseconds(1_100)),
      // Noise below −60 dBFS is silent, and half a second is short.
      (tone + quiet, .milliseconds(1_100)), (tone + [Int32](repeating: 0, count: 22_050), nil),
      (tone + [Int32](repeating: 0, count: 88_200) + tone, nil), (quiet + quiet, nil),
    ]
    try await withTemporaryDirectory { directory in
      for (index, part) in parts.enumerated() {
        let wav = try directory.write(PCM().wav(part.samples), to: "\(index).wav")
        let flac = directory.file("\(index).flac")
        #expect(
          try await run(["flac", "--silent", "-T", "REPLAYGAIN_TRACK_GAIN=-6.02 dB", "-o", flac, wav]).succeeded)
        for path in [wav, flac] {
          guard let result = try await outcome(of: path, includesTagged: true) else {
            Issue.record("\(path) is not measured")
            continue
          }
          // The sound ends with a tenth of a second, or with a buffer.
          let silence = result.silence.map { $0 - (part.silence ?? .zero) }
          #expect(
            part.silence == nil ? silence == nil : silence.map { (.zero ... .milliseconds(100)).contains($0) } == true,
            "\(path): \(result.silence.map(String.init(describing:)) ?? "none")")
        }
      }
    }
  }

  @Test("A file with samples beyond any level is not measured")
  func beyondLimits() async throws {
    func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let samples = (0..<44_100).flatMap { bytes(($0 % 100 < 50 ? 1e60 : -1e60).bitPattern) }
    // One channel of floating-point samples with 64 bits.
    let format =
      bytes(UInt16(3)) + bytes(UInt16(1)) + bytes(UInt32(44_100)) + bytes(UInt32(352_800))
      + bytes(UInt16(8)) + bytes(UInt16(64))
    let chunks =
      Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + format + Array("data".utf8)
      + bytes(UInt32(samples.count)) + samples
    try await withTemporaryDirectory { directory in
      let path = try directory.write(Array("RIFF".utf8) + bytes(UInt32(chunks.count)) + chunks, to: "1.wav")
      #expect(try await outcome(of: path) == nil)
    }
  }

  @Test("A cancelled request for a measurement fails at once")
  func cancelledRequest() async throws {
    let path = try await Media.sine(seconds: 1, format: .wav)
    try await withHTTPServer { server in
      let uri = server.script("/a.wav", try .file(path).stalling(at: 8_000))
      let request = Task { try await GstPlayerInspection().measureLoudness(of: uri, includingTagged: false) }
      try await server.events.first("the file stalls", within: 30) { $0 == .stalled(path: "/a.wav") }
      request.cancel()
      let failure = await #expect(throws: PlayerError.self) { try await request.value }
      #expect(failure?.code == .cancelled)
    }
  }

  @Test("A cancelled measurement reports nothing and releases its file")
  func cancellation() async throws {
    let path = try await Media.sine(seconds: 1, format: .wav)
    let outcomes = EventLog<TrackLoudness?>()
    // The file never ends, so that no measurement can end before it is cancelled.
    try await withHTTPServer { server in
      let uri = server.script("/a.wav", try .file(path).stalling(at: 8_000))
      for isOpened in [false, true] {
        let measurement = LoudnessMeasurement(of: uri, isIdle: false) { outcomes.append($0) }
        measurement.begin()
        if isOpened { try await server.events.first("the file stalls") { $0 == .stalled(path: "/a.wav") } }
        measurement.cancel()
        // Cancelling again changes nothing.
        measurement.cancel()
      }
      try await server.events.first("the file is released", within: 20) {
        if case .closed(path: "/a.wav", _, byPeer: true) = $0 { true } else { false }
      }
    }
    #expect(outcomes.count == 0)
  }

  @Test("The threads of a measurement have the lowest priority")
  func priority() async throws {
    let policies = EventLog<Int32>()
    // Long enough that the end is not reached during the change to PLAYING: its thread would report the end.
    let path = try await Media.sine(seconds: 60, format: .flac)
    let measurement = LoudnessMeasurement(of: fileURI(path)) { _ in
      var (policy, parameter) = (Int32(-1), sched_param())
      _ = unsafe pthread_getschedparam(pthread_self(), &policy, &parameter)
      policies.append(policy)
    }
    measurement.begin()
    // SCHED_IDLE, on the thread that has read the end of the file.
    #expect(try await policies.first("the end", within: 30).element == 5)
  }
}
