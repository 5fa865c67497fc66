import AVFoundation
import GstPlayer
import TestSupport

/// Runs `body` with players that play in real time, without an output.
func withSilentPlayers<Result>(_ body: () async throws -> Result) async rethrows -> Result {
  try await PlayerDefaults.$configuration.withValue(
    Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60)), operation: body)
}

/// Returns the URL of a sine.
func sine(_ seconds: Double) async throws -> URL { URL(fileURLWithPath: try await Media.sine(seconds: seconds)) }

/// A record of the changes of a player, in the order in which the main queue delivers them.
final class Record: Sendable {
  let log = EventLog<String>()

  /// Records the notifications of a name.
  func notifications(_ name: Notification.Name, of object: Any? = nil, as text: String) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [log] _ in log.append(text) }
  }

  /// Records the reason of each change of a player's rate, or "no reason".
  func rateReasons(of player: AVPlayer) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil) {
      [log] notification in
      let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason
      log.append(reason?.rawValue ?? "no reason")
    }
  }

  /// Waits for a text, at or after an index.
  @discardableResult
  func first(_ text: String, from start: Int = 0) async throws -> Int {
    try await log.first(text, from: start, within: 20) { $0 == text }.index
  }

  var texts: [String] { log.elements }
}

extension AVPlayer {
  /// Waits until a condition holds; it is checked now and after each change of a property.
  nonisolated func reaches<Value>(
    _ path: KeyPath<AVPlayer, Value>, _ expectation: String, _ condition: @escaping @Sendable (AVPlayer) -> Bool
  ) async throws {
    let reached = EventLog<Bool>()
    let observation = observe(path, options: [.initial]) { player, _ in if condition(player) { reached.append(true) } }
    try await reached.first(expectation, within: 20)
    observation.invalidate()
  }
}

extension AVPlayerItem {
  /// Waits until the item is ready or has failed.
  nonisolated func settled() async throws {
    let reached = EventLog<Bool>()
    let observation = observe(\.status, options: [.initial]) { item, _ in
      if item.status != .unknown { reached.append(true) }
    }
    try await reached.first("the item is ready or has failed", within: 20)
    observation.invalidate()
  }
}
