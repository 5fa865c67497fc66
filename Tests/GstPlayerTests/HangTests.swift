import Dispatch
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of calls into GStreamer that do not return: an `open` that waits for a file lease, and an output that is a
/// pipe.
@Suite("Calls that hang inside GStreamer", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct HangTests {
  /// A file under a lease: as long as the lease is held, other calls of `open` block.
  final class LeasedFile: Sendable {
    let uri: String
    private let descriptor: Int32
    /// The value of `F_SETLEASE`, which Glibc does not import into Swift.
    private static let setLease: Int32 = 1024

    init(in directory: TemporaryDirectory) throws {
      let path = directory.file("leased.wav")
      uri = fileURI(path)
      // The kernel signals every open to the lease holder; the default action of the signal ends the process.
      signal(SIGIO, SIG_IGN)
      descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0 && fcntl(descriptor, Self.setLease, F_WRLCK) == 0, "no file leases")
    }

    deinit { close(descriptor) }
  }

  /// A named pipe that opens when it has a reader, and whose buffer is smaller than one write.
  private struct Pipe {
    let path: String
    var sink: String { "filesink location=\(path)" }
    /// The value of `F_SETPIPE_SZ`, which Glibc does not import into Swift.
    private static let setSize: Int32 = 1031

    init(in directory: TemporaryDirectory) throws {
      path = directory.file("pipe")
      signal(SIGPIPE, SIG_IGN)
      try #require(unsafe mkfifo(path, 0o600) == 0)
    }

    /// Runs `body` while the reader of the pipe reads nothing; afterwards blocked writes can continue.
    ///
    /// The argument of `body` waits until a write blocks: its first byte has arrived, and the pipe is full.
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

  private func configuration(sink: String = "fakesink sync=true") -> Player.Configuration {
    var configuration = Player.Configuration(audioSink: sink, loadTimeout: .seconds(1))
    configuration.pipelineTimeout = .milliseconds(500)
    return configuration
  }

  private func withStage(
    _ uris: [String], sink: String = "fakesink sync=true", _ body: (PlayerHarness) async throws -> Void
  ) async throws {
    let harness = PlayerHarness(uris, configuration: configuration(sink: sink))
    do {
      try await body(harness)
    } catch {
      await harness.end()
      throw error
    }
    try await deadline(10, "closed") { await harness.end() }
  }

  private func isWarning(_ event: Player.Event) -> Bool { if case .warning = event { true } else { false } }

  @Test("A file that hangs on opening fails once, and the next item plays")
  func hangingOpen() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let leased = try LeasedFile(in: directory)
      try await withStage([leased.uri, good]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.code) == [.loadTimeout])
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.significantEvents.contains(.itemDidPlayToEnd(harness.items[1])))
        try await harness.events.first("the warning", within: 10, where: isWarning)
        #expect(harness.events.elements.count(where: isWarning) == 1)
        // Play it again while the first `open` still hangs.
        harness.player.play(item: harness.items[0].id)
        harness.player.play(item: harness.items[1].id)
        try await harness.event(.queueEnded, from: harness.events.count)
      }
      withExtendedLifetime(leased) {}
    }
  }

  @Test("A player that is stopped or released while a file hangs shuts down", arguments: [true, false])
  func closing(isStopped: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let leased = try LeasedFile(in: directory)
      try await withStage([leased.uri]) { harness in
        harness.player.play()
        try await harness.event(.changed)
        if isStopped {
          harness.player.stop()
          // The file may or may not hang at this point.
          #expect(harness.player.snapshot.transport == .stopped)
        }
      }
      withExtendedLifetime(leased) {}
    }
  }

  @Test("An output that hangs on opening is unavailable; when it opens, playback continues automatically")
  func hangingOutput() async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withTemporaryDirectory { directory in
      let pipe = try Pipe(in: directory)
      try await withStage([file], sink: pipe.sink) { harness in
        harness.player.play()
        try await harness.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
        // The child also opens the pipe for writing, so that the pipe does not end with one of several writers.
        try await withChildProcess(["sh", "-c", "exec 3<>\"$0\"; cat <&3 >/dev/null", pipe.path]) { _ in
          try await harness.event(.queueEnded)
        }
        #expect(harness.failures.isEmpty)
        #expect(harness.significantEvents.contains(.itemDidPlayToEnd(harness.items[0])))
      }
    }
  }

  /// Runs `body` with a player whose output blocks, and which has given up that output; then runs `after`.
  private func withBlockedOutput(
    _ body: (PlayerHarness) async throws -> Void,
    after: (_ uri: String, _ sink: String) async throws -> Void = { _, _ in }
  ) async throws {
    let file = fileURI(try await Media.sine(seconds: 5))
    try await withTemporaryDirectory { directory in
      let pipe = try Pipe(in: directory)
      try await pipe.whileBlocked { isBlocked in
        try await withStage([file], sink: pipe.sink) { harness in
          harness.player.play()
          try await isBlocked()
          harness.player.stop()
          try await harness.events.first("the warning", where: isWarning)
          harness.player.play()
          try await harness.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
          try await body(harness)
        }
        try await after(file, pipe.sink)
      }
    }
  }

  @Test("An output that blocks does not block stop or close")
  func blockedOutput() async throws {
    try await withBlockedOutput { _ in
    } after: { file, sink in
      // The pipe is still full.
      try await withStage([file], sink: sink) { try await $0.playing() }
    }
  }

  @Test("If an output blocks, another one can be selected, and plays")
  func anotherOutput() async throws {
    try await withBlockedOutput { harness in
      harness.player.audioOutput = AudioOutput(
        id: "other", name: "", isDefault: false, sinkDescription: "fakesink sync=true")
      try await harness.playing()
    }
  }

  @Test("A sound server that never answers counts as no output", arguments: [true, false])
  func silentServer(isNamed: Bool) async throws {
    let file = fileURI(try await Media.sine(seconds: 0.3))
    try await withHTTPServer { server in
      let address = server.origin.replacing("http://", with: "tcp:")
      await #expect(processExitsWith: .success) { [address = address as String, file = file as String, isNamed] in
        unsafe setenv("PULSE_SERVER", address, 1)
        var configuration = Player.Configuration(audioSink: isNamed ? "pulsesink" : nil)
        configuration.pipelineTimeout = .milliseconds(500)
        let harness = PlayerHarness([file], configuration: configuration)
        if isNamed {
          harness.player.play()
          try await harness.reaches("no output") { $0.timeControlStatus == .waitingToPlay(.noOutput) }
        } else {
          try await harness.playToEnd()
        }
        #expect(harness.failures.isEmpty)
        try await deadline(10, "closed") { await harness.end() }
        // The thread that hangs is abandoned; library destructors that meet it may abort the process.
        _exit(0)
      }
    }
  }
}
