import GstPlayer
import Logging
import PlayerdInterfaces
import Synchronization
import TestSupport

@testable import mpris_playerd

/// An opener with a player behind it, and what it says.
struct OpenBench: Sendable {
  let player: Player
  /// The lines of the log.
  let lines: EventLog<String>
  let coordinator: PlaybackCoordinator
  private let opens: OpenQueue

  /// Opens a request and returns its report.
  func report(_ request: OpenRequest) async throws -> OpenReport {
    try await deadline(20, "the request is opened") {
      await withCheckedContinuation { continuation in opens.accept(request) { continuation.resume(returning: $0) } }
    }
  }

  /// Asks for a request and does not wait for it.
  func begin(_ request: OpenRequest) {
    opens.accept(request)
  }

  /// Returns when nothing is being opened any more.
  func settled() async throws { try await deadline(20, "everything is opened") { await opens.idle() } }

  /// Returns when the observers of the player have handled every event so far.
  func observed() async throws {
    let (calls, called) = AsyncStream.makeStream(of: Void.self)
    let observation = player.addEventObserver { _ in called.yield() }
    player.setMuted(!player.snapshot.isMuted)
    try await deadline(10, "an event of the test's own") { for await _ in calls { return } }
    observation.cancel()
  }

  /// The items that these URIs or paths come to, in a queue that does not play.
  func open(_ uris: String..., policy: URIPolicy? = nil) async throws -> [PlayerItem] {
    var request = OpenRequest(uris: uris.map { FileURI.absolute(from: $0) }, placement: .add)
    request.policy = policy
    begin(request)
    try await settled()
    return player.items
  }

  /// The same as the names of what was found.
  func names(_ uri: String) async throws -> [String] {
    try await open(uri).map { FileURI.name(of: $0.uri) }
  }

  fileprivate static func run<T>(_ body: (OpenBench) async throws -> T) async throws -> T {
    let player = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
    let lines = EventLog<String>()
    let opens = OpenQueue()
    let coordinator = PlaybackCoordinator(player, opens)
    let executor = QueueExecutor(label: "test.opener")
    let log = Logger(label: "test") { _ in LineLog(lines: lines) }
    let opener = Opener(
      coordinator: coordinator, opens: opens, log: log, executor: executor, listTimeout: .seconds(600),
      checksPlayability: false, replaces: { _ in }, title: { FileURI.name(of: $0.uri) })
    let work = Task(executorPreference: executor) { await opener.run() }
    let result: Result<T, any Error>
    do {
      let value = try await body(OpenBench(player: player, lines: lines, coordinator: coordinator, opens: opens))
      result = .success(value)
    } catch {
      result = .failure(error)
    }
    work.cancel()
    await work.value
    await player.close()
    return try result.get()
  }
}

/// Runs `body` with an opener and a folder to put files in.
func withOpener(_ body: (OpenBench, TemporaryDirectory) async throws -> Void) async throws {
  try await withTemporaryDirectory { directory in
    try await OpenBench.run { bench in try await body(bench, directory) }
  }
}

private struct LineLog: LogHandler {
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
