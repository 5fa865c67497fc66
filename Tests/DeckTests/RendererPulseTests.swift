import CGst
import EngineProcess
import FoundationEssentials
import Glibc
import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// A recording of a sound server's output, whose frames name their stream and their number.
private struct Recording {
  /// Consecutive frames of a stream; stream 0 is silence.
  struct Run: Equatable {
    var stream: Int
    var first: Int
    var count: Int
  }

  private(set) var runs: [Run] = []

  init(_ bytes: [UInt8]) {
    for place in stride(from: 0, to: bytes.count - 3, by: 4) {
      let left = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      let right = Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8
      if let run = runs.last, run.stream == right, right == 0 || (run.first + run.count - 1) % 30_000 + 1 == left {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(Run(stream: right, first: left, count: 1))
      }
    }
  }

  /// The runs of a stream.
  func runs(of stream: Int) -> [Run] { runs.filter { $0.stream == stream } }

  /// Expects all frames of a stream, once; of a start after silence, a server does not render, or repeats, up to 0.1 s.
  func expect(_ stream: Int, count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let found = runs(of: stream)
    let last = found.last
    let end = last.map { ($0.first + $0.count - 2) % 30_000 + 1 }
    let isWhole = last.map { $0.count >= count - 4_410 } ?? false
    let before = found.dropLast().reduce(0) { $0 + $1.count }
    if isWhole, end == (count - 1) % 30_000 + 1, before <= 4_410 { return }
    Issue.record("of stream \(stream): \(found), expected \(count) frames", sourceLocation: sourceLocation)
  }

  /// Expects all frames of a stream to its last one, although pauses interrupt it.
  func expectContinued(
    _ stream: Int, count: Int, pauses: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let runs = runs(of: stream)
    #expect(
      runs.last.map { ($0.first + $0.count - 2) % 30_000 + 1 } == (count - 1) % 30_000 + 1, "\(runs)",
      sourceLocation: sourceLocation)
    // A null sink renders ahead, and does not record samples again that it has rendered before a pause.
    let bounds = count - (pauses + 1) * 4_410...count + pauses * 4_410
    #expect(bounds.contains(runs.reduce(0) { $0 + $1.count }), "\(runs)", sourceLocation: sourceLocation)
  }
}

/// The audible samples of a renderer, recorded from a sound server.
@Suite(.enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "pulseaudio or parec is not installed"))
struct RendererPulseTests {
  /// Runs `body` with a renderer that plays on a server, and a function that waits until so many quarters of a second more have
  /// been recorded; returns the recording until the end of the plan.
  private func recording(
    buffer: Int = 4_000, _ body: (RendererHarness, _ listen: (Int) async throws -> Void) async throws -> Void
  ) async throws -> Recording {
    try await withTemporaryDirectory { directory in
      try await withPulseServer { server in
        let path = directory.file("recording")
        let command = """
          parec --device=\(PulseServer.sink).monitor --format=s16le --rate=44100 --channels=2 --latency-msec=50 --raw |
          tee \(path) | od -An -v -td2 -w44100 | stdbuf -oL cut -c1-8
          """
        return try await withChildProcess(["sh", "-c", command], environment: server.environment) { child in
          try await child.waitForLine(containing: "0", on: .output, within: 20)
          let sink = "pulsesink server=\(server.address) buffer-time=\(buffer * 1_000) latency-time=\(buffer * 250)"
          let harness = try await RendererHarness(directory, sink: sink)
          let listen: (Int) async throws -> Void = { quarters in
            try await child.lines.first("a recording", from: child.lines.count + quarters, within: 30) { _ in true }
          }
          try await body(harness, listen)
          try await harness.waitForEnd()
          try await listen(3)
          try await harness.renderer.setOutput(nil)
          return Recording(Array(try Data(contentsOf: URL(filePath: path))))
        }
      }
    }
  }

  private func play(_ harness: RendererHarness, _ counts: [Int64], plan: [UInt64]) async throws {
    for (index, count) in counts.enumerated() {
      let passage = Passage.number(UInt64(index + 1))
      await harness.renderer.append([counted(passage, 0..<count)])
      await harness.renderer.finish(passage)
    }
    await harness.renderer.setPlan(plan.map { Part(id: .init($0), .number($0)) }, from: .difference)
    await harness.renderer.setPlaying(true)
    try await harness.events.first("began", within: 20) { $0 == .began(.init(plan[0]), at: .zero) }
  }

