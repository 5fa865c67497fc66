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
    let engine = ScriptedEngine(Player.Configuration(audioSink: "fakesink"))
    engine.play(fileURI(path), .first)
    try await engine.event(.ended, of: .first)
    await engine.close()
    let titles = engine.events.elements.count { if case .stream(_, .titleStarts) = $0 { true } else { false } }
    #expect(titles == 1)
  }
}
