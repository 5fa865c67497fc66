import Playback
import TestSupport
import Testing

@testable import GstPlayer

/// Tests of a title that a parser repeats during playback.
@Suite("Repeated titles", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct RepeatedTitleTests {
  @Test("The title of a file is reported once at its start, however often its parser repeats it")
  func once() async throws {
    let path = try await Media.sine(seconds: 30, tags: Tags(title: "One"))
    let events = EventLog<EngineEvent>()
    let host = PipelineHost(configuration: Player.Configuration(audioSink: "fakesink"))
    host.open(EngineClient(report: { events.append($0) }, nextStream: { _ in nil }))
    host.perform(.load(uri: "file://\(path)", StreamToken(number: 1)))
    host.perform(.setPlaying(true))
    try await events.first("the end", within: 20) { if case .ended = $0 { true } else { false } }
    host.close()
    await host.closed()
    let titles = events.elements.count { if case .titleStarts = $0 { true } else { false } }
    #expect(titles == 1)
  }
}
