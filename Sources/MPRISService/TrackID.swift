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
    guard let number, let path = try? ObjectPath("/org/playerd/track/\(number)") else {
      return "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    }
    return path
  }
}
