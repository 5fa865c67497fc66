import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The output devices") struct AudioOutputTests {
  @Test(
    "A sound server's sink is listed with its name, and its description plays there",
    .enabled(if: PulseServer.isAvailable && Media.isAvailable, "\(PulseServer.unavailable), or \(Media.unavailable)"))
  func pulse() async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withPulseServer { server in
      // libpulse takes the server from the environment, which belongs to a whole process.
      let address = server.address
      await #expect(processExitsWith: .success) { [address = address as String, file = file as String] in
        unsafe setenv("PULSE_SERVER", address, 1)
        let outputs = await AudioOutput.all()
        let output = try #require(outputs.first { $0.id == "null" }, "\(outputs)")
        #expect(output.name == "Null Output")
        #expect(output.isDefault)
        #expect(output.sinkDescription == "pulsesink device=null")
        try await withPlayer([file], sink: output.sinkDescription) { stage in
          try await stage.playOut()
          #expect(stage.failures.isEmpty)
        }
      }
      try await server.process?.waitForLine(containing: " on null with sample spec")
    }
  }

  @Test("A sound server that accepts and stays silent has no devices, and nobody waits longer than the limit")
  func silentServer() async throws {
    try await withHTTPServer { server in
      // It waits for a request that never comes.
      let address = server.origin.replacing("http://", with: "tcp:")
      await #expect(processExitsWith: .success) { [address = address as String] in
        unsafe setenv("PULSE_SERVER", address, 1)
        let outputs = try await deadline(10, "the list is given up") { await AudioOutput.all() }
        #expect(!outputs.contains { $0.sinkDescription.hasPrefix("pulsesink") })
      }
    }
  }

  @Test("A PipeWire device plays through the PulseAudio protocol where that lists it, too")
  func preferringPulse() {
    func output(_ id: String, _ sink: String, isDefault: Bool = false) -> AudioOutput {
      AudioOutput(id: id, name: "of " + sink, isDefault: isDefault, sinkDescription: sink)
    }
    let listed = [
      output("a", "pipewiresink target-object=a", isDefault: true), output("b", "pipewiresink target-object=b"),
      output("c", "alsasink device=c"),
    ]
    let outputs = AudioOutputProbe.preferringPulse(listed, ["a", "c"].map { output($0, "pulsesink device=" + $0) })
    #expect(
      outputs.map(\.sinkDescription) == [
        "pulsesink device=a", "pipewiresink target-object=b", "alsasink device=c",
      ])
    #expect(outputs.map(\.name) == listed.map(\.name))
    #expect(outputs.map(\.isDefault) == [true, false, false])
    #expect(AudioOutputProbe.preferringPulse(listed, []) == listed)
  }

  @Test(
    "A PipeWire server's sink is listed once, and its description plays there through the PulseAudio protocol",
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
        try await withPlayer([file], sink: output.sinkDescription) { stage in
          try await stage.playOut()
          #expect(stage.failures.isEmpty)
        }
      }
    }
  }

  @Test("Without a sound server there is nothing, and nothing fails")
  func noServer() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("PULSE_SERVER", "unix:/nonexistent", 1)
      unsafe setenv("XDG_RUNTIME_DIR", "/nonexistent", 1)
      let outputs = try await deadline(10, "the list") { await AudioOutput.all() }
      #expect(!outputs.contains { $0.sinkDescription.hasPrefix("pulsesink") })
    }
  }

  @Test("While one look hangs, all who ask are answered in time, and none looks again; afterwards they do")
  func census() async throws {
    let gate = DispatchSemaphore(value: 0)
    let looks = EventLog<Int>()
    let found = AudioOutput(id: "one", name: "One", isDefault: true, sinkDescription: "fakesink")
    let census = AudioOutputCensus {
      looks.append(looks.count)
      if looks.count == 1 { gate.wait() }
      return [found]
    }
    for _ in 0..<3 {
      let outputs = try await deadline(10, "an answer") { await census.outputs(within: .milliseconds(20)) }
      #expect(outputs.isEmpty)
    }
    #expect(looks.count == 1)
    let patient = Task { await census.outputs(within: .seconds(30)) }
    gate.signal()
    #expect(try await deadline(10, "the answer of the look that hung") { await patient.value } == [found])
    #expect(try await deadline(10, "another answer") { await census.outputs(within: .seconds(30)) } == [found])
    #expect(looks.count >= 2)
  }

  @Test(
    "A device's name is quoted where a description needs it",
    arguments: [
      ("alsa_output.pci-0000_00_1f.3", "alsa_output.pci-0000_00_1f.3"), ("hw:0,0", nil), ("two words", nil),
      ("it's \"quoted\" ! fakesink", nil), ("Küche", nil), ("back\\slash", nil), ("", nil),
    ] as [(String, String?)])
  func quoting(name: String, plain: String?) throws {
    try GStreamer.initialize()
    let quoted = AudioOutput.quoted(name)
    if let plain { #expect(quoted == plain) }
    try PlayerConfiguration.checkAudioSink("fakesink name=\(quoted)")
  }
}
