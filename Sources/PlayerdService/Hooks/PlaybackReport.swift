import MPRISService
import Playback

/// An occurrence in playback that hooks and notifications report, with the metadata of its track.
struct PlaybackReport: Sendable {
  enum Kind: Equatable, Sendable {
    /// A track plays, and its metadata and cover are known; also another title of a station.
    case track
    /// Playback has stopped, by a command or at the end of the queue.
    case stop
    /// A track has failed.
    case error(PlayerError)
  }

  var kind: Kind
  /// The metadata of the track; nil without a current track.
  var track: MPRISMetadata.Fields?
  /// The position in the track.
  var position = Duration.zero
  /// The time at which the track, or the song of a station, became audible, in seconds since 1970; nil if it did not.
  var started: Int64?
}

/// Decides which changes of the player are reported: each track and each song of a station once when it plays, and each stop once.
///
/// A station that names no song between two songs, or reconnects within one, does not begin another one, and neither does a seek back.
struct ReportRules: Sendable {
  /// A state of the player.
  struct State: Equatable, Sendable {
    var status: Player.Transport
    var track: MPRISTrackID?
    var title: String?
    var artists: [String] = []
    /// Whether the tags and the cover of the track are known.
    var isWhole = false
    /// Whether the track is audible.
    var isAudible = false
    /// Whether the track is a station that names no song.
    var isBetweenSongs = false
    var position = Duration.zero
  }

  private var reported: State?
  /// The track that was audible last, and the time at which it became audible.
  private var audible: (track: MPRISTrackID, since: Int64)?
  /// The time at which the reported track or song became audible, in seconds since 1970; nil without one.
  private(set) var started: Int64?
  private var isActive = false
  private var isClosed = false

  /// Returns the report that a state causes at a time, in seconds since 1970; nil for none.
  mutating func kind(for state: State, at now: Int64) -> PlaybackReport.Kind? {
    guard !isClosed else { return nil }
    guard state.status != .stopped else {
      let wasActive = isActive
      if reported == nil { started = nil }
      (isActive, reported, audible) = (false, nil, nil)
      return wasActive ? .stop : nil
    }
    isActive = true
    guard state.status == .playing, let track = state.track else { return nil }
    if state.isAudible, audible?.track != track { audible = (track, now) }
    guard state.isWhole else { return nil }
    let isSameTrack = reported?.track == track
    if isSameTrack, let reported {
      let isSameSong = reported.title == state.title && reported.artists == state.artists
      // An earlier song is audible again after a seek back.
      if isSameSong || state.isBetweenSongs || state.position < reported.position { return nil }
    }
    reported = state
    started = isSameTrack ? now : audible.flatMap { $0.track == track ? $0.since : nil } ?? now
    return .track
  }

  /// Ends the reports; returns whether a reported track ends with the player.
  mutating func close() -> Bool {
    defer { isClosed = true }
    return !isClosed && isActive && reported != nil
  }
}
