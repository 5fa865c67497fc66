import EngineProcess
import Joining
import Playback
import Synchronization

/// Passes a deck's samples to their target, and its reports to the playout.
final class DeckFeed: Sendable {
  private let target: any SampleTarget
  private let report: @Sendable (DeckReport) -> Void
  /// The passage of the last block or of the opening, and the media time at which its samples end.
  private let last: Mutex<(passage: Passage, end: Duration)>

  /// Creates the feed of a deck with a request.
  init(_ request: DeckRequest, _ target: any SampleTarget, report: @escaping @Sendable (DeckReport) -> Void) {
    (self.target, self.report) = (target, report)
    last = Mutex((request.passage, request.start ?? .zero))
  }

  func take(_ delivery: Deck.Delivery) {
    switch delivery {
    case .block(let block):
      last.withLock { $0 = (block.passage, block.format.time(at: block.end)) }
      target.put(.block(block))
    case .ended(let passage):
      let end = last.withLock { $0.passage == passage ? $0.end : .zero }
      target.put(.ended(passage))
      report(.ended(passage, at: end))
    case .refused(let passage): report(.refused(passage))
    case .loudness(let tags): report(.loudness(tags))
    case .event(let event): report(.event(event))
    case .warning(let text): report(.warning(text))
    case .abandoned(let text): report(.abandoned(text))
    }
  }
}
