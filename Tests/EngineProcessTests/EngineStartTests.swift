import Dispatch
import EventLoop
import Glibc
import PlayerClock
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

/// Tests of processes that start before they are needed, and of their pings.
@Suite("The processes of an engine before the first item", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EngineStartTests {
  /// Runs `body` with an engine whose processes are started, and ends it.
  private func withPreparedEngine(
    _ change: (inout Player.Configuration.Engine) -> Void = { _ in },
    isPrepared: Bool = true, _ body: (ProcessEngine, inout Player.Configuration) async throws -> Player?
  ) async throws {
    var configuration = Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60))
    configuration.engine = .process(at: try Tool.built("mpris-playerd-engine"))
    configuration.engine.answerTime = .seconds(60)
    change(&configuration.engine)
    let engine = ProcessEngine(configuration.engine, SandboxPolicy(output: configuration)) { _, _ in }
    if isPrepared { engine.prepare() }
    let result: Result<Player?, any Error>
    do { result = .success(try await body(engine, &configuration)) } catch { result = .failure(error) }
    // A player closes its engine.
    if case .success(let player?) = result { await player.close() } else { engine.close() }
    await engine.closed()
    _ = try result.get()
  }

  /// Returns the IDs of the processes of the output and of the decks of local files once they exist.
  private func processes(of engine: ProcessEngine) async throws -> [Int32] {
    try await loop(of: engine, "the processes start") { engine.processID != nil && engine.deckProcessIDs.count == 1 }
    return try [#require(engine.processID)] + engine.deckProcessIDs
  }

  /// Waits for a condition that changes on the thread of the engine's loop.
  private func loop(
    of engine: ProcessEngine, _ description: String, until condition: @escaping @Sendable () -> Bool
  ) async throws {
    try await deadline(20, description) {
      while !condition() {
        await withCheckedContinuation { continuation in engine.loop.submit { continuation.resume() } }
      }
    }
  }

  @Test("The processes that were started early play the first item, with the configuration that follows")
  func used() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPreparedEngine { engine, configuration in
      let early = try await processes(of: engine)
      engine.configure(configuration)
      let player = Player(
        configuration: configuration, engine: engine, clock: DispatchClock(), observers: InlineObservers())
      player.replaceQueue(with: [Player.Item(uri: "file://\(path)")])
      player.volume = 0.5
      try await player.prepare()
      #expect([engine.processID] + engine.deckProcessIDs == early)
      #expect(player.errorLog.isEmpty)
      return player
    }
  }

  @Test("The output is opened before the first item")
  func output() async throws {
    try await withPreparedEngine { engine, configuration in
      let events = EventLog<EngineEvent>()
      engine.open(EngineClient { events.append($0) })
      engine.configure(configuration)
      try await events.first("the output", within: 20) { if case .output(.opened) = $0 { true } else { false } }
      return nil
    }
  }

  @Test("A load before the processes have their configuration waits for it")
  func loadsEarly() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPreparedEngine { engine, configuration in
      let early = try await processes(of: engine)
      // The thread of the loop, which sends the configuration, waits until the load was given.
      let (held, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      engine.loop.submit {
        held.signal()
        released.wait()
      }
      await withCheckedContinuation { continuation in
        Thread.run {
          held.wait()
          continuation.resume()
        }
      }
      engine.configure(configuration)
      let player = Player(
        configuration: configuration, engine: engine, clock: DispatchClock(), observers: InlineObservers())
      player.replaceQueue(with: [Player.Item(uri: "file://\(path)")])
      player.load()
      released.signal()
      try await player.prepare()
      #expect([engine.processID] + engine.deckProcessIDs == early)
      return player
    }
  }

  @Test("A load reports that it waits for the start of the process, and its end before the stream is ready")
  func awaited() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPreparedEngine(isPrepared: false) { engine, configuration in
      let events = EventLog<EngineEvent>()
      engine.open(EngineClient { events.append($0) })
      engine.configure(configuration)
      engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: StreamToken(number: 1))))
      engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: StreamToken(number: 2))))
      let ready = try await events.first("the stream is ready", within: 20) {
        if case .stream(StreamToken(number: 2), .settled) = $0 { true } else { false }
      }
      let starts = events.elements[..<ready.index].compactMap { event -> Bool? in
        if case .starting(let isStarting) = event { isStarting } else { nil }
      }
      #expect(starts == [true, false])
      engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: StreamToken(number: 3))))
      try await events.first("the stream is ready", within: 20) {
        if case .stream(StreamToken(number: 3), .settled) = $0 { true } else { false }
      }
      #expect(events.elements[ready.index...].allSatisfy { if case .starting = $0 { false } else { true } })
      return nil
    }
  }

  @Test("A load after the request to end a process waits for the next process, whose start ends the wait")
  func startOfEndingProcess() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withTemporaryDirectory { directory in
      try directory.write(try EngineProtocol.encode(EngineReport.started(sandbox: nil)), to: "started")
      for name in ["closing", "gate"] { #expect(unsafe mkfifo(directory.file(name), 0o600) == 0) }
      let decks = try #require(SandboxPolicy.arguments(of: .files).last)
      // The first process with decks reports its start when it is to end, and the load was given.
      let script = try directory.write(
        """
        #!/bin/sh
        cd '\(directory.path)' || exit 1
        case "$*" in
          *\(decks)) [ -e used ] && exec '\(try Tool.built("mpris-playerd-engine"))' "$@";;
          *) exec '\(try Tool.built("mpris-playerd-engine"))' "$@";;
        esac
        : >used
        while dd bs=65536 count=1 of=packet <&3 2>/dev/null && [ -s packet ]; do
          if grep -aq close packet; then
            echo >closing
            head -c 1 gate >/dev/null
            cat started >&3
            exit 0
          fi
        done
        """, to: "program.txt")
      let program = directory.file("program.sh")
      #expect(try await run(["install", "-m", "755", script, program]).succeeded)
      try await withPreparedEngine {
        ($0.path, $0.idleTime) = (program, .zero)
      } _: { engine, configuration in
        // Opened for both, so that neither side waits for the other one.
        let (closing, gate) = unsafe (
          open(directory.file("closing"), O_RDWR | O_CLOEXEC), open(directory.file("gate"), O_RDWR | O_CLOEXEC)
        )
        defer { for descriptor in [closing, gate] { close(descriptor) } }
        let events = EventLog<(event: EngineEvent, processes: [Int32])>()
        engine.open(EngineClient { events.append(($0, engine.deckProcessIDs)) })
        let first = EventLog<[Int32]>()
        engine.configure(configuration)
        try await deadline(20, "the process is to end") {
          await withCheckedContinuation { continuation in
            Thread.run {
              var source = pollfd(fd: closing, events: Int16(POLLIN), revents: 0)
              while unsafe poll(&source, 1, -1) < 0, errno == EINTR {}
              first.append(engine.deckProcessIDs)
              continuation.resume()
            }
          }
        }
        #expect(first.elements.first?.count == 1)
        engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: StreamToken(number: 1))))
        #expect(unsafe write(gate, "\n", 1) == 1)
        let end = try await events.first("the end of the wait", within: 20) {
          if case .starting(false) = $0.event { true } else { false }
        }
        let processes = events.elements[end.index].processes
        #expect(processes.count == 1 && processes != first.elements.first)
        #expect(events.elements[..<end.index].contains { if case .starting(true) = $0.event { true } else { false } })
        return nil
      }
    }
  }

  @Test("Processes that are not used end after the idle time, and the first item starts others")
  func unused() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPreparedEngine {
      $0.idleTime = .zero
    } _: { engine, configuration in
      engine.configure(configuration)
      let player = Player(
        configuration: configuration, engine: engine, clock: DispatchClock(), observers: InlineObservers())
      let early = [engine.processID].compactMap(\.self) + engine.deckProcessIDs
      for process in early { try await waitForEnd(ofProcess: process) }
      player.replaceQueue(with: [Player.Item(uri: "file://\(path)")])
      try await player.prepare()
      #expect(engine.processID != nil && engine.deckProcessIDs.count == 1)
      #expect(player.errorLog.isEmpty)
      return player
    }
  }

  @Test("A program that cannot be started early fails the first item with the reason")
  func missing() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPreparedEngine {
      $0.path = "/nonexistent/engine"
    } _: { engine, configuration in
      engine.configure(configuration)
      let player = Player(
        configuration: configuration, engine: engine, clock: DispatchClock(), observers: InlineObservers())
      player.replaceQueue(with: [Player.Item(uri: "file://\(path)")])
      let failure = await #expect(throws: PlayerError.self) { try await player.prepare() }
      #expect(failure?.code == .engineEnded)
      #expect(failure?.message.contains("No such file or directory") == true)
      return player
    }
  }

  /// A host whose time is set.
  private final class ManualHost: LoopHost {
    private let time = Mutex(SuspendingClock.now)
    var now: SuspendingClock.Instant { time.withLock { $0 } }
    var isCurrent: Bool { true }
    func start(_ loop: PollLoop) {}
    func wake() {}
    func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
  }

  @Test("A ping is due after a time without messages, and after fifteen times this time in any case")
  func silence() {
    let host = ManualHost()
    let loop = PollLoop(name: "pings", on: host)
    let count = Mutex(0)
    let watch = Mutex(PingWatch())
    watch.withLock { $0.awaitSilence(of: .seconds(2), on: loop) { count.withLock { $0 += 1 } } }
    for _ in 0..<10 {
      host.advance(.milliseconds(1_900))
      loop.runDueTimers()
      watch.withLock { $0.noteMessage(on: loop) }
    }
    #expect(count.withLock { $0 } == 0)
    host.advance(.milliseconds(2_000))
    loop.runDueTimers()
    #expect(count.withLock { $0 } == 1)
    watch.withLock { $0.awaitSilence(of: .seconds(2), on: loop) { count.withLock { $0 += 1 } } }
    for passed in 1...30 {
      host.advance(.seconds(1))
      loop.runDueTimers()
      #expect(count.withLock { $0 } == (passed < 30 ? 1 : 2))
      watch.withLock { $0.noteMessage(on: loop) }
    }
  }
}

/// Calls observers at once.
private struct InlineObservers: ObserverExecutor {
  func run(_ body: @escaping @Sendable () -> Void) { body() }
}
