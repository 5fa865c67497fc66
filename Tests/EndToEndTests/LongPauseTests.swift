import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of a pause that lasts until the sound server has suspended its device.
@Suite(
  "After a long pause",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"),
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"), .serialized)
struct LongPauseTests {
  /// A file of 30 s whose right channel counts the seconds, and whose left channel counts pairs of frames in each.
  private func countingFile() async throws -> String {
    let rate = Waveform.sampleRate
    let pairs = (0..<30 * rate).map { Int32($0 % rate / 2 + 1) }
    let seconds = (0..<30 * rate).map { Int32($0 / rate + 1) }
    return try await Media.wav(channels: [pairs, seconds], PCM(rate: rate))
  }

  /// What is paused: a file, which the player releases with its stream, or a file of a server, whose stream stays.
  enum Source: CaseIterable { case file, server }

  /// Plays a file, pauses until the device is suspended, and plays again.
  ///
  /// No frame may be missing or be audible twice: of a stream that stays, the first frame follows the last one before the pause.
  /// Another stream begins at the position of the pause. The monitor of the device does not record the start, as long as `tolerance`
  /// seconds.
  private func pauses(
    _ source: Source, at sink: String, _ environment: [String: String], tolerance: Double
  ) async throws {
    let file = try await countingFile()
    guard source == .server else {
      return try await pauses(source, file, streams: 0, at: sink, environment, tolerance: tolerance)
    }
    try await withHTTPServer { server in
      let bytes = Array(try Data(contentsOf: URL(filePath: file)))
      let address = server.script("/1.wav", .bytes(bytes, type: "audio/x-wav"))
      try await pauses(source, address, streams: 1, at: sink, environment, tolerance: tolerance)
    }
  }

  private func pauses(
    _ source: Source, _ file: String, streams: Int, at sink: String, _ environment: [String: String], tolerance: Double
  ) async throws {
    try await withChildProcess(["pactl", "subscribe"], environment: environment) { events in
      try await withDaemon(["--paused", file], sink: [], environment: environment) { daemon in
        try await withMonitor(of: daemon) { try await $0.wait("ItemStatus", is: .string("readyToPlay")) }
        let (held, last) = try await withSoundRecorder(of: sink, environment: environment) { recorder in
          try await daemon.plays(past: 3_000_000)
          try await daemon.call("Pause")
          let held = Double(try await daemon.position()) / 1_000_000
          let (pairs, seconds) = try await recorder.channels(within: 60)
          return (held, try time(pairs.last, seconds.last))
        }
        // The server plays the samples that it has taken, and another stream begins at the position that was published.
        let start = source == .server ? last : held
        var line = 0
        while try await !isAsleep(environment, streams: streams) {
          line = try await events.waitForLine(containing: "on sink", from: line, within: 60).index + 1
        }
        #expect(try await daemon.status() == "Paused")
        #expect(Double(try await daemon.position()) / 1_000_000 == held)
        try await withSoundRecorder(of: sink, environment: environment) { recorder in
          try await daemon.plays(past: Int64((held + 2) * 1_000_000))
          let position = Double(try await daemon.position()) / 1_000_000
          try await daemon.call("Stop")
          let (pairs, seconds) = try await recorder.channels(within: 60)
          let first = try time(pairs.first, seconds.first)
          // PulseAudio takes samples back that its monitor has recorded.
          let rewound = source == .server ? 0.05 : 0.005
          #expect(first >= start - rewound && first <= start + tolerance, "\(first) s, not \(start) s")
          // A later position was not published before its frames were audible.
          #expect(first + Double(pairs.count) / Double(Waveform.sampleRate) > position - 0.1)
        }
      }
    }
  }

  /// Returns the media time of a frame in seconds.
  private func time(_ pair: Int32?, _ second: Int32?) throws -> Double {
    Double(try #require(second) - 1) + Double(try #require(pair) - 1) * 2 / Double(Waveform.sampleRate)
  }

  /// Whether the device is suspended, and has this many streams.
  private func isAsleep(_ environment: [String: String], streams: Int) async throws -> Bool {
    let sinks = try await pactl(environment, "list", "short", "sinks")
    let inputs = try await pactl(environment, "list", "short", "sink-inputs")
    return sinks.contains("SUSPENDED") && inputs.split(separator: "\n").count == streams
  }

  @Test(
    "Playback continues at its position on PulseAudio, although the device was suspended", arguments: Source.allCases)
  func pulseAudio(source: Source) async throws {
    try await withPulseServer { pulse in
      _ = try await pactl(pulse.environment, "load-module", "module-suspend-on-idle", "timeout=1")
      try await pauses(source, at: PulseServer.sink, pulse.environment, tolerance: 0.15)
    }
  }

  @Test(
    "Playback continues at its position on PipeWire, although the device was suspended",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"), arguments: Source.allCases)
  func pipeWire(source: Source) async throws {
    try await withPipeWireServer {
      try await pauses(source, at: PipeWireServer.sink, $0.environment, tolerance: 0.05)
    }
  }
}
