import Joining
import Playback
import Synchronization

/// The deliveries of a deck that its driver has not taken yet, in order.
///
/// A delivery wakes the driver, unless it is a block that is not needed soon. A decoder delivers seconds of audio at once,
/// and the driver takes the rest of them when it has used some of the first ones, so one wake-up serves many blocks.
final class Inbox: Sendable {
  private struct State {
    var deliveries: [Deck.Delivery] = []
    /// Whether the driver was woken, and has not taken the deliveries since.
    var isAwaited = false
    /// The samples that the driver has taken and not used, of the passage of the last block.
    var unused: (passage: Passage, frames: Range<Int64>)?

    /// Whether the driver has enough samples before a block.
    func isEarly(_ block: Block) -> Bool {
      guard let unused, unused.passage == block.passage else { return false }
      return Int64(unused.frames.count) >= block.format.frame(at: Inbox.reserve)
    }

    mutating func note(_ block: Block) {
      let isSame = unused?.passage == block.passage
      let first = isSame ? unused?.frames.lowerBound ?? block.first : block.first
      unused = (block.passage, min(first, block.end)..<block.end)
    }
  }

  /// The duration of unused samples from which on the next ones wait: the output takes up to a second at once.
  private static let reserve = Duration.milliseconds(1500)

  private let state = Mutex(State())
  private let wake: @Sendable (Inbox) -> Void

  /// Creates an inbox; `wake` is called on the thread of a delivery, and lets the driver take the deliveries.
  init(wake: @escaping @Sendable (Inbox) -> Void) { self.wake = wake }

  /// Adds a delivery.
  func put(_ delivery: Deck.Delivery) {
    let isNeeded = state.withLock { state in
      state.deliveries.append(delivery)
      if case .block(let block) = delivery, state.isEarly(block) { return false }
      return !exchange(&state.isAwaited, with: true)
    }
    if isNeeded { wake(self) }
  }

  /// Removes all deliveries.
  func take() -> [Deck.Delivery] {
    state.withLock { state in
      state.isAwaited = false
      for case .block(let block) in state.deliveries { state.note(block) }
      return exchange(&state.deliveries, with: [])
    }
  }

  /// Notes that the samples of a passage before a frame are used.
  func use(_ passage: Passage, before frame: Int64) {
    state.withLock { state in
      guard let unused = state.unused, unused.passage == passage else { return }
      state.unused = (passage, min(frame, unused.frames.upperBound)..<unused.frames.upperBound)
    }
  }
}
