import GstPlayer
import Synchronization
import TestSupport
import Testing

/// What a player calls its observers with, on one record: their calls come one at a time, so that its order is theirs.
final class Ear: Sendable {
  /// One call of an observer.
  enum Call: Equatable, Sendable {
    case tick(Duration)
    case crossing(BoundaryCrossing)
  }

  let player: Player
  let calls = EventLog<Call>()
  private let observations = Mutex<[PlayerObservation]>([])

  init(_ player: Player) { self.player = player }

  // MARK: Listening

  func listen(times: Duration...) throws { try listen(times: times) }

  func listen(times: [Duration]) throws {
    let calls = calls
    keep(try player.addBoundaryTimeObserver(forTimes: times) { calls.append(.crossing($0)) })
  }

  func listen(fractions: Double...) throws {
    let calls = calls
    keep(try player.addBoundaryTimeObserver(forFractions: fractions) { calls.append(.crossing($0)) })
  }

  func listen(remaining: Duration) throws {
    let calls = calls
    keep(try player.addBoundaryTimeObserver(forTimeRemaining: remaining) { calls.append(.crossing($0)) })
  }

  func listen(every interval: Duration) throws {
    let calls = calls
    keep(try player.addPeriodicTimeObserver(forInterval: interval) { calls.append(.tick($0)) })
  }

  func keep(_ observation: PlayerObservation) { observations.withLock { $0.append(observation) } }

  // MARK: What was heard

  var crossings: [BoundaryCrossing] {
    calls.elements.compactMap { if case .crossing(let crossing) = $0 { crossing } else { nil } }
  }

  var boundaries: [Duration] { crossings.map(\.boundary) }

  var ticks: [Duration] { calls.elements.compactMap { if case .tick(let position) = $0 { position } else { nil } } }

  /// Waits for the crossing of a boundary at or after a place in the record; returns the place after it.
  @discardableResult
  func crossed(_ boundary: Duration, from start: Int = 0) async throws -> Int {
    try await calls.first("the boundary \(boundary)", from: start, within: 20) {
      if case .crossing(let crossing) = $0 { crossing.boundary == boundary } else { false }
    }.index + 1
  }

  /// Waits until every call that was due before has been made; the player has an empty queue then.
  func end() async throws { try await fence(player) }
}

/// Empties a player's queue and waits for the call that tells of it: whatever observers were to be told before, they
/// have been.
func fence(_ player: Player) async throws {
  let reached = EventLog<Duration>()
  let observation = try player.addPeriodicTimeObserver(forInterval: .seconds(86_400)) { reached.append($0) }
  // An empty queue that stays empty is no change.
  if player.items.isEmpty { player.insert([PlayerItem(uri: "file:///fence")]) }
  player.replaceQueue(with: [])
  try await reached.first("the call for an empty queue", within: 20)
  observation.cancel()
}

/// A token for observers that end themselves.
final class Token: Sendable {
  private let observation = Mutex<PlayerObservation?>(nil)

  func hold(_ new: PlayerObservation) { observation.withLock { $0 = new } }
  func cancel() { observation.withLock { $0 }?.cancel() }
  /// Lets go of the observation without cancelling it.
  func drop() { observation.withLock { $0 = nil } }
}

/// Tells when it goes.
final class Witness: Sendable {
  private let freeing: AsyncStream<Void>.Continuation
  init(_ freeing: AsyncStream<Void>.Continuation) { self.freeing = freeing }
  func seen(_ position: Duration) -> Duration { position }
  deinit { freeing.finish() }
}

/// Waits until a witness goes.
func allFreed(_ freed: AsyncStream<Void>) async throws {
  try await deadline(20, "what a call holds is freed") {
    for await _ in freed {}
    try Task.checkCancellation()
  }
}
