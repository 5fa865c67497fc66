import CGst
import EngineProcess
import FoundationEssentials
import Glibc
import Joining
import Playback
import PlayerClock
import TestSupport
import Testing

@testable import GstPlayer

/// A renderer with an output that records the samples that it plays.
final class RendererHarness: Sendable {
  let renderer: Renderer
  let events = EventLog<Renderer.Event>()
  private let path: String
  private let descriptor: Int32

  init(_ directory: TemporaryDirectory, _ format: PCMFormat = .cd, sink: String? = nil) async throws {
    path = directory.file("heard.raw")
    descriptor = unsafe Glibc.open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    try GStreamer.initialize()
    let executor = PipelineExecutor(label: "renderer")
    renderer = Renderer(executor, format, clock: DispatchClock(queue: executor.queue)) { [events] in events.append($0) }
    let description = sink ?? "fdsink fd=\(descriptor) sync=true"
    try await renderer.setOutput { report throws(PlayerError) in
      try Output(AudioSink.make(description), report: report)
    }
  }

  deinit { close(descriptor) }

  /// The bytes that were played.
  var heard: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: path))) } }

  func waitForEnd(within seconds: Double = 20) async throws {
    try await events.first("the end", within: seconds) { $0 == .playedOut }
  }
}

extension Renderer.Event {
  /// Whether it is about the audible samples, and not about the output.
  var isHeard: Bool {
    switch self {
    case .began, .ended, .dry, .playedOut, .failed: true
    case .resumed, .playing, .startMissed, .used, .waiting, .warning, .pauseRequested, .resumeRequested: false
    }
  }
}

extension PCMFormat {
  /// 44,100 Hz, 16 bits, stereo.
  static var cd: PCMFormat {
    guard let format = PCMFormat(.int16, rate: 44_100, channels: 2) else {
      preconditionFailure("a constant is invalid")
    }
    return format
  }
}

extension Passage {
  static func number(_ number: UInt64) -> Passage { Passage(StreamToken(number: number)) }
}

/// Returns 16-bit stereo samples with the number of their frame on the left, and of their stream on the right channel.
func counted(_ passage: Passage, _ frames: Range<Int64>, _ format: PCMFormat = .cd) -> Block {
  var bytes: [UInt8] = []
  for frame in frames {
    let left = UInt16(truncatingIfNeeded: frame % 30_000 + 1)
    for value in [left, UInt16(truncatingIfNeeded: passage.stream.number)] {
      bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
  }
  guard let block = Block(passage, format, first: frames.lowerBound, bytes: bytes) else {
    preconditionFailure("the frames are whole")
  }
  return block
}

/// Expects that two runs of samples are equal, and names the first difference.
func expectHeard(_ heard: [UInt8], _ expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
  guard heard != expected else { return }
  let place = zip(heard, expected).enumerated().first { $1.0 != $1.1 }?.offset
  Issue.record(
    "\(heard.count / 4) frames, expected \(expected.count / 4); first difference at \(place.map { $0 / 4 } ?? -1)",
    sourceLocation: sourceLocation)
}

@Suite struct RendererTests {
  @Test("Two parts are played without a break, and reported when they are audible")
  func gapless() async throws {
    try await withTemporaryDirectory { directory in
      let harness = try await RendererHarness(directory)
      let blocks = [counted(.number(1), 0..<20_000), counted(.number(2), 0..<30_001)]
      let parts = [Part(id: .init(1), .number(1)), Part(id: .init(2), .number(2))]
      for block in blocks {
        await harness.renderer.append([block])
        await harness.renderer.finish(block.passage)
      }
      await harness.renderer.setPlan(parts, from: .difference)
      await harness.renderer.setPlaying(true)
      try await harness.waitForEnd()
      expectHeard(try harness.heard, blocks[0].bytes + blocks[1].bytes)
      #expect(
        harness.events.elements.filter(\.isHeard) == [
          .began(parts[0].id, at: .zero), .ended(parts[0].id, at: PCMFormat.cd.time(at: 20_000)),
          .began(parts[1].id, at: .zero), .ended(parts[1].id, at: PCMFormat.cd.time(at: 30_001)), .playedOut,
        ])
      try await harness.renderer.setOutput(nil)
    }
  }

  @Test(
    "A next part that is removed after its first samples were written costs nothing of the one before",
    arguments: [false, true])
  func removal(isPaused: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let harness = try await RendererHarness(directory)
      let blocks = (1...3).map { counted(.number($0), 0..<30_000) }
      for block in blocks {
        await harness.renderer.append([block])
        await harness.renderer.finish(block.passage)
      }
      let parts = (1...3).map { Part(id: .init($0), .number($0)) }
      await harness.renderer.setPlan([parts[0], parts[1]], from: .difference)
      await harness.renderer.setPlaying(true)
      try await harness.events.first("samples of the second part", within: 20) {
        if case .used(.number(2), let frame) = $0 { frame > 0 } else { false }
      }
      if isPaused { await harness.renderer.setPlaying(false) }
      await harness.renderer.setPlan([parts[0], parts[2]], from: .difference)
      if isPaused { await harness.renderer.setPlaying(true) }
      try await harness.waitForEnd()
      let heard = try harness.heard
      #expect(heard.starts(with: blocks[0].bytes))
      #expect(heard.suffix(blocks[2].bytes.count) == blocks[2].bytes[...])
      // On a busy machine, the sink may hold a buffer of the second part before it is removed.
      #expect(heard.count - 2 * blocks[0].bytes.count <= 4 * 44_100 / 10, "\(heard.count / 4) frames")
      #expect(harness.events.elements.count { $0 == .playing } == (isPaused ? 2 : 1), "the output does not start again")
      try await harness.renderer.setOutput(nil)
    }
  }

  @Test("All samples that come late are played")
  func late() async throws {
    try await withTemporaryDirectory { directory in
      let harness = try await RendererHarness(directory)
      let blocks = [counted(.number(1), 0..<20_000), counted(.number(2), 0..<20_000)]
      await harness.renderer.setPlan(
        [Part(id: .init(1), .number(1)), Part(id: .init(2), .number(2))], from: .difference)
      await harness.renderer.append([blocks[0]])
      await harness.renderer.finish(.number(1))
      await harness.renderer.setPlaying(true)
      try await harness.events.first("dry", within: 20) { $0 == .dry(.number(2)) }
      await harness.renderer.append([blocks[1]])
      await harness.renderer.finish(.number(2))
      try await harness.waitForEnd()
      expectHeard(try harness.heard, blocks[0].bytes + blocks[1].bytes)
      try await harness.renderer.setOutput(nil)
    }
  }
}
