import Synchronization

/// The title that begins with the next sample of a stream.
///
/// The tags of a stream arrive between the audio before them and the audio that they describe. Parsers repeat them every few
/// seconds; a repeated title is ignored.
final class TitleChange: Sendable {
  /// The last title, blank between two songs, and the same one until its first sample has passed.
  private let state = Mutex<(last: String?, next: String?)>((nil, nil))

  /// Notes that the samples that follow are others, whose title may be the same.
  func restart() { state.withLock { $0.last = nil } }

  /// Notes the title of the samples that follow; returns whether another title precedes it.
  func note(_ title: String) -> Bool {
    state.withLock { state in
      guard state.last != title else { return false }
      let isFirst = state.last == nil
      state = (title, title.allSatisfy(\.isWhitespace) ? nil : title)
      return !isFirst
    }
  }

  /// Returns the title that begins with a sample, once.
  func take() -> String? { state.withLock { $0.next.take() } }
}
