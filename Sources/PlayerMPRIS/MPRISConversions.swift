package import MPRISService
package import Playback
import TextCoding

extension MPRISMetadata.Fields {
  /// Creates the MPRIS fields from a player's tags.
  ///
  /// Lyrics are included only if configured: they are long, and few clients use them.
  package init(
    _ item: Player.Item, as track: MPRISTrackID, _ tags: MediaMetadata, _ duration: Duration?, artURL: String? = nil,
    hasLyrics: Bool = false
  ) {
    let externalMetadata = item.externalMetadata ?? Player.Item.ExternalMetadata()
    // The tags of a file describe the whole file. For a clip of it, they only supply missing fields.
    let first = item.isClip ? externalMetadata : Player.Item.ExternalMetadata()
    self.init(
      trackID: track,
      title: first.title ?? tags.title ?? externalMetadata.title ?? tags.organization ?? item.uri.uriName)
    length = duration
    url = item.uri.withoutURIUsers
    self.artURL = artURL
    artists = first.artist.map { [$0] } ?? Self.values(tags.artists, or: externalMetadata.artist)
    albumArtists = first.albumArtist.map { [$0] } ?? Self.values(tags.albumArtists, or: externalMetadata.albumArtist)
    // The name of a station replaces the album; the title describes the current programme.
    let station = duration == nil && tags.title != nil ? tags.organization ?? externalMetadata.title : nil
    album = first.album ?? tags.album ?? externalMetadata.album ?? (station == tags.title ? nil : station)
    genres = Self.values(tags.genres, or: externalMetadata.genre)
    composers = tags.composers
    comments = tags.comments
    trackNumber = first.trackNumber ?? tags.trackNumber ?? externalMetadata.trackNumber
    discNumber = tags.discNumber
    contentCreated = tags.date ?? externalMetadata.date
    audioBPM = tags.beatsPerMinute.map { Int(min($0.rounded(), 10_000)) }
    userRating = tags.userRating
    useCount = tags.useCount
    lyrics = hasLyrics ? tags.lyrics : nil
    musicBrainzTrackIDs = tags.musicBrainzTrackID.map { [$0] } ?? []
    musicBrainzAlbumIDs = tags.musicBrainzAlbumID.map { [$0] } ?? []
    musicBrainzArtistIDs = tags.musicBrainzArtistIDs
    musicBrainzAlbumArtistIDs = tags.musicBrainzAlbumArtistIDs
  }

  private static func values(_ tags: [String], or hint: String?) -> [String] {
    tags.isEmpty ? hint.map { [$0] } ?? [] : tags
  }
}

extension MPRISPlaybackStatus {
  package init(_ transport: Player.Transport) {
    switch transport {
    case .stopped: self = .stopped
    case .paused: self = .paused
    case .playing: self = .playing
    }
  }
}

extension MPRISLoopStatus {
  package init(_ mode: Player.LoopMode) {
    switch mode {
    case .none: self = .none
    case .track: self = .track
    case .playlist: self = .playlist
    }
  }
}

extension Player.LoopMode {
  package init(_ status: MPRISLoopStatus) { self = Self.allCases.first { MPRISLoopStatus($0) == status } ?? Self.none }
}
