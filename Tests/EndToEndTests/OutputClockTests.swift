import DBus
import TestSupport
import Testing

/// Compares the position of the daemon with a recording of the sound server's output.
@Suite(.enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"))
struct OutputClockTests {
  @Test(
    "A prerolled track and its successor are audible at once after Play and Next, in time with the position"
  )
  func heldReady() async throws {
    var files: [String] = []
    for title in ["Held", "Next"] {
      files.append(try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: title)))
    }
    try await withPulseServer { [files] pulse in
      try await withSoundRecorder(of: PulseServer.sink, environment: pulse.environment) { recorder in
        try await withDaemon(["--paused"] + files, sink: [], environment: pulse.environment) { daemon in
          try await daemon.opened(titled: "Held")
          try await recorder.record(seconds: 2)
          #expect(!recorder.isSounding)
          for command in ["Play", "Next"] as [MemberName] {
            try await withMonitor(of: daemon) { monitor in
              _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(1_000_000)]))
              try await daemon.call(command)
              try await monitor.signal("BoundaryReached", within: 60)
            }
            // The rendered samples take this long to be recorded.
            try await recorder.record(seconds: 0.5)
            #expect(recorder.isSounding, "after \(command)")
          }
        }
      }
    }
  }
}
