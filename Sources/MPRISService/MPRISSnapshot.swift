/// The state of a player at one time, as clients can read it.
///
/// If nothing is loaded, `track` is nil, the status is stopped, and all abilities for playback are false.
public struct MPRISSnapshot: Equatable, Sendable {
  /// The player's display name; if it is empty, the service's identity replaces it.
  public var identity: String
  /// The name of the player's desktop file without `.desktop`; nil without such a file.
  public var desktopEntry: String?
  /// Whether ``MPRISCommand/quit`` is accepted.
  public var canQuit = false
  /// Whether ``MPRISWindowCommand/raise`` is accepted; for an ``MPRISWindowPlayer``.
  public var canRaise = false
  /// Whether ``MPRISWindowCommand/setFullscreen(_:)`` is accepted; for an ``MPRISWindowPlayer``.
  public var canSetFullscreen = false
  /// Whether the player occupies the whole screen; for an ``MPRISWindowPlayer``.
  public var isFullscreen = false
  /// The URI schemes that ``MPRISCommand/open(_:)`` supports, in lower case.
  public var supportedURISchemes: [String] = []
  /// The MIME types that the player supports.
  public var supportedMIMETypes: [String] = []

  /// The playback status that the player is in or is to reach; loading and stalls do not change it.
  public var status = MPRISPlaybackStatus.stopped
  /// The behaviour at the end of a track.
  public var loop = MPRISLoopStatus.none
  /// Whether `LoopStatus` exists.
  package var hasLoop = true
  /// Whether the order of the tracks is random.
  public var shuffle = false
  /// Whether `Shuffle` exists.
  package var hasShuffle = true
  /// The rate; 1 is normal, and it is never 0.
  public var rate = 1.0
  /// The lowest accepted rate, above 0 and at most 1.
  public var minimumRate = 1.0
  /// The highest accepted rate, at least 1.
  public var maximumRate = 1.0
  /// The volume: 0 is silence, 1 the unamplified volume.
  public var volume = 1.0
  /// Whether `Volume` exists.
  package var hasVolume = true
  /// The highest volume; requests above it are clamped.
  public var maximumVolume = 1.0

  /// The distance from the start of the track at the time of the snapshot.
  public var position = Duration.zero
  /// The metadata of the current track; empty if nothing is loaded.
  public var metadata = MPRISMetadata.none
  /// The current track; nil if nothing is loaded.
  public var track: MPRISTrackID? { metadata.trackID }

  /// Whether ``MPRISCommand/next`` selects another track.
  public var canGoNext = false
  /// Whether ``MPRISCommand/previous`` selects another track.
  public var canGoPrevious = false
  /// Whether there is a track to play; true also during playback.
  public var canPlay = false
  /// Whether the current track can be paused; true also while it is paused.
  public var canPause = false
  /// Whether the position can be set.
  public var canSeek = false

  /// Whether clients can add and remove tracks of the track list; for an ``MPRISTrackListPlayer``.
  public var canEditTracks = false
  /// The revision of the published track list.
  var trackListRevision: UInt64 = 0
  /// The revisions of the playlist count and of the active playlist.
  var playlistRevisions = PlaylistRevisions()

  /// Whether ``status`` describes an item that is still being resolved, in a folder, a playlist or on a server.
  ///
  /// ``isSettled`` is then false, and ``metadata`` describes the previous track, if there is one.
  public var isOpening = false
  /// Whether a change can be published; false while the metadata of a new track is incomplete.
  ///
  /// Changes are then delayed, at most 200 ms, and at most 2 s for the first track, so that clients receive one track
  /// change and not several.
  public var isSettled = true

  /// The part of the snapshot that a seek needs.
  public var timeline: MPRISTimeline {
    MPRISTimeline(track: track, position: position, length: metadata.length, canSeek: canSeek)
  }

  /// Whether another snapshot has the same state, apart from the running position.
  ///
  /// A player can use this to omit ``MPRISPlayerEvent/changed`` if no state of MPRIS has changed.
  public func isUnchanged(in other: MPRISSnapshot) -> Bool {
    var other = other
    other.position = position
    return self == other
  }

  /// Creates the snapshot of a stopped player with nothing loaded; the other properties are assigned later.
  public init(identity: String = "", desktopEntry: String? = nil) {
    self.identity = identity
    self.desktopEntry = desktopEntry
  }
}

/// The position of a player in its current track.
public struct MPRISTimeline: Equatable, Sendable {
  /// The current track; nil if nothing is loaded.
  public var track: MPRISTrackID?
  /// The distance from the start of the track.
  public var position: Duration
  /// The length of the track; nil if it is unknown or endless.
  public var length: Duration?
  /// Whether the position can be set.
  public var canSeek: Bool

  /// Creates a timeline.
  public init(track: MPRISTrackID?, position: Duration, length: Duration?, canSeek: Bool) {
    (self.track, self.position, self.length, self.canSeek) = (track, position, length, canSeek)
  }
}

/// The playback status of a player.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#Enum:Playback_Status>
public enum MPRISPlaybackStatus: String, Hashable, Sendable, CaseIterable {
  /// A track plays, or plays as soon as it can.
  case playing = "Playing"
  /// A track is paused and keeps its position.
  case paused = "Paused"
  /// No track plays or is paused.
  case stopped = "Stopped"
}

/// The behaviour at the end of a track.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Player_Interface.html#Enum:Loop_Status>
public enum MPRISLoopStatus: String, Hashable, Sendable, CaseIterable {
  /// Play the next track; stop after the last.
  case none = "None"
  /// Repeat the track.
  case track = "Track"
  /// Play the next track; after the last, start again with the first.
  case playlist = "Playlist"
}
