import MPRISService
package import Playback

/// Conversions between the details of a session and player items.
extension SavedSession {
  /// New items for the queue, with their saved metadata.
  package var items: [Player.Item] {
    let details = Dictionary(details.map { ($0.index, $0) }) { first, _ in first }
    return queue.prefix(Player.itemLimit).enumerated().map { index, uri in
      guard let detail = details[index] else { return Player.Item(uri: uri) }
      let metadata = Player.Item.ExternalMetadata(detail)
      let (start, end) = (Duration.nanoseconds(detail.start ?? 0), detail.end.map { Duration.nanoseconds($0) })
      guard let headers = HTTPRequestHeaders(referrer: detail.referrer, userAgent: detail.userAgent) else {
        return Player.Item(uri: uri, externalMetadata: metadata, start: start, end: end)
      }
      return Player.Item(uri: uri, httpHeaders: headers, externalMetadata: metadata, start: start, end: end)
    }
  }

  /// Returns the session without the items to which `objection` returns a reason; passes them to `rejected`.
  package func restricted(
    by objection: (_ uri: String) -> String?, _ rejected: (_ uri: String, _ reason: String) -> Void
  ) -> SavedSession {
    let allowed = AllowedItems(of: queue, unless: objection, rejected)
    guard allowed.indices.count < queue.count else { return self }
    var session = self
    session.queue = allowed.indices.map { queue[$0] }
    session.details = details.compactMap { detail in
      allowed.place(of: detail.index).map { index in
        var detail = detail
        detail.index = index
        return detail
      }
    }
    session.order = order.map(allowed.order)
    // Without its current item, the session continues with the next one, from its start.
    session.place.current = allowed.current(place.current)
    if allowed.place(of: place.current) == nil { session.place.position = 0 }
    return session
  }
}

extension HTTPRequestHeaders {
  /// Creates the headers of a playlist's entry; nil if there are none, or if they cannot be sent.
  init?(referrer: String?, userAgent: String?) {
    guard referrer != nil || userAgent != nil,
      let headers = try? HTTPRequestHeaders(referrer.map { ["Referer": $0] } ?? [:], userAgent: userAgent)
    else { return nil }
    self = headers
  }

  /// The value of the field `Referer`; nil without it.
  package var referrer: String? { fields["Referer"] }
}

extension SavedSession.Detail {
  /// Creates the details of an item; nil if only its URI is known.
  package init?(_ item: Player.Item, at index: Int) {
    let externalMetadata = item.externalMetadata
    guard externalMetadata != nil || item.isClip || item.httpHeaders != nil else { return nil }
    self.init(
      index: index, start: item.start > .zero ? item.start.wholeNanoseconds : nil, end: item.end?.wholeNanoseconds,
      title: externalMetadata?.title, artist: externalMetadata?.artist, album: externalMetadata?.album,
      albumArtist: externalMetadata?.albumArtist,
      genre: externalMetadata?.genre, date: externalMetadata?.date, trackNumber: externalMetadata?.trackNumber,
      duration: externalMetadata?.duration?.wholeNanoseconds, image: externalMetadata?.image,
      userAgent: item.httpHeaders?.userAgent, referrer: item.httpHeaders?.referrer)
  }
}

extension SavedSession {
  /// The state of a player, with its playback position.
  package init(_ player: Player, _ snapshot: Player.Snapshot, _ place: Playback) {
    let items = player.items
    queue = items.map(\.uri)
    details = items.enumerated().compactMap { Detail($1, at: $0) }
    order = player.playOrder
    keepsAlbums = snapshot.shuffleMode == .albums
    self.place = place
    loop = snapshot.loop
    volume = snapshot.volume
    rate = snapshot.rate
  }
}

extension SavedSession.Playback {
  /// The playback position of a player.
  package init(_ snapshot: Player.Snapshot) {
    current = snapshot.currentIndex ?? 0
    position = Double(snapshot.position.microseconds) / 1e6
    state =
      switch snapshot.transport {
      case .stopped: .stopped
      case .paused: .paused
      case .playing: .playing
      }
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
