import Playback
import Synchronization

/// Keeps the last tags of the streams, to compare new ones with them.
///
/// A parser posts all tags again with each new estimate of the bit rate, about once in two seconds of FLAC. Such a
/// message would wake the executor of the engine, and change nothing.
final class LastTags: Sendable {
  private let tags = Mutex<[StreamToken: [TagScope: MediaMetadata]]>([:])
  /// The last number of comments of each stream.
  private let commentCounts = Mutex<[StreamToken: Int]>([:])
  /// The texts about parts that are left out of the tags of each stream.
  private let excess = Mutex<[StreamToken: Set<String>]>([:])

  func forget() {
    tags.withLock { $0 = [:] }
    commentCounts.withLock { $0 = [:] }
    excess.withLock { $0 = [:] }
  }

  /// Stores texts about parts that are left out of the tags of a stream, and returns the new ones.
  func add(excess new: [String], of stream: StreamToken) -> [String] {
    guard !new.isEmpty else { return [] }
    return excess.withLock { excess in
      excess = excess.filter { $0.key.number >= stream.number }
      return new.filter { excess[stream, default: []].insert($0).inserted }
    }
  }

  /// Stores the number of comments of a stream; returns false if it is the last one, and for none.
  ///
  /// Thousands of chapters are not to be read from the same comments again.
  func replace(commentCount: Int, of stream: StreamToken) -> Bool {
    guard commentCount > 0 else { return false }
    return commentCounts.withLock { counts in
      defer { counts = counts.filter { $0.key.number >= stream.number } }
      return counts.updateValue(commentCount, forKey: stream) != commentCount
    }
  }

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
