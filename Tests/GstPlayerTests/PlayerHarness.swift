import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing
import TextCoding

/// A player under test that records every event from its first command on, with methods to wait for events.
final class PlayerHarness: Sendable {
  let player: Player
  let items: [Player.Item]
  let events = EventLog<Player.Event>()
  private let recording: Task<Void, Never>

  init(_ items: [Player.Item], configuration: Player.Configuration, inFastTime: Bool = false) {
    player = inFastTime ? FastTime.player(configuration) : Player(configuration: configuration)
    self.items = items
    player.replaceQueue(with: items)
    let (stream, events) = (player.events(), events)
    recording = Task {
      for await event in stream { events.append(event) }
      events.finish()
    }
  }

  convenience init(_ uris: [String], configuration: Player.Configuration, inFastTime: Bool = false) {
    self.init(uris.map(Player.Item.init(uri:)), configuration: configuration, inFastTime: inFastTime)
  }

  func end() async {
    await player.close()
    await recording.value
  }

  /// Waits until a snapshot satisfies `condition`, which is checked now and after each event.
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

  /// The error of a player that was closed before the expected event.
  struct Closed: Error { let expectation: String }

  /// Seeks without waiting for the result.
  func seek(_ position: Duration) { player.seek(to: position) }

  /// Waits for an event in the log, starting at an index; returns the index of the event.
  @discardableResult
  func event(_ event: Player.Event, from start: Int = 0, within seconds: Double = 20) async throws -> Int {
    try await events.first("\(event)", from: start, within: seconds) { $0 == event }.index
  }

  /// Plays, and waits until the current item is rendered.
  func playing() async throws {
    let crossings = try player.boundaries(at: [.milliseconds(50)])
    player.play()
    try await deadline(20, "playing") {
      for await _ in crossings { return }
      throw Closed(expectation: "playing")
    }
  }

  /// Plays, and pauses at a position of the current item, however late the task of the test runs.
  func playing(pausedAt position: Duration) async throws {
    let player = player
    let observation = try player.addBoundaryTimeObserver(forTimes: [position]) { _ in player.pause() }
    player.play()
    try await reaches("paused at \(position)") { $0.transport == .paused }
    observation.cancel()
  }

  /// Loads the current item and waits until it is ready; no sample is rendered.
  @discardableResult
  func ready() async throws -> Player.Snapshot {
    player.play()
    player.pause()
    return try await reaches("ready") { $0.itemStatus == .readyToPlay }
  }

  /// Plays until the queue has ended.
  func playToEnd(within seconds: Double = 30) async throws {
    let place = events.count
    player.play()
    let end = try await event(.queueEnded, from: place, within: seconds)
    try await event(.changed, from: end)
  }

  /// The recorded events without `changed` and warnings.
  var significantEvents: [Player.Event] {
    events.elements.filter {
      switch $0 {
      case .changed, .warning: false
      default: true
      }
    }
  }

  /// Expects that the player has reported these events, no warnings, and otherwise only changes.
  ///
  /// The issue has a text, because an exit test reports nothing else of its expectations.
  func expectEvents(_ expected: [Player.Event], sourceLocation: SourceLocation = #_sourceLocation) {
    let reported = events.elements.filter { $0 != .changed }
    guard reported != expected else { return }
    Issue.record("the player reported \(reported), expected \(expected)", sourceLocation: sourceLocation)
  }

  /// The failed items, and the codes and messages of their errors.
  var failures: [(item: Player.Item, code: PlayerError.Code, message: String)] {
    events.elements.compactMap {
      if case .itemFailed(let item, let error) = $0 { (item, error.code, error.message) } else { nil }
    }
  }
}

/// Runs `body` with a stopped player whose queue contains these URIs; closes the player when `body` returns.
///
/// The player runs in ``FastTime``. Servers, and time-outs inside GStreamer, do not.
func withPlayer(
  _ uris: [String], sink: String = "fakesink sync=true", loadTimeout: Duration = .seconds(60),
  networkTimeout: Duration = .seconds(60), reconnectTimeout: Duration = .seconds(180), inFastTime: Bool = true,
  _ body: (PlayerHarness) async throws -> Void
) async throws {
  try await withPlayer(
    items: uris.map(Player.Item.init(uri:)), sink: sink, loadTimeout: loadTimeout, networkTimeout: networkTimeout,
    reconnectTimeout: reconnectTimeout, inFastTime: inFastTime, body)
}

