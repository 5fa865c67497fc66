import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

/// A player under test: every event from its first command on is on record, and can be waited for.
final class Stage: Sendable {
  let player: Player
  let items: [PlayerItem]
  let events = EventLog<PlayerEvent>()
  private let recording: Task<Void, Never>

  init(_ uris: [String], configuration: PlayerConfiguration) {
    player = Player(configuration: configuration)
    items = uris.map(PlayerItem.init(uri:))
    player.replaceQueue(with: items)
    let (stream, events) = (player.events(), events)
    recording = Task {
      for await event in stream { events.append(event) }
      events.finish()
    }
  }

  func end() async {
    await player.close()
    await recording.value
  }

  /// Waits until a snapshot satisfies `condition`; it is looked at now and after each event.
  @discardableResult
  func reaches(
    _ expectation: String, within seconds: Double = 20, _ condition: @escaping @Sendable (Player.Snapshot) -> Bool
  ) async throws -> Player.Snapshot {
    let (player, changes) = (player, player.events())
    return try await deadline(seconds, expectation) {
      var snapshot = player.snapshot
      if condition(snapshot) { return snapshot }
      for await _ in changes {
        snapshot = player.snapshot
        if condition(snapshot) { return snapshot }
      }
      throw Closed(expectation: expectation)
    }
  }

  /// The player was closed before what was expected came.
  struct Closed: Error { let expectation: String }

  /// A seek that nobody waits for.
  func seek(_ position: Duration) { player.seek(to: position) }

  /// Waits for an event at or after a place in the record; returns its place.
  @discardableResult
  func event(_ event: PlayerEvent, from start: Int = 0, within seconds: Double = 20) async throws -> Int {
    try await events.first("\(event)", from: start, within: seconds) { $0 == event }.index
  }

  /// Plays and waits until the current item is heard.
  func playing() async throws {
    let crossings = try player.boundaries(at: [.milliseconds(50)])
    player.play()
    try await deadline(20, "playing") {
      for await _ in crossings { return }
      throw Closed(expectation: "playing")
    }
  }

  /// Plays and pauses at a position of the current item, however late this test's own task runs.
  func playing(pausedAt position: Duration) async throws {
    let player = player
    let observation = try player.addBoundaryTimeObserver(forTimes: [position]) { _ in player.pause() }
    player.play()
    try await reaches("paused at \(position)") { $0.transport == .paused }
    observation.cancel()
  }

  /// Loads the current item and waits until it is ready, without a sound.
  @discardableResult
  func ready() async throws -> Player.Snapshot {
    player.play()
    player.pause()
    return try await reaches("ready") { $0.itemStatus == .readyToPlay }
  }

  /// Plays until the queue has ended.
  func playOut(within seconds: Double = 30) async throws {
    let place = events.count
    player.play()
    let end = try await event(.queueEnded, from: place, within: seconds)
    try await event(.changed, from: end)
  }

  /// What happened, without the bare news that something has changed and without warnings.
  var story: [PlayerEvent] {
    events.elements.filter {
      switch $0 {
      case .changed, .warning: false
      default: true
      }
    }
  }

  /// Which items failed, and why.
  var failures: [(item: PlayerItem, code: PlayerError.Code)] {
    events.elements.compactMap { if case .itemFailed(let item, let error) = $0 { (item, error.code) } else { nil } }
  }
}

/// Runs `body` with a player and a queue of these URIs, stopped; the player is closed when the body is left.
func withPlayer(
  _ uris: [String], sink: String = "fakesink sync=true", loadTimeout: Duration = .seconds(60),
  networkTimeout: Duration = .seconds(60), reconnectTimeout: Duration = .seconds(180),
  _ body: (Stage) async throws -> Void
) async throws {
  let stage = Stage(
    uris,
    configuration: PlayerConfiguration(
      audioSink: sink, loadTimeout: loadTimeout, networkTimeout: networkTimeout, reconnectTimeout: reconnectTimeout))
  do {
    try await body(stage)
  } catch {
    await stage.end()
    throw error
  }
  await stage.end()
}

/// The URI of a local path.
func fileURI(_ path: String) -> String { "file://" + path }

/// An output that keeps every sample it is given, in the order and at the time it would be heard.
final class Tap: Sendable {
  private let path: String
  private let descriptor: Int32

  init(_ directory: TemporaryDirectory) throws {
    path = directory.file("heard.raw")
    descriptor = unsafe open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  /// What a tap keeps.
  enum Mode: Sendable {
    /// Every sample, whatever happens.
    case everything
    /// What was heard since the output was last opened or flushed: a file sink begins its file again then.
    case sinceLastBreak
  }

  /// The output's description.
  func sink(_ mode: Mode) -> String {
    let samples = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved"
    return switch mode {
    case .everything: samples + " ! fdsink fd=\(descriptor) sync=true"
    case .sinceLastBreak: samples + " ! filesink location=\(path) buffer-mode=unbuffered sync=true"
    }
  }

  /// What was heard on the left channel.
  func heard() throws -> [Int16] { try leftChannel(Array(Data(contentsOf: URL(filePath: path)))[...]) }
}

/// Runs `body` with a player whose samples are kept.
func withTappedPlayer(
  _ uris: [String], keeping mode: Tap.Mode = .everything, _ body: (Stage, Tap) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    let tap = try Tap(directory)
    try await withPlayer(uris, sink: tap.sink(mode)) { try await body($0, tap) }
  }
}

/// The left channel of a WAV file made by the tests.
func samples(ofWAV path: String) throws -> [Int16] {
  try leftChannel(Array(Data(contentsOf: URL(filePath: path))).dropFirst(44))
}

private func leftChannel(_ bytes: ArraySlice<UInt8>) -> [Int16] {
  stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

/// Where two recordings first differ; nil when they do not.
///
/// Kept out of `#expect`, which would print them.
func difference(_ left: some Collection<Int16>, _ right: some Collection<Int16>) -> String? {
  if let place = zip(left, right).enumerated().first(where: { $1.0 != $1.1 })?.offset { return "differ at \(place)" }
  return left.count == right.count ? nil : "\(left.count) and \(right.count) samples"
}
