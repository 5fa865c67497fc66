public import DBus

/// What identifies a track for as long as the player lives: an object path that no other track ever gets.
///
/// Each passage of a repeated track has its own identity, because clients recognise a new play by a change of
/// `mpris:trackid`: mpris-scrobbler ignores Metadata whose values are unchanged.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html#Simple-Type:Track_Id>
public struct TrackID: Hashable, Sendable {
  private let number: UInt64?
  private let passage: Int

  /// Creates the identity of a passage of a track.
  ///
  /// - Parameters:
  ///   - number: The track's number, which the player must never use for another track.
  ///   - passage: 1 for the first play of the track, one more for each repetition that follows directly.
  public init(number: UInt64, passage: Int = 1) {
    self.number = number
    self.passage = max(1, passage)
  }

  private init() {
    number = nil
    passage = 1
  }

  /// The identity that stands for the absence of a track.
  public static let noTrack = TrackID()

  /// Whether both identities are passages of the same track.
  public func isSameTrack(as other: TrackID) -> Bool { number == other.number }

  /// The identity as clients see it: `/org/playerd/track/<number>`, `/org/playerd/track/<number>/<passage>` from the
  /// second passage on, or the specification's path for no track.
  public var path: ObjectPath {
    let suffix = passage > 1 ? "/\(passage)" : ""
    guard let number, let path = try? ObjectPath(Self.prefix + String(number) + suffix) else { return Self.noTrackPath }
    return path
  }

  /// Reads what a client names; nil for a path that no track has.
  public init?(path: ObjectPath) {
    if path == Self.noTrackPath {
      self = .noTrack
    } else {
      guard path.rawValue.hasPrefix(Self.prefix) else { return nil }
      let parts = path.rawValue.dropFirst(Self.prefix.count).split(separator: "/")
      guard let number = parts.first.flatMap({ UInt64($0) }), let passage = parts.count == 2 ? Int(parts[1]) : 1
      else { return nil }
      self.init(number: number, passage: passage)
      // Rejects other spellings of the numbers, such as leading zeros.
      guard self.path == path else { return nil }
    }
  }

  private static let prefix = "/org/playerd/track/"
  private static let noTrackPath: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
}
