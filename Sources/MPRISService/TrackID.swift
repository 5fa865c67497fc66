public import DBus

/// What identifies a track for as long as the player lives: an object path that no other track ever gets.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html#Simple-Type:Track_Id>
public struct TrackID: Hashable, Sendable {
  private let number: UInt64?

  /// Identifies a track by a number, which the player must never use for another one.
  public init(number: UInt64) { self.number = number }

  private init() { number = nil }

  /// The identity that stands for the absence of a track.
  public static let noTrack = TrackID()

  /// The identity as clients see it, `/org/playerd/track/<number>` or the specification's path for no track.
  public var path: ObjectPath {
    guard let number, let path = try? ObjectPath(Self.prefix + String(number)) else { return Self.noTrackPath }
    return path
  }

  /// Reads what a client names; nil for a path that no track has.
  public init?(path: ObjectPath) {
    if path == Self.noTrackPath {
      self = .noTrack
    } else {
      guard path.rawValue.hasPrefix(Self.prefix), let number = UInt64(path.rawValue.dropFirst(Self.prefix.count))
      else { return nil }
      self.init(number: number)
      // The number has other spellings, with zeros before it, say.
      guard self.path == path else { return nil }
    }
  }

  private static let prefix = "/org/playerd/track/"
  private static let noTrackPath: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
}
