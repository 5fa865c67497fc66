import CGst
import Synchronization

/// The title that begins with the next sample of a stream.
///
/// The tags of a stream arrive between the audio before them and the audio that they describe. Parsers repeat them every few
/// seconds; a repeated title is ignored.
final class TitleChange: Sendable {
  /// The last title, and the same one until its first sample has passed.
  private let state = Mutex<(last: String?, next: String?)>((nil, nil))

  /// Notes that the samples that follow are others, whose title may be the same.
  func restart() { state.withLock { $0.last = nil } }

  func note(_ tags: TagList) {
    guard let title = tags.string(GST_TAG_TITLE), !title.allSatisfy(\.isWhitespace) else { return }
    state.withLock { if $0.last != title { $0 = (title, title) } }
  }

  /// Returns the title that begins with a sample, once.
  func take() -> String? { state.withLock { $0.next.take() } }
}
