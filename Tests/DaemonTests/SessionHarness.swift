import EventLoop
import Glibc
import Logging
import Playback
import Synchronization
import TestSupport

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

/// Keeps the session of a player without media, and collects the lines that its store logs.
struct SessionHarness: Sendable {
  let player: Player
  private let engine = SilentEngine()
  let lines = EventLog<String>()
  /// The paths of the files that were created, in this order.
  let writes = EventLog<String>()
  /// The paths of the folders that were created or existed before a file was created.
  let attempts = EventLog<String>()
  let folder: String
  let keeper: SessionKeeper

  init(_ folder: String, awaitsQueue: Bool = false) {
    self.folder = folder
    player = Player(
      configuration: Player.Configuration(), engine: engine, clock: StandingClock(), observers: DirectExecutor())
    keeper = SessionKeeper(
      player: player, store: Self.store(folder, lines, writes, attempts), on: QueueExecutor(label: "session"),
      awaitsQueue: awaitsQueue)
  }

  /// The store as the next run of the daemon opens it.
  var store: SessionStore { Self.store(folder, lines, writes, attempts) }

  /// Reports that the loaded item is ready; it lasts a minute.
  func ready() { engine.settle(StreamFacts(duration: .seconds(60))) }

  /// Returns the contents of a file of the session; nil if it does not exist.
  func file(_ name: String) -> [UInt8]? { try? LocalFileSystem().bytes(of: "\(folder)/\(name)", limit: 1 << 20).get() }

  /// Runs the keeper during `body`; it observes the player when this calls `body`.
  func run(_ body: () async throws -> Void) async throws {
    let running = Task.immediate { await keeper.run() }
    defer { running.cancel() }
    // The executor of the keeper is a queue: the first part of `run` is before this.
    await keeper.observed()
    try await body()
  }

  private static func store(
    _ folder: String, _ lines: EventLog<String>, _ writes: EventLog<String>, _ attempts: EventLog<String>
  ) -> SessionStore {
    SessionStore(
      folder: folder, files: WatchedFiles(writes: writes, attempts: attempts),
      log: Logger(label: "test") { _ in LineLog(lines: lines) })
  }
}

extension SessionKeeper {
  /// Returns after the calls so far; not inlined, because the optimizer removes the change to the executor of empty code.
  @inline(never)
  fileprivate func observed() {}
}

/// The local files; notes each one that is created.
private struct WatchedFiles: FileSystem {
  let writes: EventLog<String>
  let attempts: EventLog<String>
  private let files = LocalFileSystem()

  init(writes: EventLog<String>, attempts: EventLog<String>) {
    self.writes = writes
    self.attempts = attempts
  }

  func create(
    _ path: [UInt8], with bytes: [UInt8], permissions: FilePermissions, like model: [UInt8]?, isSynchronized: Bool
  ) -> Outcome {
    let outcome = files.create(
      path, with: bytes, permissions: permissions, like: model, isSynchronized: isSynchronized)
    writes.append(String(decoding: path, as: UTF8.self))
    return outcome
  }

  func bytes(of path: [UInt8], limit: Int) -> Result<[UInt8], FileFailure> { files.bytes(of: path, limit: limit) }
  func start(of path: [UInt8], count: Int) -> [UInt8] { files.start(of: path, count: count) }
  func rename(_ path: [UInt8], to other: [UInt8], replaces: Bool) -> Outcome {
    files.rename(path, to: other, replaces: replaces)
  }
  func synchronize(folder: [UInt8]) -> Outcome { files.synchronize(folder: folder) }
  @discardableResult
  func remove(_ path: [UInt8]) -> Outcome { files.remove(path) }
  func makeFolder(_ path: [UInt8]) -> Outcome {
    attempts.append(String(decoding: path, as: UTF8.self))
    return files.makeFolder(path)
  }
  func identify(_ path: [UInt8]) -> Result<(kind: FileKind, id: FileID), FileFailure> { files.identify(path) }
  func list(_ folder: [UInt8]) -> Result<[FolderEntry], FileFailure> { files.list(folder) }
  func resolved(_ path: [UInt8]) -> [UInt8]? { files.resolved(path) }
  var now: Duration { files.now }
  func modified(_ path: [UInt8]) -> Duration? { files.modified(path) }
  func watch(
    _ folder: [UInt8], on loop: PollLoop, _ changed: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { files.watch(folder, on: loop, changed) }
}

/// An engine that answers on request alone.
final class SilentEngine: PlaybackEngine {
  private let state = Mutex<(client: EngineClient?, stream: StreamToken?)>((nil, nil))

  func settle(_ facts: StreamFacts) {
    let (client, stream) = state.withLock { $0 }
    if let stream { client?.report(.stream(stream, .settled(facts))) }
  }

  func open(_ client: EngineClient) { state.withLock { $0.client = client } }
  func perform(_ command: EngineCommand) {
    if case .open(let request) = command { state.withLock { $0.stream = request.stream } }
  }
  func progress(of stream: StreamToken) -> StreamProgress? { nil }
  func close() { state.withLock { $0.client = nil } }
  func closed() async {}
}

struct StandingClock: PlaybackClock {
  let now = MonotonicTime(nanoseconds: 1_000_000_000)
  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {}
  func run(_ body: @escaping @Sendable () -> Void) {}
}

struct DirectExecutor: ObserverExecutor {
  func run(_ body: @escaping @Sendable () -> Void) { body() }
}

/// A log that keeps its lines.
struct LineLog: LogHandler {
  let lines: EventLog<String>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  init(lines: EventLog<String>) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.append("\(event.message)") }
}
