import Logging
import Playback
import TestSupport
import Testing

@testable import Playerd

@Suite("Log of playback") struct PlaybackSupervisorTests {
  @Test("Of many items that fail one after another, the first ones are a line each, and the others one more line")
  func failures() async throws {
    try await withTemporaryDirectory { directory in
      let lines = EventLog<String>()
      let player = GStreamerFramework().makePlayer(
        Player.Configuration(audioSink: "fakesink sync=true"), observers: QueueExecutor(label: "test.observers"))
      let supervisor = PlaybackSupervisor(
        player: player, opens: OpenQueue(), quitsAtEnd: true, log: Logger(label: "test") { _ in LineLog(lines: lines) })
      player.replaceQueue(with: (0..<50).map { Player.Item(uri: "file://\(directory.path)/\($0).flac") })
      player.play()
      let status = try await deadline(60, "the end of the queue") { await supervisor.run() }
      #expect(status == ExitStatus.nothingPlayable)
      await player.close()
      #expect(lines.count == 21)
      #expect(lines.elements.first == "\(directory.path)/0.flac: not found")
      #expect(lines.elements.last == "30 more items cannot be played")
    }
  }
}
