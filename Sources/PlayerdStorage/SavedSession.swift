package import Playback

/// The state that is saved from one run of the daemon to the next.
package struct SavedSession: Equatable, Sendable {
  package enum State: String, Codable, Sendable {
    case stopped, paused, playing
  }

  /// The queue's URIs in list order.
  package var queue: [String] = []
  /// The metadata of the queue's items beside their URIs; only for items that have some.
  package var details: [Detail] = []
  /// The shuffled order as indices into the queue; nil in list order.
  package var order: [Int]?
  /// Whether the shuffled order keeps albums together.
  package var keepsAlbums = false
  package var shuffle: Player.ShuffleMode { order == nil ? .off : keepsAlbums ? .albums : .tracks }
  package var place = Playback()
  package var loop = Player.LoopMode.none
  /// Linear, 0…10.
  package var volume = 1.0
  package var rate = 1.0

  /// The metadata of an item from a playlist or cue sheet; times are in nanoseconds, because clips must meet exactly.
  package struct Detail: Codable, Equatable, Sendable {
    /// The item's index in the queue.
    var index: Int
    var start: Int64?
    var end: Int64?
    var title: String?
    var artist: String?
    var album: String?
    var albumArtist: String?
    var genre: String?
    var date: String?
    var trackNumber: Int?
    var duration: Int64?
    var image: String?
    var userAgent: String?
    var referrer: String?
  }

  /// The part that changes while playback continues.
  package struct Playback: Codable, Equatable, Sendable {
    /// The current track's index in the queue.
    package var current = 0
    /// The position in seconds.
    package var position = 0.0
    package var state = State.stopped
  }
}
