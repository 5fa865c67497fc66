import GstPlayer
import Synchronization
import TestSupport
import Testing

/// A recorder for the calls of a player's observers.
///
/// Calls come one at a time, so that the log has their order.
final class ObserverRecorder: Sendable {
  /// A call of an observer.
  enum Call: Equatable, Sendable {
    case tick(Duration)
    case crossing(Player.BoundaryCrossing)
  }

  let player: Player
  let calls = EventLog<Call>()
  private let observations = Mutex<[Player.Observer]>([])

  init(_ player: Player) { self.player = player }

  // MARK: Adding observers

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

  func keep(_ observation: Player.Observer) { observations.withLock { $0.append(observation) } }

  // MARK: Recorded calls

  var crossings: [Player.BoundaryCrossing] {
    calls.elements.compactMap { if case .crossing(let crossing) = $0 { crossing } else { nil } }
  }

  var boundaries: [Duration] { crossings.map(\.boundary) }

  var ticks: [Duration] { calls.elements.compactMap { if case .tick(let position) = $0 { position } else { nil } } }

  /// Waits until every call that was due has been made.
  ///
  /// Afterwards the player has an empty queue.
  func end() async throws { try await waitForPendingCalls(player) }
}

/// Empties the queue of a player and waits for the observer call that reports it.
///
/// All observer calls that were due earlier have been made by then.
func waitForPendingCalls(_ player: Player) async throws {
  let reached = EventLog<Duration>()
  let observation = try player.addPeriodicTimeObserver(forInterval: .seconds(86_400)) { reached.append($0) }
  // Emptying a queue that is already empty is not reported.
  if player.items.isEmpty { player.append(contentsOf: [Player.Item(uri: "file:///fence")]) }
  player.replaceQueue(with: [])
  try await reached.first("the call for an empty queue", within: 20)
  observation.cancel()
}

/// A holder for an observation that is cancelled or released in its own call.
final class Token: Sendable {
  private let observation = Mutex<Player.Observer?>(nil)

  func hold(_ new: Player.Observer) { observation.withLock { $0 = new } }
  func cancel() { observation.withLock { $0 }?.cancel() }
  /// Releases the observation without cancelling it.
  func drop() { observation.withLock { $0 = nil } }
}

/// An object that reports its deallocation.
final class DeallocationProbe: Sendable {
  private let freeing: AsyncStream<Void>.Continuation
  init(_ freeing: AsyncStream<Void>.Continuation) { self.freeing = freeing }
  func seen(_ position: Duration) -> Duration { position }
  deinit { freeing.finish() }
}

/// Waits until a witness is deallocated.
func allFreed(_ freed: AsyncStream<Void>) async throws {
  try await deadline(20, "the captures of the call are released") {
    for await _ in freed {}
    try Task.checkCancellation()
  }
}
