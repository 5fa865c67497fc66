import TestSupport
import Testing

/// Tests of the output on a machine without sound: lines of the program, without lines of the sound libraries.
@Suite
struct NoSoundTests {
  /// Disables every output and every device provider, except OpenAL's, which opens nothing here.
  private static let environment: [String: String] = {
    let none = ["pulse", "pipewire", "alsa", "jackaudio", "oss", "oss4"].map { "\($0)sink:NONE" }
    let noDevices = ["pulse", "pipewire", "alsa"].map { "\($0)deviceprovider:NONE" }
    return ["GST_PLUGIN_FEATURE_RANK": (none + noDevices).joined(separator: ",")]
  }()

  private func start(_ arguments: String...) async throws -> ProcessResult {
    try await withPrivateBus { bus in
      try await run(
        [DaemonUnderTest.executable] + arguments, environment: bus.environment.merging(Self.environment) { $1 },
        within: 30)
    }
  }

  @Test("devices without a device prints one line on standard error and exits with 69")
  func devices() async throws {
    let result = try await start("devices")
    #expect(result.status == .exited(69))
    #expect(result.output.isEmpty)
    #expect(result.error == "mpris-playerd: no output device found; start PipeWire or PulseAudio\n")
  }

  @Test("A player without an output prints one line, without lines of the sound libraries")
  func playing() async throws {
    let file = try await Media.sine(seconds: 0.3, format: .wav)
    let result = try await start("--no-session", "--quit-at-end", file)
    #expect(result.status == .exited(0))
    #expect(result.error == "mpris-playerd: no audio output can be opened; playing silently\n")
  }

  @Test("doctor without an output prints nothing on standard error")
  func doctor() async throws {
    let result = try await start("doctor")
    #expect(result.output.contains("warning: output: none; playing silently – "))
    #expect(result.error.isEmpty, "\(result.error)")
  }
}
