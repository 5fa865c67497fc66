import GstPlayer

/// The items of a session.
extension Session {
  /// New items for the queue, with what was known of them.
  var items: [PlayerItem] {
    let details = Dictionary(details.map { ($0.index, $0) }) { first, _ in first }
    return queue.prefix(Player.itemLimit).enumerated().map { index, uri in
      guard let detail = details[index] else { return PlayerItem(uri: uri) }
      return PlayerItem(
        uri: uri, hints: ItemHints(detail), start: .nanoseconds(detail.start ?? 0),
        end: detail.end.map { .nanoseconds($0) })
    }
  }
}

extension Session.Detail {
  /// What is known of an item; nil when that is nothing but its URI.
  init?(_ item: PlayerItem, at index: Int) {
    let hints = item.hints
    guard hints != nil || item.isPart else { return nil }
    self.init(
      index: index, start: item.start > .zero ? item.start.nanoseconds : nil, end: item.end?.nanoseconds,
      title: hints?.title, artist: hints?.artist, album: hints?.album, albumArtist: hints?.albumArtist,
      genre: hints?.genre, date: hints?.date, trackNumber: hints?.trackNumber,
      duration: hints?.duration?.nanoseconds, image: hints?.image)
  }
}

extension ItemHints {
  fileprivate init?(_ detail: Session.Detail) {
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
    if self == ItemHints() { return nil }
  }
}

extension Duration {
  /// Whole nanoseconds, saturating.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
