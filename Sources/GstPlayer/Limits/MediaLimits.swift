import Playback

/// The limits of one item, which bound the memory, the threads and the stack that its media use.
///
/// Demuxers and parsers keep the headers of media in memory, read nested headers by recursion, and often compare each
/// part with all parts before it. Each limit is several times larger than the need of ordinary media. A larger stack would not
/// replace the limit of nesting: 32 MiB of boxes need about a gigabyte of stack. A header within the limits may need up to about
/// 200 MB of memory.
///
/// Formats that libav's demuxers or libsndfile read have only the limits of data and elements.
enum MediaLimits {
  /// The bytes that are received without a sample.
  static let bytes = 64 << 20
  /// The bytes of a playlist of an adaptive stream.
  static let playlistBytes = 8 << 20
  /// The GStreamer elements of an item; most of them have a thread.
  static let elements = 512
  /// The tags around the media; each has an element that reads the data before the next element does.
  static let tags = 16
  /// The tracks of an item, of all kinds.
  static let tracks = 128
  /// The depth of nested headers.
  static let depth = 64
  /// The parts of a header: boxes, frames, blocks, chapters.
  static let parts = 10_000
  /// The comments in one block of tags.
  static let comments = 65_536
}

extension PlayerError {
  /// Returns the error for media that exceed a limit, which `excess` describes: "more than 64 nested boxes".
  static func exceeding(_ excess: String) -> PlayerError {
    PlayerError(code: .limitExceeded, message: "the media exceeds a limit: \(excess)")
  }

  static func nesting(of parts: String) -> PlayerError { exceeding("more than \(MediaLimits.depth) nested \(parts)") }

  static func number(of parts: String, _ limit: Int = MediaLimits.parts) -> PlayerError {
    exceeding("more than \(limit) \(parts)")
  }

  /// Returns the error for more data than a limit, in whole MiB.
  static func size(of data: String, _ limit: Int = MediaLimits.bytes) -> PlayerError {
    exceeding("\(data) of more than \(limit >> 20) MiB")
  }
}
