import GstPlayer
import MPRISService
import Synchronization

/// Repeats a part of the current track: at its end play goes back to its start.
final class PartRepeat: Sendable {
  private struct State {
    var item: PlayerItem
    var part: Range<Duration>
    var observation: PlayerObservation
  }

  /// How long before the end of a track play turns back at the latest: there a gapless successor would be heard.
  private static let margin = Duration.milliseconds(300)

  private let player: Player
  private let state = Mutex<State?>(nil)

  init(_ player: Player) { self.player = player }

  /// What is repeated of an item.
  func part(of item: PlayerItem?) -> Range<Duration>? {
    state.withLock { state in state?.item == item ? state?.part : nil }
  }

  /// Repeats a part of the current track; nothing for nil.
  func set(_ part: Range<Duration>?) throws(CommandError) {
    guard let part else { return state.withLock { $0 = nil } }
    let snapshot = player.snapshot
    guard let item = snapshot.currentItem, snapshot.isSeekable else {
      throw .invalid("there is no track of which a part can be repeated")
    }
    var turn = part.upperBound
    if let duration = snapshot.duration {
      guard part.upperBound <= duration else { throw .invalid("the track ends at \(duration.microseconds) µs") }
      turn = max(part.lowerBound, min(turn, duration - Self.margin))
    }
    let observation = try observe(turn, of: item, from: part.lowerBound)
    let old = state.withLock { state in
      defer { state = State(item: item, part: part, observation: observation) }
      return state
    }
    withExtendedLifetime(old) {}
    if snapshot.position >= turn { player.seek(to: part.lowerBound) }
  }

  private func observe(
    _ turn: Duration, of item: PlayerItem, from start: Duration
  ) throws(CommandError) -> PlayerObservation {
    do {
      return try player.addBoundaryTimeObserver(forTimes: [turn]) { [weak player] crossing in
        if crossing.item == item { player?.seek(to: start) }
      }
    } catch {
      throw .invalid(error.message)
    }
  }

  /// Another track is current.
  func forget(unless item: PlayerItem?) {
    let old = state.withLock { state -> State? in
      guard state?.item != item else { return nil }
      defer { state = nil }
      return state
    }
    withExtendedLifetime(old) {}
  }
}
