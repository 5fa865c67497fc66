import TestSupport
import Testing

/// Tests of the programs in Examples/AVFoundation, which are built with the tests.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct ExampleTests {
  /// Returns the lines of an example that plays files.
  private func lines(_ name: String, _ files: String...) async throws -> [String] {
    let result = try await run([Tool.built("avfoundation-examples"), name] + files, within: 60)
    #expect(result.succeeded)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("The progress example shows the progress, each quarter and the end")
  func progress() async throws {
    let lines = try await lines("progress", Media.sine(seconds: 2))
    #expect(lines.filter { $0.hasSuffix("%") } == ["25 %", "50 %", "75 %", "100 %"])
    #expect(lines.contains("[\(String(repeating: "#", count: 20))] 2 s of 2 s"))
    #expect(lines.last == "ended at 2 s, rate 0.0")
  }

  @Test("The state example follows the player with Observation")
  func state() async throws {
    let lines = try await lines("state", Media.sine(seconds: 20))
    #expect(lines.suffix(2) == ["button enabled: pause", "button enabled: play"])
  }

  @Test("The transport example loads, plays, pauses and seeks")
  func transport() async throws {
    let lines = try await lines("transport", Media.sine(seconds: 2))
    #expect(lines.contains("ready: 2 s"))
    #expect(lines.suffix(4) == ["rate 1.0", "rate 0.0", "seek done: 0.75 s", "rate 2.0"])
  }

  @Test("The transport example reports an item that cannot be played")
  func transportFailure() async throws {
    let result = try await run([Tool.built("avfoundation-examples"), "transport", Media.textFile()], within: 60)
    #expect(!result.succeeded && result.output.contains("failed: "))
  }

  @Test("The example of state changes follows the items of a queue to its end, and skips an item that fails")
  func changes() async throws {
    let song = try await Media.sine(seconds: 1)
    let lines = try await lines("changes", song, Media.missing, song)
    #expect(lines.filter { $0 == "played to the end" }.count == 2)
    #expect(
      lines.filter { $0.contains("ready") || $0.contains("failed") } == [
        "item 1: ready", "item 2: failed", "item 3: ready",
      ])
    #expect(lines.contains("item 1: buffer filled") && lines.contains("item 3: likely to keep up"))
    #expect(lines.contains("item 1: loaded to 1 s"))
    #expect(lines.last == "0 items, AVPlayerWaitingWithNoItemToPlayReason")
  }
}
