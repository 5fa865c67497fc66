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
}

/// Decides which changes of the player are reported: each track once when it plays, and each stop once.
struct ReportRules: Sendable {
  /// A state of the player.
  struct State: Equatable, Sendable {
    var status: Player.Transport
    var track: MPRISTrackID?
    var title: String?
    var artists: [String] = []
    /// Whether the tags and the cover of the track are known.
    var isWhole = false
  }

  private var reported: State?
  private var isActive = false
  private var isClosed = false

  /// Returns the report that a state causes; nil for none.
  mutating func kind(for state: State) -> PlaybackReport.Kind? {
    guard !isClosed else { return nil }
    guard state.status != .stopped else {
      let wasActive = isActive
      (isActive, reported) = (false, nil)
      return wasActive ? .stop : nil
    }
    isActive = true
    guard state.status == .playing, state.isWhole, state.track != nil else { return nil }
    let isKnown =
      reported?.track == state.track && reported?.title == state.title && reported?.artists == state.artists
    reported = state
    return isKnown ? nil : .track
  }

  /// Ends the reports; returns whether a reported track ends with the player.
  mutating func close() -> Bool {
    defer { isClosed = true }
    return !isClosed && isActive && reported != nil
  }
}
