import MPRISService
import Playback
import PlayerdInterfaces
import PlayerdSystem
import Synchronization

/// Repeats a range (A-B) of the current track: at the end of the range, playback seeks to its start.
final class ABRepeater: Sendable {
  private struct State {
    var item: Player.Item
    var part: Range<Duration>
    var observation: Player.Observer?
  }

  /// The distance from the end of a track at which playback seeks back at the latest; later, a gapless successor would
  /// become audible.
  private static let margin = Duration.milliseconds(300)

  private let player: Player
  private let state = Mutex<State?>(nil)

  init(_ player: Player) { self.player = player }

  /// Returns the repeated range of an item.
  func part(of item: Player.Item?) -> Range<Duration>? {
    state.withLock { state in state?.item == item ? state?.part : nil }
  }

  /// Repeats a range of the current track; nil ends the repetition.
  func set(_ part: Range<Duration>?) throws(MPRISCommandError) {
    guard let part else { return change(to: nil) }
    let snapshot = player.snapshot
    guard let item = snapshot.currentItem, snapshot.isSeekable else {
      throw .invalid("cannot repeat a part: no seekable track is loaded")
    }
    var turn = part.upperBound
    if let duration = snapshot.duration {
      guard part.upperBound <= duration else {
        throw .invalid("the track ends at \(ClockTime.text(duration.microseconds, fractional: true))")
      }
      turn = min(turn, duration - Self.margin)
      // Otherwise playback would seek back again and again without playing anything.
      guard turn >= part.lowerBound + ExtrasRules.shortestPart else {
        throw .invalid(
          "the part begins less than \((Self.margin + ExtrasRules.shortestPart) / .seconds(1)) s before the end")
      }
    }
    // The time is positive, so this cannot fail.
    let observation = try? player.addBoundaryTimeObserver(forTimes: [turn]) { [weak player] crossing in
      if crossing.item == item { player?.seek(to: part.lowerBound) }
    }
    change(to: State(item: item, part: part, observation: observation))
    if snapshot.position >= turn { player.seek(to: part.lowerBound) }
  }

  /// Ends the repetition if another track is current.
  func forget(unless item: Player.Item?) {
    if state.withLock({ $0 != nil && $0?.item != item }) { change(to: nil) }
  }

  private func change(to new: State?) {
    state.withLock { $0 = new }
    player.isCrossfadeSuspended = new != nil
  }
}
