import GstPlayer
import Logging
import PlayerdInterfaces
import Synchronization
import TestSupport
import TextCoding

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

/// A test harness of an opener with a player, and the lines that the opener logs.
struct LoaderHarness: Sendable {
  let player: Player
  /// The lines of the log.
  let lines: EventLog<String>
  let coordinator: PlaybackCoordinator
  let media: GStreamerFramework
  private let opens: OpenQueue
  private let policy: Policy

  /// The policy of the next requests.
  private final class Policy: Sendable {
    private let value = Mutex(URIPolicy())
    func set(_ policy: URIPolicy) { value.withLock { $0 = policy } }
    var current: URIPolicy { value.withLock { $0 } }
  }

  /// Opens a request and returns its report.
  func report(_ request: OpenRequest) async throws -> OpenReport {
    try await deadline(20, "the request is opened") {
      try await withCheckedThrowingContinuation { continuation in
        do {
          try opens.accept(request) { continuation.resume(returning: $0) }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  /// Accepts a request and does not wait for it.
  func begin(_ request: OpenRequest) throws { try opens.accept(request) }

  /// Returns when no open is pending.
  func settled() async throws { try await deadline(20, "everything is opened") { await opens.idle() } }

  /// Returns when the observers of the player have handled all events so far.
  func observed() async throws {
    let (calls, called) = AsyncStream.makeStream(of: Void.self)
    let observation = player.addEventObserver { _, _ in called.yield() }
    player.isMuted.toggle()
    try await deadline(10, "an event of the test's own") { for await _ in calls { return } }
    observation.cancel()
  }

  /// Returns the items that these URIs or paths resolve to, in a queue that does not play.
  func open(_ uris: String..., policy: URIPolicy = URIPolicy()) async throws -> [Player.Item] {
    self.policy.set(policy)
    try begin(OpenRequest(uris: uris.map { FileURI.absolute(from: $0) }, placement: .add))
    try await settled()
    return player.items
  }

  /// Returns the file names of the items that a URI or path resolves to.
  func names(_ uri: String) async throws -> [String] {
    try await open(uri).map { FileURI.name(of: $0.uri) }
  }

  fileprivate static func run<T>(
    itemLimit: Int, listLimit: Int, checksPlayability: Bool, text: TextDecoding, answerTime: Duration,
    files: any FileSystem,
    _ body: (LoaderHarness) async throws -> T
  ) async throws -> T {
    let player = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60)))
    let lines = EventLog<String>()
    let opens = OpenQueue()
    let coordinator = PlaybackCoordinator(player, opens)
    let media = GStreamerFramework()
    let executor = QueueExecutor(label: "test.opener")
    let policy = Policy()
    let log = Logger(label: "test") { _ in LineLog(lines: lines) }
    let loader = QueueLoader(
      coordinator: coordinator, media: media, opens: opens, log: log, queue: executor, files: files,
      text: text, listTimeout: .seconds(600), answerTime: answerTime, policy: { policy.current }, listLimit: listLimit,
      itemLimit: itemLimit,
      checksPlayability: checksPlayability, replaces: { _ in }, title: { FileURI.name(of: $0.uri) })
    let work = Task(executorPreference: executor) { await loader.run() }
    let result: Result<T, any Error>
    do {
      let value = try await body(
        LoaderHarness(
          player: player, lines: lines, coordinator: coordinator, media: media, opens: opens, policy: policy))
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

/// Runs `body` with an opener and a temporary folder for files.
func withLoader(
  itemLimit: Int = Player.itemLimit, listLimit: Int = ListExpansion.listLimit, checksPlayability: Bool = false,
  text: TextDecoding = TextDecoding(), answerTime: Duration = .seconds(600), files: any FileSystem = LocalFileSystem(),
  _ body: (LoaderHarness, TemporaryDirectory) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    try await LoaderHarness.run(
      itemLimit: itemLimit, listLimit: listLimit, checksPlayability: checksPlayability, text: text,
      answerTime: answerTime, files: files
    ) { harness in
      try await body(harness, directory)
    }
  }
}
