import Joining

/// The deliveries about songs within a stream that are decoded and not at the output, in order.
///
/// A song is the next part of a chained Ogg file, or begins with another title of a station. It is decoded seconds before it is audible.
struct NextSong: Sendable {
  private struct Song: Sendable {
    var passage: Passage
    /// Its first frame in the passage.
    var first: Int64
    var deliveries: [Deck.Delivery] = []
  }

  private var songs: [Song] = []
  /// The maximum number of deliveries that are kept; a deck decodes only a few seconds ahead.
  private static let limit = 1_000

  /// Whether there is none.
  var isEmpty: Bool { songs.isEmpty }

  /// Begins a song at a frame of a passage.
  mutating func begin(_ passage: Passage, at first: Int64) { songs.append(Song(passage: passage, first: first)) }

  /// Keeps a delivery that describes the last song; returns false if it is to be delivered at once.
  mutating func hold(_ delivery: Deck.Delivery) -> Bool {
    switch delivery {
    case .loudness, .event(.songEnded), .event(.tags), .event(.chapters), .event(.leftOut): break
    case .block, .ended, .refused, .event, .warning, .abandoned: return false
    }
    guard let last = songs.indices.last, songs[last].deliveries.count < Self.limit else { return false }
    songs[last].deliveries.append(delivery)
    return true
  }

  /// Removes and returns the deliveries about the songs that have begun before a frame of a passage.
  mutating func take(_ passage: Passage, before frame: Int64) -> [Deck.Delivery] {
    take { $0.passage != passage || $0.first < frame }
  }

  /// Removes and returns everything, because of a flush.
  mutating func takeAll() -> [Deck.Delivery] { take { _ in true } }

  private mutating func take(_ isDue: (Song) -> Bool) -> [Deck.Delivery] {
    let due = songs.prefix(while: isDue)
    songs.removeFirst(due.count)
    return due.flatMap(\.deliveries)
  }
}
