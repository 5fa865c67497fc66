import FoundationEssentials
import Playback
import Simulation
import Testing

/// Tests that a recording leads to the same states again.
@SimulationQueue
@Suite("Replay of recordings") struct ReplayTests {
  @Test("A replay has the state of the recorded run after each input", arguments: [2, 3])
  func sameStates(seed: Int) throws {
    let run = Simulator.run(seed: UInt64(seed), steps: 60, isRecorded: true)
    let text = try ReportFile(try #require(run.recording)).text()
    let recording = try #require(try ReportFile(text).recording)
    let replay = Replay(recording)
    #expect(replay.divergence == nil)
    #expect(replay.breach == nil)
    let (seen, expected) = (try #require(replay.snapshot), try #require(run.snapshot))
    #expect(seen.position == expected.position)
    #expect(seen.currentItem?.id == expected.currentItem?.id)
    #expect(seen.timeControlStatus == expected.timeControlStatus)
    #expect(!recording.inputs.isEmpty)
  }

  @Test("A recorder changes no run")
  func sameRun() {
    let plain = Simulator.run(seed: 2, steps: 60)
    let recorded = Simulator.run(seed: 2, steps: 60, isRecorded: true)
    #expect(plain.digest == recorded.digest)
    #expect(plain.recording == nil)
  }

  @Test("A missing input leads to other states, and the replay reports the first one")
  func divergence() throws {
    let recording = try #require(Simulator.run(seed: 3, steps: 100, isRecorded: true).recording)
    let places = stride(from: 0, to: recording.inputs.count, by: max(1, recording.inputs.count / 10))
    let divergences = places.compactMap { index in
      var shorter = recording
      shorter.inputs.remove(at: index)
      let divergence = Replay(shorter).divergence
      #expect(divergence.map { $0 > index } ?? true)
      return divergence
    }
    // The next measurement of the position has the effect of one that is missing.
    #expect(divergences.count >= places.underestimatedCount / 4)
  }

  @Test("A report contains no URI of an item")
  func withoutURIs() throws {
    let run = Simulator.run(seed: 2, steps: 60, isRecorded: true)
    let text = try ReportFile(try #require(run.recording)).text()
    #expect(!text.contains("file:///") && !text.contains("http://"))
  }

  @Test("A file that is no report is rejected with its line", arguments: ["", "{}", "no JSON"])
  func wrongFiles(text: String) {
    #expect(throws: ReportFile.Fault.self) { try ReportFile(text) }
  }

  @Test("A report of an earlier format is refused, with its number and the version that reads it")
  func earlierFormat() throws {
    var header = ReportHeader(version: "0.3.0", configuration: [], doctor: [])
    header.report = 4
    let line = String(decoding: try JSONEncoder().encode(header), as: UTF8.self)
    let fault = #expect(throws: ReportFile.Fault.self) { try ReportFile(line + "\n{}") }
    #expect(fault?.description == "the format is 4, not 6: check out version 0.3.0")
  }

  private static let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Reports"

  @Test("No report of a user breaks a rule any more")
  func reports() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.hasSuffix(".report") {
      let report = try ReportFile(String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8))
      let replay = Replay(try #require(report.recording))
      #expect(replay.breach == nil, "\(name)")
    }
  }
}
