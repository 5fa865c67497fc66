import EngineProcess
import Logging
import Playback
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Log of playback") struct PlaybackSupervisorTests {
  @Test("Of many items that fail one after another, the first ones are a line each, and the others one more line")
  func failures() async throws {
    let (lines, status) = try await play(["missing"], count: 50)
    #expect(status == ExitStatus.nothingPlayable)
    #expect(lines.count == 21)
    #expect(lines.first?.hasSuffix("/missing: not found") == true)
    #expect(lines.last == "30 more items cannot be played")
  }

  @Test(
    "The count of failed items begins again after one that has played",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func countedAnew() async throws {
    let missing = [String](repeating: "missing", count: 15)
    let media = try await Media.sine(seconds: 0.2)
    let (lines, status) = try await play(missing + [media] + missing, count: 1)
    #expect(status == .success)
    #expect(lines.count == 30)
  }

  @Test("Lines about playback beyond the limit are left out, and those below the level of the log do not count")
  func flood() {
    let lines = EventLog<String>()
    var log = EventLines(Logger(label: "test") { _ in LineLog(lines: lines) })
    for _ in 0..<1_000 { log.write(.debug, "detail") }
    let now = SuspendingClock.now
    for number in 0..<1_000 { log.write(.warning, "\(number)", at: now) }
    #expect(lines.elements == (0..<LogLimit.count).map(String.init))
  }

  /// Plays files, repeated, to the end of the queue; returns the lines of the log and the status of the program.
  private func play(_ files: [String], count: Int) async throws -> ([String], PlayerdSystem.ExitStatus?) {
    let lines = EventLog<String>()
    return try await withTemporaryDirectory { directory in
      let player = GStreamerFramework().makePlayer(
        Player.Configuration(audioSink: "fakesink sync=true"), observers: QueueExecutor(label: "test.observers"))
      let supervisor = PlaybackSupervisor(
        player: player, opens: OpenQueue(), quitsAtEnd: true, log: Logger(label: "test") { _ in LineLog(lines: lines) })
      let paths = files.map { $0.hasPrefix("/") ? $0 : directory.file($0) }
      player.replaceQueue(with: (0..<count).flatMap { _ in paths.map { Player.Item(uri: "file://\($0)") } })
      player.play()
      let status = try await deadline(60, "the end of the queue") { await supervisor.run() }
      await player.close()
      return (lines.elements, status)
    }
  }
}
