/// What is kept from one run of the daemon to the next.
struct Session: Equatable, Sendable {
  enum State: String, Codable, Sendable {
    case stopped, paused, playing
  }

  enum Loop: String, Codable, Sendable {
    case none, track, playlist
  }

  /// The queue's URIs in list order.
  var queue: [String] = []
  /// What is known of the queue's items beside their URIs; only of those where there is something.
  var details: [Detail] = []
  /// The shuffled order as indices into the queue; nil in list order.
  var order: [Int]?
  var place = Place()
  var loop = Loop.none
  /// Linear, 0…10.
  var volume = 1.0
  var rate = 1.0

  /// What a playlist or a sheet said of an item; times are nanoseconds, because parts must meet exactly.
  struct Detail: Codable, Equatable, Sendable {
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
  }

  /// What changes while nothing but time passes.
  struct Place: Codable, Equatable, Sendable {
    /// The current track's index in the queue.
    var current = 0
    /// In seconds.
    var position = 0.0
    var state = State.stopped
  }
}