  @Test("A sound server plays two parts without a break", arguments: [1_000, 4_000])
  func gapless(buffer: Int) async throws {
    let recording = try await recording(buffer: buffer) { harness, _ in
      try await play(harness, [60_000, 70_000], plan: [1, 2])
    }
    recording.expect(1, count: 60_000)
    #expect(recording.runs(of: 2) == [.init(stream: 2, first: 1, count: 70_000)])
  }

  @Test("Samples that arrive late are audible from their first one on", arguments: [0, 6])
  func late(quarters: Int) async throws {
    let recording = try await recording { harness, listen in
      await harness.renderer.setPlan((1...2).map { Part(id: .init($0), .number($0)) }, from: .difference)
      await harness.renderer.append([counted(.number(1), 0..<60_000)])
      await harness.renderer.finish(.number(1))
      await harness.renderer.setPlaying(true)
      try await harness.events.first("dry", within: 20) { $0 == .dry(.number(2)) }
      try await listen(quarters)
      await harness.renderer.append([counted(.number(2), 0..<60_000)])
      await harness.renderer.finish(.number(2))
    }
    recording.expect(1, count: 60_000)
    recording.expect(2, count: 60_000)
  }

  @Test("An edit replaces what follows without a break", arguments: [4, 23])
  func edit(quarters: Int) async throws {
    let recording = try await recording { harness, listen in
      try await play(harness, [300_000, 100_000, 60_000], plan: [1, 2])
      try await listen(quarters)
      await harness.renderer.setPlan([1, 3].map { Part(id: .init($0), .number($0)) }, from: .difference)
    }
    recording.expect(1, count: 300_000)
    #expect(recording.runs(of: 2) == [])
    #expect(recording.runs(of: 3) == [.init(stream: 3, first: 1, count: 60_000)])
  }

  @Test("A part that is removed is not audible, although its start was written")
  func removal() async throws {
    let recording = try await recording { harness, listen in
      try await play(harness, [60_000, 60_000], plan: [1, 2])
      try await listen(3)
      await harness.renderer.setPlan([Part(id: .init(1), .number(1))], from: .difference)
    }
    recording.expect(1, count: 60_000)
    #expect(recording.runs(of: 2) == [])
  }

  @Test("A next part that is removed in a pause, although its start was written, costs nothing of the first one")
  func pausedRemoval() async throws {
    let recording = try await recording { harness, listen in
      try await play(harness, [60_000, 60_000], plan: [1, 2])
      try await listen(3)
      await harness.renderer.setPlaying(false)
      await harness.renderer.setPlan([Part(id: .init(1), .number(1))], from: .difference)
      await harness.renderer.setPlaying(true)
    }
    recording.expectContinued(1, count: 60_000, pauses: 1)
    #expect(recording.runs(of: 2) == [])
  }

  @Test("A pause and an edit during it lose nothing of the first part, and play nothing of the replaced one")
  func pausedEdit() async throws {
    let recording = try await recording { harness, _ in
      try await play(harness, [60_000, 60_000, 60_000], plan: [1, 2])
      try await harness.events.first("the second part", within: 20) { $0 == .began(.init(2), at: .zero) }
      await harness.renderer.setPlaying(false)
      await harness.renderer.setPlan([Part(id: .init(3), .number(3))], from: .difference)
      await harness.renderer.setPlaying(true)
    }
    recording.expect(1, count: 60_000)
    recording.expect(3, count: 60_000)
    // Until the pause was audible.
    #expect(recording.runs(of: 2).reduce(0) { $0 + $1.count } < 30_000)
  }

  @Test("A pause loses and repeats nothing")
  func pause() async throws {
    let recording = try await recording { harness, listen in
      try await play(harness, [150_000], plan: [1])
      for _ in 1...3 {
        try await listen(1)
        await harness.renderer.setPlaying(false)
        try await listen(1)
        await harness.renderer.setPlaying(true)
      }
    }
    recording.expectContinued(1, count: 150_000, pauses: 3)
  }

  @Test("A skip is audible at once, out of a full output")
  func skip() async throws {
    let recording = try await recording { harness, listen in
      try await play(harness, [400_000, 60_000], plan: [1])
      try await listen(6)
      await harness.renderer.setPlan([Part(id: .init(2), .number(2))], from: .now)
    }
    recording.expect(2, count: 60_000)
    // Without a replacement, two seconds more would be audible.
    #expect(recording.runs(of: 1).reduce(0) { $0 + $1.count } < 44_100 * 3)
  }
}
