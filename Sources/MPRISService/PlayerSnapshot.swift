/// Everything that clients can read of a player, at one moment.
///
/// A snapshot with nothing loaded has no track, is stopped, and can neither play, pause, seek nor go anywhere.
public struct PlayerSnapshot: Equatable, Sendable {
  /// The player's name as people read it; never empty, because there are clients that hide a player without one.
  public var identity: String
  /// The name of the player's desktop file without `.desktop`; nil when it has none.
  public var desktopEntry: String?
  /// Whether ``PlayerCommand/quit`` is accepted.
  public var canQuit = false
  /// Whether ``PlayerCommand/raise`` is accepted.
  public var canRaise = false
  /// The schemes that ``PlayerCommand/open(_:)`` understands, in lower case.
  public var supportedURISchemes: [String] = []
  /// The types of media that the player plays.
  public var supportedMIMETypes: [String] = []

  /// Whether the player plays, or means to: loading and stalls do not show here.
  public var status = PlaybackStatus.stopped
  /// What follows the end of a track.
  public var loop = LoopStatus.none
  /// Whether the order of the tracks is random.
  public var shuffle = false
  /// The speed, 1 being normal; never 0.
  public var rate = 1.0
  /// The lowest speed that may be asked for, above 0 and at most 1.
  public var minimumRate = 1.0
  /// The highest speed that may be asked for, at least 1.
  public var maximumRate = 1.0
  /// The volume: 0 is silence, 1 the natural volume.
  public var volume = 1.0
  /// The loudest volume that may be asked for; what is above is brought down to it.
  public var maximumVolume = 1.0

  /// The distance from the start of the track at the moment of the snapshot.
  public var position = Duration.zero
  /// What is known of the current track; empty when nothing is loaded.
  public var metadata = Metadata.none
  /// The current track; nil when nothing is loaded.
  public var track: TrackID? { metadata.trackID }

  /// Whether ``PlayerCommand/next`` leads to another track.
  public var canGoNext = false
  /// Whether ``PlayerCommand/previous`` leads to another track.
  public var canGoPrevious = false
  /// Whether there is something to play; true also while it plays.
  public var canPlay = false
  /// Whether the current track can be paused; true also while it is.
  public var canPause = false
  /// Whether the position can be set.
  public var canSeek = false

  /// Whether tracks can be added to the track list and removed from it; for a ``TrackListPlayer``.
  public var canEditTracks = false
  /// Which of the track lists told so far is the present one.
  var trackListRevision: UInt64 = 0
  /// Which of the counts of playlists, and of the active playlists, are the present ones.
  var playlistRevisions = PlaylistRevisions()

  /// Whether ``status`` is that of an item that is still being looked for, in a folder, a playlist or on a server.
  ///
  /// ``isSettled`` is false then, and ``metadata`` describes the track before, if there is one.
  public var isOpening = false
  /// Whether the news may be told: false while what is known of a new track is still being gathered.
  ///
  /// Changes are then held back for a moment, at most 200 ms, and 2 s for the first track, so that clients see one change
  /// of track and not several.
  public var isSettled = true

  /// Returns whether another snapshot shows the same, apart from the running of the position.
  ///
  /// A player may use it to leave out ``MediaPlayerEvent/changed`` where nothing of MPRIS has changed.
  public func isUnchanged(in other: PlayerSnapshot) -> Bool {
    var other = other
    other.position = position
    return self == other
  }

  /// Creates the snapshot of a stopped player with nothing loaded; the rest is assigned.
  public init(identity: String, desktopEntry: String? = nil) {
    self.identity = identity
    self.desktopEntry = desktopEntry
  }
}

/// Whether a player plays.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#Enum:Playback_Status>
public enum PlaybackStatus: String, Hashable, Sendable, CaseIterable {
  /// A track plays, or will as soon as it can.
  case playing = "Playing"
  /// A track is held at its position.
  case paused = "Paused"
  /// No track plays or is held.
  case stopped = "Stopped"
}

/// What follows the end of a track.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#Enum:Loop_Status>
public enum LoopStatus: String, Hashable, Sendable, CaseIterable {
  /// The next track, and a stop after the last.
  case none = "None"
  /// The same track again.
  case track = "Track"
  /// The next track, and after the last the first.
  case playlist = "Playlist"
}
