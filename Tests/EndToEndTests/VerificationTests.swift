import FoundationEssentials
import TestSupport
import Testing

/// Tests of `mpris-playerd doctor --verify` with recordings of the sound server.
@Suite(
  "Verification of the output",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"),
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct VerificationTests {
  /// Other outputs are not tried.
  private static let pulseOnly = [
    "GST_PLUGIN_FEATURE_RANK": ["pipewire", "alsa", "jackaudio", "oss", "oss4"].map { "\($0)sink:NONE" }
      .joined(separator: ",")
  ]

  private func verify(
    _ file: String, at format: PCM, _ variables: [String: String] = [:]
  ) async throws -> ProcessResult {
    try await withPulseServer(format: format) { try await verify(file, $0.environment.merging(variables) { $1 }) }
  }

  private func verify(_ file: String, _ environment: [String: String]) async throws -> ProcessResult {
    try await withTemporaryDirectory { home in
      let own = ["HOME": home.path, "XDG_CACHE_HOME": home.path].merging(Self.pulseOnly) { $1 }
      return try await run(
        [DaemonUnderTest.executable, "doctor", "--verify", file], environment: own.merging(environment) { $1 },
        within: 60)
    }
  }

  private func lines(_ result: ProcessResult) -> [String] { result.output.split(separator: "\n").map(String.init) }

  @Test(
    "A yes is true: the recorded samples equal the file's, in its own format",
    arguments: [(44_100, 16), (48_000, 24), (96_000, 24), (48_000, 32)])
  func yes(rate: Int, bits: Int) async throws {
    let format = PCM(rate: rate, bits: bits)
    let samples = format.noise(count: rate / 2)
    let file = try await Media.wav(samples, format)
    try await withPulseServer(format: format) { server in
      // A null sink of a busy machine repeats or leaves out samples, which is not the player's doing: one whole recording is enough.
      var recordings: [String] = []
      for _ in 0..<8 {
        let recorded = try await recordedWhileVerifying(file, format, server)
        let equal = zip(recorded.reversed(), samples.reversed()).prefix { $0 == $1 }.count
        if equal == recorded.count, samples.count - equal < rate / 50 { return }
        recordings.append("\(equal) of \(recorded.count)")
      }
      Issue.record("\(recordings)")
    }
  }

  /// Returns the samples that the sound server gets while they are verified.
  private func recordedWhileVerifying(_ file: String, _ format: PCM, _ server: PulseServer) async throws -> [Int32] {
    let width = format.bits == 16 ? 16 : 32
    return try await withSoundRecorder(
      of: PulseServer.sink, environment: server.environment, rate: format.rate, bits: width, milliseconds: 15
    ) { recorder in
      let result = try await verify(file, server.environment)
      #expect(result.status == .exited(0), "\(result.output)\(result.error)")
      let text =
        "ok: \(file) is unchanged at the output: \(format.rate) Hz, \(format.bits) bit, 2 channels, "
        + "\(format.rate / 2) samples, MD5 "
      #expect(lines(result).count == 1 && result.output.hasPrefix(text), "\(result.output)")
      return try await recorder.samples(until: format.rate).map { $0 >> (width - format.bits) }
    }
  }

  @Test("A FLAC file is compared with the MD5 that its encoder has written")
  func flac() async throws {
    let file = try await Media.sine(seconds: 0.5, format: .flac)
    let result = try await verify(file, at: PCM())
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let digest = bytes[26..<42].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let codec = "Free Lossless Audio Codec (FLAC), 44100 Hz, 16 bit, 2 channels, 22050 samples"
    #expect(lines(result) == ["ok: \(file) is unchanged at the output: \(codec), MD5 of the file \(digest)"])
  }

  @Test("A FLAC file whose samples differ from its MD5 is an error")
  func damaged() async throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 0.5, format: .flac))))
    bytes[26] ^= 1
    try await withTemporaryDirectory { directory in
      let file = directory.file("damaged.flac")
      try Data(bytes).write(to: URL(filePath: file))
      let result = try await verify(file, at: PCM())
      #expect(result.status == .exited(1))
      #expect(
        lines(result) == ["error: the decoded samples differ from the MD5 of \(file) – replace the file; it is damaged"]
      )
    }
  }

  @Test("A device of another rate or with fewer bits is an error, also though the samples reach the output unchanged")
  func conversion() async throws {
    let file = try await Media.wav(PCM(bits: 24).noise(count: 22_050), PCM(bits: 24))
    let result = try await verify(file, at: PCM(rate: 48_000, bits: 16))
    #expect(result.status == .exited(1))
    let errors = lines(result).map { $0.split(separator: " – ")[0] }
    #expect(
      errors == [
        "error: the sound server converts 44100 Hz to 48000 Hz for Null Output",
        "error: the sound server converts 24 bit to s16le for Null Output",
      ], "\(result.output)\(result.error)")
  }

  @Test(
    "A setting that changes the samples is an error",
    arguments: [
      ("VOLUME", "50", "the volume is 50 % – set volume to 100"), ("RATE", "1.5", "the speed is 1.5 – set rate to 1"),
      (
        "REPLAY_GAIN", "track",
        "ReplayGain applies the gain of the tags or of the measured loudness – set replay-gain to off"
      ),
      ("AUDIO_DEVICE", "nosuch", "the output device nosuch is not connected – connect it, or clear audio-device"),
    ])
  func settings(key: String, value: String, error: String) async throws {
    let wave = try await Media.sine(seconds: 0.5, format: .wav)
    try await withTemporaryDirectory { directory in
      let file = directory.file("loud.flac")
      let encode = ["flac", "--silent", "-o", file, "-T", "REPLAYGAIN_TRACK_GAIN=-6.02 dB", wave]
      #expect(try await run(encode).succeeded)
      let result = try await verify(file, at: PCM(), ["MPRIS_PLAYERD_\(key)": value])
      #expect(result.status == .exited(1))
      #expect(lines(result) == ["error: \(error)"], "\(result.error)")
    }
  }

  @Test(
    "PipeWire switches its device to the rate of a file; a rate that it may not use, and 32 bits, are errors",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"),
    .enabled("the null sink of PipeWire 1 keeps its rate") { try await PipeWireServer.switchesRate },
    arguments: [
      (44_100, 16, nil), (48_000, 24, nil), (96_000, 24, nil),
      (48_000, 32, "the sound server converts 32 bit to float32le for Null Output"),
      (88_200, 24, "the sound server converts 88200 Hz to 96000 Hz for Null Output"),
    ] as [(Int, Int, String?)])
  func pipeWire(rate: Int, bits: Int, error: String?) async throws {
    let format = PCM(rate: rate, bits: bits)
    let file = try await Media.wav(format.noise(count: rate / 2), format)
    try await withPipeWireServer(rates: [44_100, 48_000, 96_000]) { server in
      let result = try await verify(file, server.environment)
      let expected = error.map { "error: \($0) – " } ?? "ok: \(file) is unchanged"
      #expect(lines(result).count == 1 && result.output.hasPrefix(expected), "\(result.output)\(result.error)")
      #expect(result.status == .exited(error == nil ? 0 : 1))
    }
  }

  @Test(
    "With match-rate, PipeWire runs its device at the rate of each file, also at one that is not allowed otherwise",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"),
    .enabled("the null sink of PipeWire 1 keeps its rate") { try await PipeWireServer.switchesRate },
    arguments: [(44_100, 16), (88_200, 24), (192_000, 24)])
  func matchedRate(rate: Int, bits: Int) async throws {
    let format = PCM(rate: rate, bits: bits)
    let file = try await Media.wav(format.noise(count: rate / 2), format)
    try await withPipeWireServer(rates: [48_000]) { server in
      let converted = try await verify(file, server.environment)
      #expect(converted.output.contains("converts \(rate) Hz to 48000 Hz for Null Output – set match-rate to true"))
      let matched = try await verify(file, server.environment.merging(["MPRIS_PLAYERD_MATCH_RATE": "true"]) { $1 })
      #expect(lines(matched).count == 1 && matched.output.hasPrefix("ok: \(file) is unchanged"), "\(matched.output)")
      #expect(matched.status == .exited(0))
    }
  }

  @Test("The samples of a lossy file are compared with its decoder's samples")
  func lossy() async throws {
    let file = try await Media.sine(seconds: 0.5, format: .mp3)
    let result = try await verify(file, at: PCM())
    #expect(result.output.contains("lossy") || result.output.contains("floating point"), "\(result.output)")
  }

  @Test("Without an output, and for a file that cannot be played, an error names the reason")
  func failures() async throws {
    let silent = try await verify(
      try await Media.sine(seconds: 0.5, format: .wav), ["PULSE_SERVER": "unix:\(TemporaryDirectory.missing)/socket"])
    #expect(silent.status == .exited(1))
    #expect(lines(silent) == ["error: no output could be opened – start PipeWire or PulseAudio, or set audio-sink"])
    let missing = try await verify(Media.missing, [:])
    #expect(missing.status == .exited(1))
    #expect(missing.output.hasPrefix("error: \(Media.missing): "), "\(missing.output)")
  }
}
