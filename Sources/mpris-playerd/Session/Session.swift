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
  /// The shuffled order as indices into the queue; nil in list order.
  var order: [Int]?
  var place = Place()
  var loop = Loop.none
  /// Linear, 0…10.
  var volume = 1.0
  var rate = 1.0

  /// What changes while nothing but time passes.
  struct Place: Codable, Equatable, Sendable {
    /// The current track's index in the queue.
    var current = 0
    /// In seconds.
    var position = 0.0
    var state = State.stopped
  }
}
