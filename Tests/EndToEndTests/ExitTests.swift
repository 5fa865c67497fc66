import Dispatch
import Glibc
import TestSupport
import Testing

/// Tests of the exit of the process when a library cannot be unloaded, as with plug-ins that leave threads running.
@Suite(.enabled(if: Tool.areAvailable("clang"), "clang is not installed"))
struct ExitTests {
  /// A library that aborts the daemon's process when its destructors run.
  private static let source = """
    #define _GNU_SOURCE
    #include <errno.h>
    #include <stdlib.h>
    #include <string.h>
    __attribute__((destructor)) static void unloaded(void) {
      if (strcmp(program_invocation_short_name, "mpris-playerd") == 0) abort();
    }
    """

  /// Runs `body` with the environment that loads the library into every child.
  private func withHostileLibrary(
    _ body: (TemporaryDirectory, _ environment: [String: String]) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let (source, library) = (try directory.write(Self.source, to: "hostile.c"), directory.file("hostile.so"))
      let compiled = try await run(["clang", "-shared", "-fPIC", "-o", library, source], within: 60)
      try #require(compiled.succeeded, "\(compiled.error)")
      try await body(directory, ["LD_PRELOAD": library])
    }
  }

  @Test("Every command exits with its status and all of its output, even if a library's destructor aborts")
  func commands() async throws {
    let good = try await Media.sine(seconds: 0.3, format: .wav)
    try await withHostileLibrary { _, environment in
      for (arguments, status, output) in [
        (["--version"], 0, "."), (["play", "--help"], 0, "--quit-at-end"), (["config"], 0, "volume = "),
        (["--generate-completion-script", "bash"], 0, "complete"), (["doctor", "--verbose"], 1, "FLAC can be played"),
        (["--nonsense"], 64, nil), (["status"], 69, nil),
        (["--quit-at-end"] + DaemonUnderTest.silentSink + [good], 0, "playing 1 track; Ctrl-C quits"),
        (["--quit-at-end"] + DaemonUnderTest.silentSink + [Media.missing], 66, nil),
      ] as [([String], Int32, String?)] {
        let noBus = ChildEnvironment.withoutBus
        let result = try await run(
          [DaemonUnderTest.executable] + arguments, environment: environment.merging(noBus) { $1 })
        #expect(result.status == .exited(status), "\(arguments): \(result.error)")
        #expect(output.map { result.output.contains($0) } ?? result.output.isEmpty, "\(arguments): \(result.output)")
      }
    }
  }

  @Test("SIGTERM ends a playing daemon with 0, even if a library's destructor aborts")
  func playing() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withHostileLibrary { _, environment in
      try await withDaemon([file], environment: environment) { daemon in
        try await daemon.titled("First")
        daemon.process.signal(SIGTERM)
        #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
      }
    }
  }

  @Test("SIGTERM ends a daemon whose output blocks with 0, even if a library's destructor aborts")
  func blocked() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withHostileLibrary { directory, environment in
      let pipe = directory.file("pipe")
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      let descriptor = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let (readable, continuation) = AsyncStream.makeStream(of: Void.self)
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "pipe"))
      source.setEventHandler {
        continuation.finish()
        source.cancel()
      }
      source.activate()
      defer { source.cancel() }
      try await withDaemon([file], sink: ["--audio-sink", "filesink location=\(pipe)"], environment: environment) {
        daemon in
        // The pipe is never read, and is full soon after its first byte.
        try await deadline(10, "the output writes") { for await _ in readable {} }
        daemon.process.signal(SIGTERM)
        #expect(try await daemon.process.exitStatus(within: 5) == .exited(0))
      }
    }
  }
}
