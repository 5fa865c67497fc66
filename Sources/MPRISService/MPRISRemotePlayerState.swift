import DBus

/// An event of a player on the bus.
public enum MPRISRemotePlayerEvent: Hashable, Sendable {
  /// The state has changed, apart from the running position.
  case changed(MPRISRemotePlayerState)
  /// The position jumped, to this distance from the start of the track.
  case seeked(to: Duration)
}

/// The state that a player has published, apart from the position.
///
/// A property that the player does not publish, or with a wrong type, has the value of a player without this ability.
public struct MPRISRemotePlayerState: Hashable, Sendable {
  private var root: [String: DBusValue]
  private var player: [String: DBusValue]

  init(root: [String: DBusValue], player: [String: DBusValue]) {
    (self.root, self.player) = (root, player)
    self.player[PlayerInterface.position.name.rawValue] = nil
  }

  /// The display name; empty if there is none.
  public var identity: String { root[RootInterface.identity]?.asString ?? "" }
  /// Whether ``MPRISRemotePlayer/raise()`` has an effect.
  public var canRaise: Bool { root[RootInterface.canRaise]?.asBool ?? false }
  /// Whether ``MPRISRemotePlayer/quit()`` has an effect.
  public var canQuit: Bool { root[RootInterface.canQuit]?.asBool ?? false }

  /// The playback status.
  public var status: MPRISPlaybackStatus {
    player[PlayerInterface.status]?.asString.flatMap { MPRISPlaybackStatus(rawValue: $0) } ?? .stopped
  }
  /// The metadata of the current track.
  public var metadata: MPRISRemoteMetadata {
    MPRISRemoteMetadata(player[PlayerInterface.metadata]?.asDictionary ?? [:])
  }
  /// The behaviour at the end of a track; nil if the player has no such property.
  public var loop: MPRISLoopStatus? { player[PlayerInterface.loop]?.asString.flatMap { MPRISLoopStatus(rawValue: $0) } }
  /// Whether the order is random; nil if the player has no such property.
  public var shuffle: Bool? { player[PlayerInterface.shuffle]?.asBool }
  /// The volume; nil if the player has no such property.
  public var volume: Double? { player[PlayerInterface.volume]?.asDouble }
  /// The rate; 1 is normal.
  public var rate: Double { player[PlayerInterface.rate]?.asDouble ?? 1 }

  /// Whether ``MPRISRemotePlayer/next()`` selects another track.
  public var canGoNext: Bool { can(PlayerInterface.canGoNext) }
  /// Whether ``MPRISRemotePlayer/previous()`` selects another track.
  public var canGoPrevious: Bool { can(PlayerInterface.canGoPrevious) }
  /// Whether there is a track to play.
  public var canPlay: Bool { can(PlayerInterface.canPlay) }
  /// Whether the current track can be paused.
  public var canPause: Bool { can(PlayerInterface.canPause) }
  /// Whether the position can be set.
  public var canSeek: Bool { can(PlayerInterface.canSeek) }
  /// Whether the player accepts commands at all; if not, the other abilities are false.
  public var canControl: Bool { player[PlayerInterface.canControl]?.asBool ?? false }

  private func can(_ property: PlayerInterface.Row) -> Bool { canControl && player[property]?.asBool ?? false }
}

/// The metadata of a track of another player; fields that the player does not publish are nil or empty.
///
/// <https://www.freedesktop.org/wiki/Specifications/mpris-spec/metadata/>
public struct MPRISRemoteMetadata: Hashable, Sendable {
  private let entries: [String: DBusValue]

  init(_ entries: [String: DBusValue]) { self.entries = entries }

  /// The identity of the track; by the specification an object path, but some players publish another text.
  public var trackID: String? { entries["mpris:trackid"].flatMap { $0.asObjectPath?.rawValue ?? $0.asString } }
  /// The title.
  public var title: String? { text("xesam:title") }
  /// The length.
  public var length: Duration? { entries["mpris:length"]?.asInt64.map { .microseconds($0) } }
  /// The artists.
  public var artists: [String] { texts("xesam:artist") }
  /// The album.
  public var album: String? { text("xesam:album") }
  /// The artists of the whole album.
  public var albumArtists: [String] { texts("xesam:albumArtist") }
  /// The genres.
  public var genres: [String] { texts("xesam:genre") }
  /// The track number on the disc, from 1.
  public var trackNumber: Int? { entries["xesam:trackNumber"]?.asInt64.flatMap { Int(exactly: $0) } }
  /// The URI of a picture.
  public var artURL: String? { text("mpris:artUrl") }
  /// The URI of the media.
  public var url: String? { text("xesam:url") }

  private func text(_ key: String) -> String? { entries[key]?.asString }

  /// Returns a list; some players publish a single text instead.
  private func texts(_ key: String) -> [String] { entries[key]?.asStrings ?? text(key).map { [$0] } ?? [] }
}
