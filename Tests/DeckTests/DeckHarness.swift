import FoundationEssentials
import Joining
import Playback
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer

/// A deck with a record of everything that it delivers.
///
/// By default it uses every block at once.
final class DeckHarness: Sendable {
  private final class Driver: Sendable {
    private struct State: Sendable {
      weak var deck: Deck?
      var isUsing: Bool
      /// The end of the newest block of each passage.
      var ends: [Passage: Int64] = [:]
    }

    private let state: Mutex<State>

    init(isUsing: Bool) { state = Mutex(State(isUsing: isUsing)) }

    func set(_ deck: Deck) { state.withLock { $0.deck = deck } }

    func take(_ block: Block) {
      let deck = state.withLock { state in
        state.ends[block.passage] = block.end
        return state.isUsing ? state.deck : nil
      }
      deck?.advance(block.passage, to: block.end)
    }

    func use(_ isUsing: Bool) {
      let (deck, ends) = state.withLock { state in
        state.isUsing = isUsing
        return (state.deck, state.ends)
      }
      if isUsing { for (passage, end) in ends { deck?.advance(passage, to: end) } }
    }
  }

  /// The factory of the decks; a run with another one shows what depends on playbin.
  static let factory = ProcessInfo.processInfo.environment["DECK_PLAYBIN"] ?? "playbin"
  static let stream = StreamToken(number: 7)

  let deck: Deck
  let log: EventLog<Deck.Delivery>
  private let driver: Driver
  private let lastSeek = Atomic(0)

  init(
    _ uri: String, from start: Duration? = nil, track: Int? = nil, headers: HTTPRequestHeaders? = nil,
    as format: PCMFormat? = nil, configuration: Player.Configuration = Player.Configuration(), usesSamples: Bool = true,
    limit: SampleSink.Limit = SampleSink.Limit()
  ) {
    let (driver, log) = (Driver(isUsing: usesSamples), EventLog<Deck.Delivery>())
    var request = DeckRequest(
      StreamRequest(uri: uri, stream: Self.stream, headers: headers, audioTrack: track),
      settings: EngineSettings(configuration))
    (request.start, request.format) = (start, format)
    deck = Deck(request, configuration: configuration, factory: Self.factory, limit: limit) { delivery in
      if case .block(let block) = delivery { driver.take(block) }
      log.append(delivery)
    }
    driver.set(deck)
    (self.driver, self.log) = (driver, log)
  }

  /// Seeks, and returns the passage that begins at the target.
  @discardableResult
  func seek(to target: Duration, exactly: Bool, as format: PCMFormat? = nil) -> Passage {
    let passage = Passage(Self.stream, seek: lastSeek.add(1, ordering: .relaxed).newValue)
    deck.seek(passage, to: target, exactly: exactly, as: format)
    return passage
  }

  /// Starts or stops to use the blocks as they arrive.
  func use(_ isUsing: Bool) { driver.use(isUsing) }

  /// Opens a deck for a file, and closes it at the end.
  @discardableResult
  static func with<Result: Sendable>(
    _ path: String, from start: Duration? = nil, track: Int? = nil, as format: PCMFormat? = nil,
    usesSamples: Bool = true, limit: SampleSink.Limit = SampleSink.Limit(),
    _ body: (DeckHarness) async throws -> Result
  ) async throws -> Result {
    let harness = DeckHarness(
      path.contains("://") ? path : "file://\(path)", from: start, track: track, as: format, usesSamples: usesSamples,
      limit: limit)
    return try await harness.opened(body)
  }

  @discardableResult
  func opened<Result: Sendable>(_ body: (DeckHarness) async throws -> Result) async throws -> Result {
    deck.open()
    defer { deck.close() }
    return try await body(self)
  }

  /// Waits for the end of a passage.
  func end(of passage: Passage = Passage(DeckHarness.stream), within seconds: Double = 20) async throws {
    try await log.first("the end of passage \(passage.seek)", within: seconds) { delivery in
      switch delivery {
      case .ended(passage), .event(.failed): true
      default: false
      }
    }
    if let failure = failures.first { throw failure }
  }

  /// Waits for the first event that `value` does not map to nil, and returns the result.
  @discardableResult
  func event<Value: Sendable>(
    _ expectation: String, from start: Int = 0, within seconds: Double = 20,
    _ value: @escaping @Sendable (StreamEvent) -> Value?
  ) async throws -> Value {
    let entry = try await log.first(expectation, from: start, within: seconds) { delivery in
      if case .event(let event) = delivery { value(event) != nil } else { false }
    }
    guard case .event(let event) = entry.element, let value = value(event) else { throw CancellationError() }
    return value
  }

  func settled(from start: Int = 0) async throws -> StreamFacts {
    try await event("the stream settles", from: start) { if case .settled(let facts) = $0 { facts } else { nil } }
  }

  func failure() async throws -> PlayerError {
    try await event("a failure") { if case .failed(let error) = $0 { error } else { nil } }
  }

  /// The failures so far.
  var failures: [PlayerError] {
    log.elements.compactMap { if case .event(.failed(let error)) = $0 { error } else { nil } }
  }

  /// The blocks of a passage so far.
  func blocks(of passage: Passage = Passage(DeckHarness.stream)) -> [Block] {
    log.elements.compactMap { delivery in
      if case .block(let block) = delivery, block.passage == passage { block } else { nil }
    }
  }

  /// The samples of a passage so far.
  func bytes(of passage: Passage = Passage(DeckHarness.stream)) -> [UInt8] { blocks(of: passage).flatMap(\.bytes) }

  /// Whether each block of a passage begins where the one before ended.
  func isContinuous(_ passage: Passage = Passage(DeckHarness.stream)) -> Bool {
    let blocks = blocks(of: passage)
    return zip(blocks, blocks.dropFirst()).allSatisfy { $0.end == $1.first && $0.format == $1.format }
  }

  /// Waits for a number of frames of a passage.
  func frames(_ count: Int64, of passage: Passage) async throws {
    let sum = Mutex<Int64>(0)
    try await log.first("\(count) frames of passage \(passage.seek)", within: 20) { delivery in
      guard case .block(let block) = delivery, block.passage == passage else { return false }
      return sum.withLock { sum in
        sum += block.frames
        return sum >= count
      }
    }
  }
}

/// Runs a command of a shell, and fails the test if it fails.
func shell(_ command: String) async throws {
  let finished = try await run(["/bin/sh", "-c", command], within: 120)
  try #require(finished.succeeded, "\(command): \(finished.error)")
}

/// Returns the content of a file.
func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

/// Returns where bytes differ from the expected ones; nil if they are equal.
///
/// A failed comparison of the arrays themselves would take minutes.
func difference(_ bytes: [UInt8], _ expected: [UInt8]) -> String? {
  if bytes == expected { return nil }
  let index = zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  return
    "\(bytes.count) bytes instead of \(expected.count); the first difference is at \(index.map(String.init) ?? "the end")"
}
