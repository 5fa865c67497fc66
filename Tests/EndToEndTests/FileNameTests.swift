import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("A file name that is not UTF-8, with the built daemon", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct FileNameTests {
  @Test("The command line adds it, queue prints it as text, and a restart restores it")
  func session() async throws {
    let media = try await Media.sine(seconds: 30, format: .wav)
    let first = try await Media.sine(seconds: 30, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      let bytes = Array(try Data(contentsOf: URL(filePath: media)))
      try directory.write(bytes, to: "new")
      // “café” in Latin-1.
      try directory.rename("new", to: Array("caf".utf8) + [0xE9] + Array(".wav".utf8))
      let uri = "file://\(directory.path)/caf%E9.wav"
      let environment = ["XDG_STATE_HOME": directory.file("state")]
      try await withDaemon(["--paused", first], environment: environment) { daemon in
        try await daemon.opened(titled: "First")
        let command = "\(DaemonUnderTest.executable) \"$(printf '%s/caf\\351.wav' \"$0\")\" --paused"
        let opened = try await run(["bash", "-c", command, directory.path], environment: daemon.bus.environment)
        #expect(opened.output == "loaded 1 track, paused\n", "\(opened.error)")
        try await daemon.opened(titled: "caf\u{FFFD}.wav")
        #expect(try await daemon.metadata("xesam:url") == .string(uri))
        let queue = try await run([DaemonUnderTest.executable, "queue"], environment: daemon.bus.environment)
        #expect(queue.output == "> 1  caf\u{FFFD}.wav  0:30\n", "\(queue.error)")
        daemon.process.signal(SIGTERM)
        try await daemon.process.exitStatus()
      }
      try await withDaemon([], environment: environment) { daemon in
        try await daemon.opened(titled: "caf\u{FFFD}.wav")
        #expect(try await daemon.metadata("xesam:url") == .string(uri))
      }
    }
  }
}
