import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the volume of a sound server's stream, which is replaced when the sample format changes.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"),
  .serialized)
struct KeptVolumeTests {
  /// Writes a WAV file whose header gives this sample rate.
  private func file(_ name: String, rate: UInt32, seconds: Double = 30, in directory: TemporaryDirectory) async throws
    -> String
  {
    var bytes = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: seconds, format: .wav))))
    for (place, value) in [(24, rate), (28, rate * 4)] {
      for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte))) }
    }
    return try directory.write(bytes, to: name)
  }

  /// Plays at half the volume until `happened` returns; returns the server's description of the stream at that time.
  private func stream(
    of files: [String], _ environment: [String: String] = [:],
    until happened: @Sendable (DaemonUnderTest, MonitorClient) async throws -> Void
  ) async throws -> String {
    try await withPulseServer { pulse in
      let environment = pulse.environment.merging(environment) { $1 }
      return try await withDaemon(["--paused"] + files, sink: [], environment: environment) { daemon in
        try await withMonitor(of: daemon) { monitor in
          try await monitor.wait("ItemStatus", is: .string("readyToPlay"))
          try await daemon.set("Volume", .double(0.5))
          _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(1_000_000)]))
          try await daemon.call("Play")
          try await happened(daemon, monitor)
          let stream = try await run(["pactl", "list", "sink-inputs"], environment: pulse.environment).output
          try await daemon.barrier()
          let emitted = daemon.signals.elements.compactMap { $0.changes?["Volume"]?.asDouble }
          #expect(emitted.allSatisfy { abs($0 - 0.5) < 0.01 }, "\(emitted)")
          return stream
        }
      }
    }
  }

  @Test("A successor of another format plays at the same volume, and no other volume is signalled")
  func successor() async throws {
    try await withTemporaryDirectory { directory in
      let files = [
        try await file("a.wav", rate: 44_100, seconds: 2, in: directory),
        try await file("b.wav", rate: 48_000, in: directory),
      ]
      let stream = try await stream(of: files) { daemon, monitor in
        let first = try await daemon.metadata("mpris:trackid")
        try await monitor.signal("BoundaryReached", within: 60) { $0[1] != first }
      }
      #expect(stream.contains("48000Hz") && stream.contains("50%"), "\(stream)")
    }
  }

  @Test("A rate change that also changes the pitch keeps the volume")
  func varispeed() async throws {
    try await withTemporaryDirectory { directory in
      let files = [try await file("a.wav", rate: 44_100, in: directory)]
      let stream = try await stream(of: files, ["MPRIS_PLAYERD_PITCH": "follow"]) { daemon, monitor in
        try await monitor.signal("BoundaryReached", within: 60)
        let mark = monitor.signals.count
        try await daemon.set("Rate", .double(0.5))
        try await monitor.signal("PropertiesChanged", from: mark, within: 60) { $0.anchorRate == 0.5 }
        // The rate is shown before the first sample of the new stream is audible.
        try await daemon.passes(daemon.position() + 250_000)
      }
      #expect(stream.contains("22050Hz") && stream.contains("50%"), "\(stream)")
    }
  }
}
