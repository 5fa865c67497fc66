import EngineProcess
import Joining
import Playback
import Synchronization

/// The samples of a deck that the output has not taken yet, in order.
///
/// They wake the output, unless it does not need them soon. A decoder delivers seconds of audio at once. The output takes the rest
/// when it has used some of the first samples, so one wake-up serves many blocks.
final class Inbox: SampleSource, SampleTarget {
  private struct State {
    var entries: [SampleEntry] = []
    /// Whether the output was woken, and has not taken the entries since.
    var isAwaited = false
    /// The samples that the output has taken and not used, of the passage of the last block.
    var unused: (passage: Passage, frames: Range<Int64>)?

    /// Whether the output has enough samples before a block.
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

  /// The duration of unused samples from which on new samples wait: the output takes up to a second at once.
  private static let reserve = Duration.milliseconds(1500)

  private let state = Mutex(State())
  private let wake: @Sendable (Inbox) -> Void
  private let used: @Sendable (_ passage: Passage, _ frame: Int64) -> Void

  /// Creates an inbox.
  ///
  /// - Parameters:
  ///   - wake: Called on the thread of a delivery; it lets the output take the entries.
  ///   - used: Called when the samples of a passage before a frame were used.
  init(
    wake: @escaping @Sendable (Inbox) -> Void,
    used: @escaping @Sendable (_ passage: Passage, _ frame: Int64) -> Void = { _, _ in }
  ) { (self.wake, self.used) = (wake, used) }

  /// Adds an entry.
  func put(_ entry: SampleEntry) {
    let isNeeded = state.withLock { state in
      state.entries.append(entry)
      if case .block(let block) = entry, state.isEarly(block) { return false }
      return !exchange(&state.isAwaited, with: true)
    }
    if isNeeded { wake(self) }
  }

  /// Removes all entries.
  func take() -> [SampleEntry] {
    state.withLock { state in
      state.isAwaited = false
      for case .block(let block) in state.entries { state.note(block) }
      return exchange(&state.entries, with: [])
    }
  }

  /// Notes that the samples of a passage before a frame are used.
  func use(_ passage: Passage, before frame: Int64) {
    state.withLock { state in
      guard let unused = state.unused, unused.passage == passage else { return }
      state.unused = (passage, min(frame, unused.frames.upperBound)..<unused.frames.upperBound)
    }
    used(passage, frame)
  }
}
