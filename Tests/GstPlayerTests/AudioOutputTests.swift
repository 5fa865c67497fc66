import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Listing audio outputs") struct AudioOutputTests {
  @Test(
    "A sink of a PulseAudio server is listed with its name, and its description plays on it",
    .enabled(if: PulseServer.isAvailable && Media.isAvailable, "\(PulseServer.unavailable), or \(Media.unavailable)"))
  func pulse() async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withPulseServer { server in
      // libpulse reads the server address from the environment, which is shared by the whole process.
      let address = server.address
      await #expect(processExitsWith: .success) { [address = address as String, file = file as String] in
        unsafe setenv("PULSE_SERVER", address, 1)
        let outputs = await AudioOutput.all()
        let output = try #require(outputs.first { $0.id == "null" }, "\(outputs)")
        #expect(output.name == "Null Output")
        #expect(output.isDefault)
        #expect(output.sinkDescription == "pulsesink device=null")
        try await withPlayer([file], sink: output.sinkDescription, inFastTime: false) { harness in
          try await harness.playToEnd()
          #expect(harness.failures.isEmpty)
        }
      }
      try await server.process?.waitForLine(containing: " on null with sample spec")
    }
  }

  @Test("A sound server that never answers lists no devices, and the call returns within the time limit")
  func silentServer() async throws {
    try await withHTTPServer { server in
      // The server accepts the connection and waits for a request that never arrives.
      let address = server.origin.replacing("http://", with: "tcp:")
      await #expect(processExitsWith: .success) { [address = address as String] in
        unsafe setenv("PULSE_SERVER", address, 1)
        let outputs = try await deadline(10, "the listing times out") { await AudioOutput.all() }
        #expect(!outputs.contains { $0.sinkDescription.hasPrefix("pulsesink") })
      }
    }
  }

  @Test(
    "A sink of a PipeWire server is listed once, and its description plays on it through the PulseAudio protocol",
    .enabled(if: PipeWireServer.isAvailable && Media.isAvailable, "\(PipeWireServer.unavailable)"))
  func pipeWire() async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withPipeWireServer { server in
      let environment = server.environment
      await #expect(processExitsWith: .success) {
        [environment = environment as [String: String], file = file as String] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        let outputs = await AudioOutput.all()
        #expect(outputs.map(\.id) == [PipeWireServer.sink])
        #expect(outputs.map(\.isDefault) == [true])
        let output = try #require(outputs.first)
        #expect(output.sinkDescription == "pulsesink device=" + PipeWireServer.sink)
        try await withPlayer([file], sink: output.sinkDescription, inFastTime: false) { harness in
          try await harness.playToEnd()
          #expect(harness.failures.isEmpty)
        }
      }
    }
  }

  @Test("Without a sound server the list is empty and no error is thrown")
  func noServer() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PULSE_SERVER", "unix:\(TemporaryDirectory.missing)", 1)
      unsafe setenv("XDG_RUNTIME_DIR", TemporaryDirectory.missing, 1)
      let outputs = try await deadline(10, "the list") { await AudioOutput.all() }
      #expect(!outputs.contains { $0.sinkDescription.hasPrefix("pulsesink") })
    }
  }

  @Test("While one enumeration hangs, all callers return in time and start no second one; later calls enumerate again")
  func census() async throws {
    let gate = DispatchSemaphore(value: 0)
    let listings = EventLog<Int>()
    let found = AudioOutput(id: "one", name: "One", isDefault: true, sinkDescription: "fakesink")
    let census = AudioDeviceEnumerator {
      listings.append(listings.count)
      if listings.count == 1 { gate.wait() }
      return [found]
    }
    for _ in 0..<3 {
      let outputs = try await deadline(10, "an answer") { await census.outputs(within: .milliseconds(20)) }
      #expect(outputs.isEmpty)
    }
    #expect(listings.count == 1)
    let patient = Task { await census.outputs(within: .seconds(30)) }
    gate.signal()
    #expect(try await deadline(10, "the answer of the enumeration that hung") { await patient.value } == [found])
    #expect(try await deadline(10, "another answer") { await census.outputs(within: .seconds(30)) } == [found])
    #expect(listings.count >= 2)
  }

  @Test(
    "A device name is quoted only if the sink description requires it",
    arguments: [
      ("alsa_output.pci-0000_00_1f.3", "alsa_output.pci-0000_00_1f.3"), ("hw:0,0", nil), ("two words", nil),
      ("it's \"quoted\" ! fakesink", nil), ("Küche", nil), ("back\\slash", nil), ("", nil),
    ] as [(String, String?)])
  func quoting(name: String, plain: String?) throws {
    try GStreamer.initialize()
    let quoted = AudioOutput.quoted(name)
    if let plain { #expect(quoted == plain) }
    try Player.Configuration.checkAudioSink("fakesink name=\(quoted)")
  }
}
