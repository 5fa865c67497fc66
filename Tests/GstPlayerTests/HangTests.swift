import Dispatch
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Calls into GStreamer that do not return: a file whose `open` waits for a lease, an output that is a pipe.
@Suite("What hangs inside GStreamer", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct HangTests {
  /// A file that nobody else can open as long as this is held; an `open` waits meanwhile.
  private final class LeasedFile: Sendable {
    let uri: String
    private let descriptor: Int32
    /// `F_SETLEASE`, which Glibc keeps from Swift.
    private static let setLease: Int32 = 1024

    init(in directory: TemporaryDirectory) throws {
      let path = directory.file("leased.wav")
      uri = fileURI(path)
      // The kernel tells the holder of every open; by default that ends a process.
      signal(SIGIO, SIG_IGN)
      descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0 && fcntl(descriptor, Self.setLease, F_WRLCK) == 0, "no leases here")
    }

    deinit { close(descriptor) }
  }

  /// A pipe that opens when it has a reader, and takes less than is written at once.
  private struct Pipe {
    let path: String
    var sink: String { "filesink location=\(path)" }
    /// `F_SETPIPE_SZ`, which Glibc keeps from Swift.
    private static let setSize: Int32 = 1031

    init(in directory: TemporaryDirectory) throws {
      path = directory.file("pipe")
      signal(SIGPIPE, SIG_IGN)
      try #require(unsafe mkfifo(path, 0o600) == 0)
    }

    /// Runs `body` while there is a reader that reads nothing; then all that hung can go on.
    ///
    /// What `body` gets waits until a write hangs: the first byte is there, and the rest of its write finds no room.
    func whileBlocked(_ body: (_ isBlocked: () async throws -> Void) async throws -> Void) async throws {
      let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      try #require(fcntl(descriptor, Self.setSize, 4096) > 0)
      let (readable, continuation) = AsyncStream.makeStream(of: Void.self)
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "pipe"))
      source.setEventHandler {
        continuation.finish()
        source.cancel()
      }
      source.activate()
      defer { source.cancel() }
      try await body { try await deadline(10, "a write hangs") { for await _ in readable {} } }
    }
  }

  private func configuration(sink: String = "fakesink sync=true") -> PlayerConfiguration {
    var configuration = PlayerConfiguration(audioSink: sink, loadTimeout: .seconds(1))
    configuration.patience = .milliseconds(500)
    return configuration
  }

  private func withStage(
    _ uris: [String], sink: String = "fakesink sync=true", _ body: (Stage) async throws -> Void
  ) async throws {
    let stage = Stage(uris, configuration: configuration(sink: sink))
    do {
      try await body(stage)
    } catch {
      await stage.end()
      throw error
    }
    try await deadline(10, "closed") { await stage.end() }
  }

  private func isWarning(_ event: PlayerEvent) -> Bool { if case .warning = event { true } else { false } }

  @Test("A file that hangs while it is opened fails once, and the next one plays")
  func hangingOpen() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let leased = try LeasedFile(in: directory)
      try await withStage([leased.uri, good]) { stage in
        try await stage.playOut()
        #expect(stage.failures.map(\.code) == [.loadTimeout])
        #expect(stage.failures.map(\.item) == [stage.items[0]])
        #expect(stage.story.contains(.itemDidPlayToEnd(stage.items[1])))
        #expect(stage.events.elements.count(where: isWarning) == 1)
        // Once more, as the first is still hanging.
        stage.player.play(stage.items[0].id)
        stage.player.play(stage.items[1].id)
        try await stage.event(.queueEnded, from: stage.events.count)
      }
      withExtendedLifetime(leased) {}
    }
  }

  @Test("Stopped or dropped while it hangs, the player lets go", arguments: [true, false])
  func closing(isStopped: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let leased = try LeasedFile(in: directory)
      try await withStage([leased.uri]) { stage in
        stage.player.play()
        try await stage.event(.changed)
        if isStopped {
          stage.player.stop()
          // Whether it hung by then is a matter of moments.
          #expect(stage.player.snapshot.transport == .stopped)
        }
      }
      withExtendedLifetime(leased) {}
    }
  }

  @Test("An output that hangs while it is opened is no output; when it opens, play goes on by itself")
  func hangingOutput() async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let pipe = try Pipe(in: directory)
      try await withStage([file], sink: pipe.sink) { stage in
        stage.player.play()
        try await stage.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
        // It writes too, so that the pipe does not end when one of several writers does.
        try await withChildProcess(["sh", "-c", "exec 3<>\"$0\"; cat <&3 >/dev/null", pipe.path]) { _ in
          try await stage.event(.queueEnded)
        }
        #expect(stage.failures.isEmpty)
        #expect(stage.story.contains(.itemDidPlayToEnd(stage.items[0])))
      }
    }
  }

  @Test("An output that takes no more hangs neither stop nor close")
  func blockedOutput() async throws {
    let file = fileURI(try await Media.sine(seconds: 5))
    try await withTemporaryDirectory { directory in
      let pipe = try Pipe(in: directory)
      try await pipe.whileBlocked { isBlocked in
        try await withStage([file], sink: pipe.sink) { stage in
          stage.player.play()
          try await isBlocked()
          stage.player.stop()
          try await stage.events.first("the warning", where: isWarning)
          stage.player.play()
          try await stage.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
        }
        try await withStage([file], sink: pipe.sink) { stage in
          // The pipe is still full.
          try await stage.playing()
        }
      }
    }
  }

  @Test("A sound server that accepts and stays silent is no output", arguments: [true, false])
  func silentServer(isNamed: Bool) async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let address = server.origin.replacing("http://", with: "tcp:")
      await #expect(processExitsWith: .success) { [address = address as String, file = file as String, isNamed] in
        unsafe setenv("PULSE_SERVER", address, 1)
        var configuration = PlayerConfiguration(audioSink: isNamed ? "pulsesink" : nil)
        configuration.patience = .milliseconds(500)
        let stage = Stage([file], configuration: configuration)
        if isNamed {
          stage.player.play()
          try await stage.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
        } else {
          try await stage.playOut()
        }
        #expect(stage.failures.isEmpty)
        try await deadline(10, "closed") { await stage.end() }
        // The thread that hangs stays behind; destructors of libraries that meet it may abort the process.
        _exit(0)
      }
    }
  }
}
