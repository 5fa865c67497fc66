import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The title of a stream in mixers") struct StreamTitleTests {
  @Test(
    "Without a title, the name is the last part of the path, without a query",
    arguments: [
      ("file:///music/a%20song.flac", "a song.flac"), ("http://host/radio/live?key=secret", "live"),
      ("https://user:password@host/x#part", "x"), ("http://host/folder/?key=a/b", nil), ("http://host", nil),
      ("file:///a/%FF.mp3", "\u{FFFD}.mp3"), ("", nil),
      ("file:///" + String(repeating: "x", count: 900), String(repeating: "x", count: 200)),
    ])
  func name(uri: String, name: String?) { #expect(StreamTitle.name(of: uri) == name) }

  @Test(
    "A title is not shown at an output that cannot be opened, and the process continues",
    .enabled(if: Media.isAvailable && PulseServer.isAvailable, "\(Media.unavailable), or \(PulseServer.unavailable)"))
  func noServer() async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    // libpulse aborts a process that uses its event loop when none exists.
    await #expect(processExitsWith: .success) { [file = file as String] in
      unsafe setenv("PULSE_SERVER", "unix:\(TemporaryDirectory.missing)", 1)
      var configuration = Player.Configuration(audioSink: "pulsesink")
      configuration.application = Player.Configuration.Application(name: "test", id: "test", iconName: "test")
      let harness = PlayerHarness([file], configuration: configuration)
      harness.player.play()
      try await harness.reaches("the failure of the output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
      await harness.end()
    }
  }
}
