import Playback

/// Conversions between the details of a session and player items.
extension SavedSession {
  /// New items for the queue, with their saved metadata.
  var items: [Player.Item] {
    let details = Dictionary(details.map { ($0.index, $0) }) { first, _ in first }
    return queue.prefix(Player.itemLimit).enumerated().map { index, uri in
      guard let detail = details[index] else { return Player.Item(uri: uri) }
      return Player.Item(
        uri: uri, externalMetadata: Player.Item.ExternalMetadata(detail), start: .nanoseconds(detail.start ?? 0),
        end: detail.end.map { .nanoseconds($0) })
    }
  }
}

extension SavedSession.Detail {
  /// Creates the details of an item; nil if only its URI is known.
  init?(_ item: Player.Item, at index: Int) {
    let externalMetadata = item.externalMetadata
    guard externalMetadata != nil || item.isClip else { return nil }
    self.init(
      index: index, start: item.start > .zero ? item.start.wholeNanoseconds : nil, end: item.end?.wholeNanoseconds,
      title: externalMetadata?.title, artist: externalMetadata?.artist, album: externalMetadata?.album,
      albumArtist: externalMetadata?.albumArtist,
      genre: externalMetadata?.genre, date: externalMetadata?.date, trackNumber: externalMetadata?.trackNumber,
      duration: externalMetadata?.duration?.wholeNanoseconds, image: externalMetadata?.image)
  }
}

extension Player.Item.ExternalMetadata {
  fileprivate init?(_ detail: SavedSession.Detail) {
    self.init()
    title = detail.title
    artist = detail.artist
    album = detail.album
    albumArtist = detail.albumArtist
    genre = detail.genre
    date = detail.date
    trackNumber = detail.trackNumber
    duration = detail.duration.map { .nanoseconds($0) }
    image = detail.image
    if self == Player.Item.ExternalMetadata() { return nil }
  }
}