/// Runs `body` with a stopped player whose queue contains these items; closes the player when `body` returns.
func withPlayer(
  items: [Player.Item], sink: String = "fakesink sync=true", loadTimeout: Duration = .seconds(60),
  networkTimeout: Duration = .seconds(60), reconnectTimeout: Duration = .seconds(180),
  releaseOutputAfter: Duration = .seconds(5), inFastTime: Bool = true,
  _ body: (PlayerHarness) async throws -> Void
) async throws {
  let harness = PlayerHarness(
    items,
    configuration: Player.Configuration(
      audioSink: sink, loadTimeout: loadTimeout, releaseOutputAfter: releaseOutputAfter, networkTimeout: networkTimeout,
      reconnectTimeout: reconnectTimeout),
    inFastTime: inFastTime)
  do {
    try await body(harness)
  } catch {
    await harness.end()
    throw error
  }
  await harness.end()
}

/// Returns the URI of a local path.
func fileURI(_ path: String) -> String { "file://" + path }

/// Returns the URI of a local path that need not be UTF-8.
func fileURI(_ path: [UInt8]) -> String {
  "file://" + PercentEncoding.encode(path) { $0 < 0x80 && $0 != UInt8(ascii: "%") }
}

/// An output that records every sample in rendering order and at rendering time.
final class Tap: Sendable {
  private let path: String
  private let descriptor: Int32

  init(_ directory: TemporaryDirectory, named name: String = "heard.raw") throws {
    path = directory.file(name)
    descriptor = unsafe open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  /// The samples that a tap keeps.
  enum Mode: Sendable {
    /// All samples.
    case everything
    /// The samples since the output was last opened or flushed, because a file sink then starts its file again.
    case sinceLastBreak
  }

  /// Returns the sink description.
  func sink(_ mode: Mode) -> String {
    let samples = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved"
    return switch mode {
    case .everything: samples + " ! " + rawSink
    case .sinceLastBreak: samples + " ! filesink location=\(path) buffer-mode=unbuffered sync=true"
    }
  }

  /// The description of a sink that records its samples as they are.
  var rawSink: String { "fdsink fd=\(descriptor) sync=true" }

  /// Returns the samples that ``rawSink`` has recorded, for one channel.
  func raw() throws -> [Int16] {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    return unsafe bytes.withUnsafeBytes { unsafe $0.bindMemory(to: Int16.self).map { Int16(littleEndian: $0) } }
  }

  /// Returns the rendered samples of the left channel.
  func recorded() throws -> [Int16] { try leftChannel(Array(Data(contentsOf: URL(filePath: path)))[...]) }
}

/// Runs `body` with a player whose rendered samples are recorded, in ``FastTime``.
func withTappedPlayer(
  _ uris: [String], keeping mode: Tap.Mode = .everything, inFastTime: Bool = true,
  releaseOutputAfter: Duration = .seconds(5), _ body: (PlayerHarness, Tap) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    let tap = try Tap(directory)
    try await withPlayer(
      items: uris.map(Player.Item.init(uri:)), sink: tap.sink(mode), releaseOutputAfter: releaseOutputAfter,
      inFastTime: inFastTime
    ) { try await body($0, tap) }
  }
}

/// Returns the left channel of a WAV file that was made by the tests.
func samples(ofWAV path: String) throws -> [Int16] {
  try leftChannel(Array(Data(contentsOf: URL(filePath: path))).dropFirst(44))
}

private func leftChannel(_ bytes: ArraySlice<UInt8>) -> [Int16] {
  let samples = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Int16.self)) }
  return stride(from: 0, to: samples.count - 1, by: 2).map { Int16(littleEndian: samples[$0]) }
}

/// Expects that two recordings are equal, and reports the first difference with their lengths.
func expectSamples(
  _ recorded: some Collection<Int16>, _ expected: some Collection<Int16>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard !recorded.elementsEqual(expected) else { return }
  let (recorded, expected) = (Array(recorded), Array(expected))
  let place = zip(recorded, expected).enumerated().first { $1.0 != $1.1 }?.offset
  let difference = place.map { "first difference at \($0): \(recorded[$0...].prefix(4)), \(expected[$0...].prefix(4))" }
  Issue.record(
    "\(recorded.count) samples, \(expected.count) expected\(difference.map { "; " + $0 } ?? "")",
    sourceLocation: sourceLocation)
}
