import EngineProcess
import Glibc
import Playback
import Synchronization
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("The user's resolver") struct ResolverTests {
  private final class Time: Sendable {
    let seconds = Mutex(1000.0)
  }

  /// Runs `body` with a resolver whose command is a script; `$0` of the script is a file of its own.
  private func withResolver(
    _ script: String, timeout: Duration = .seconds(600),
    _ body: (Resolver, Time, TemporaryDirectory) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let time = Time()
      var sources = ConfigurationSources()
      sources.override([
        "resolver": .list(["sh", "-c", script, directory.file("runs")]), "resolver-for": .list(["video.example"]),
      ])
      let settings = Settings(sources) { () throws(ConfigurationError) in ConfigurationSources() }
      try await body(Resolver(settings, timeout: timeout) { time.seconds.withLock { $0 } }, time, directory)
    }
  }

  private func failure(_ resolver: Resolver, _ address: String = "https://video.example/1") async -> PlayerError? {
    do throws(PlayerError) {
      _ = try await resolver.resolve(address, isRenewed: false)
      return nil
    } catch {
      return error
    }
  }

  /// Prints a track whose URI has the number of the run.
  private static let counting = """
    echo "$1" >>"$0"; n=$(wc -l <"$0"); printf '{"url": "http://media/%s"%s}' "$n" "$MORE"
    """

  @Test("A result is used until it expires, else for a minute, and not after the server has refused it")
  func expiry() async throws {
    for (script, lifetime) in [
      (Self.counting, 60.0), (Self.counting.replacing("$MORE", with: ", \\\"expires\\\": 1005"), 5),
    ] {
      try await withResolver(script) { resolver, time, directory in
        let address = "https://video.example/watch?v=1;2"
        let first = try await resolver.resolve(address, isRenewed: false)
        #expect(first == ResolvedMedia(uri: "http://media/1", headers: nil))
        time.seconds.withLock { $0 += lifetime - 1 }
        let second = try await resolver.resolve(address, isRenewed: false)
        #expect(second == ResolvedMedia(uri: "http://media/1", headers: nil, isKept: true))
        #expect(try await resolver.resolve(address, isRenewed: true).uri == "http://media/2")
        time.seconds.withLock { $0 += lifetime + 1 }
        #expect(try await resolver.resolve(address, isRenewed: false).uri == "http://media/3")
        // The address is one argument, and no shell reads it.
        let runs = try await TestSupport.run(["cat", directory.file("runs")]).output
        #expect(runs == String(repeating: address + "\n", count: 3))
      }
    }
  }

  @Test("A failure has the last line of the command's errors, without control characters")
  func words() async throws {
    for (script, reason) in [
      ("echo one >&2; printf 'ERROR:\\033[31mno video\\n\\n' >&2; exit 1", "ERROR:no video"),
      ("exit 3", "exit status 3"), ("kill -15 $$", "signal 15"),
      ("echo nothing", "its output is not a JSON object on each line"),
      ("exec head -c 20000000 /dev/zero", "its output is longer than 16 MiB"),
    ] {
      try await withResolver(script) { resolver, _, _ in
        #expect(
          await failure(resolver) == PlayerError(code: .resolverFailed, message: "the resolver failed: \(reason)"))
      }
    }
  }

  @Test("A command that does not end is killed with its processes, after its time limit or at a cancellation")
  func ends() async throws {
    try await withResolver("sleep 600 & wait", timeout: .milliseconds(50)) { resolver, _, _ in
      #expect(
        await failure(resolver)?.message == "the resolver failed: it has not ended within 0.05 s and is killed")
    }
    try await withResolver(#"echo $$ >"$0"; sleep 600 & wait"#) { resolver, _, directory in
      let path = directory.file("runs")
      #expect(unsafe mkfifo(path, 0o600) == 0)
      let task = Task { await failure(resolver) }
      let process = try #require(Int32(try await TestSupport.run(["head", "-1", path]).output.dropLast()))
      #expect(kill(process, 0) == 0)
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      #expect(kill(process, 0) != 0)
    }
  }

  @Test("A process that the command leaves in the background does not delay its result")
  func background() async throws {
    try await withResolver(#"sleep 600 & printf '{"url": "http://media/1"}'"#) { resolver, _, _ in
      let media = try await resolver.resolve("https://video.example/1", isRenewed: false)
      #expect(media.uri == "http://media/1")
    }
  }

  @Test("The tracks of a playlist are kept under their own addresses; a playlist itself is not played")
  func playlist() async throws {
    let list = #"{"entries": [{"url": "http://media/1", "webpage_url": "https://video.example/1"}]}"#
    try await withResolver("printf '%s' '\(list)'") { resolver, _, _ in
      let address = "https://video.example/list"
      #expect(
        await failure(resolver, address)?.message
          == "the resolver failed: the address is a playlist of 1 track; open it again")
      let output = try await resolver.entries(of: address)
      let media = try await resolver.resolve("https://video.example/1", isRenewed: false)
      #expect(output.entries.count == 1 && media.isKept)
    }
  }
}
