import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("An output that has lost its clock", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LostClockTests {
  @Test("A lost clock is exchanged without starting an output that is paused", arguments: [false, true])
  func exchange(isPlaying: Bool) async throws {
    try GStreamer.initialize()
    let format = try #require(PCMFormat(.int16, rate: 44_100, channels: 2))
    let events = EventLog<Output.Event>()
    let output = try Output(try AudioSink.make("fakesink sync=true")) { events.append($0) }
    try output.open(format, at: 0)
    output.write([UInt8](repeating: 0, count: format.bytesPerFrame * format.rate), at: 0)
    output.setPlaying(isPlaying)
    if isPlaying { try await events.first("it plays", where: isStart) }
    let place = events.count
    output.selectClock()
    // A paused output plays once, after the command to play.
    if !isPlaying { output.setPlaying(true) }
    try await events.first("it plays with a clock", from: place, where: isStart)
    #expect(output.isPlaying && output.runningTime != nil)
    output.close()
    #expect(events.elements.count(where: isStart) == (isPlaying ? 2 : 1))
  }

  private func isStart(_ event: Output.Event) -> Bool { if case .playing = event { true } else { false } }
}
