import Playback
import Synchronization

/// Keeps the last tags of the streams, to compare new ones with them.
///
/// A parser posts all tags again with each new estimate of the bit rate, about once in two seconds of FLAC. Such a
/// message would wake the pipeline's executor, and change nothing.
final class LastTags: Sendable {
  private let tags = Mutex<[StreamToken: [TagScope: MediaMetadata]]>([:])

  func forget() { tags.withLock { $0 = [:] } }

  /// Stores new tags; returns false, and keeps the old ones, if only the bit rate differs, by too little to be shown.
  func replace(with new: MediaMetadata, of stream: StreamToken, about scope: TagScope) -> Bool {
    tags.withLock { tags in
      if let old = tags[stream]?[scope], new.onlyAdjustsBitRate(of: old) { return false }
      // The tags of earlier streams arrive no more.
      tags = tags.filter { $0.key.number >= stream.number }
      tags[stream, default: [:]][scope] = new
      return true
    }
  }
}
