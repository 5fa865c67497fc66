public import DBus

/// The identity of a track for the lifetime of the player: an object path that is never reused for another track.
///
/// Each passage of a repeated track has its own identity, because clients detect a new play by a change of
/// `mpris:trackid`: mpris-scrobbler ignores Metadata whose values are unchanged.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html#Simple-Type:Track_Id>
public struct MPRISTrackID: Hashable, Sendable {
  /// Nil for `noTrack`.
  private let prefix: MPRISTrackPathPrefix?
  private let number: UInt64
  private let passage: Int

  /// Creates the identity of a passage of a track.
  ///
  /// - Parameters:
  ///   - number: The track's number, which the player must never use for another track.
  ///   - passage: 1 for the first play of the track, one more for each repetition that follows directly.
  ///   - prefix: The prefix of the player's track paths; by default, it is derived from the name of the program.
  public init(_ number: UInt64, passage: Int = 1, in prefix: MPRISTrackPathPrefix = .program) {
    self.prefix = prefix
    self.number = number
    self.passage = max(1, passage)
  }

  private init() { (prefix, number, passage) = (nil, 0, 1) }

  /// The identity of the absent track.
  public static let noTrack = MPRISTrackID()

  /// Whether both identities are passages of the same track.
  public func isSameTrack(as other: MPRISTrackID) -> Bool { number == other.number && prefix == other.prefix }

  /// The object path for clients: `<prefix>/<number>`, or `<prefix>/<number>/<passage>` from the second passage on, or
  /// the specification's path for no track.
  public var path: ObjectPath {
    guard let prefix else { return Self.noTrackPath }
    return ObjectPath(unchecked: "\(prefix)/\(number)\(passage > 1 ? "/\(passage)" : "")")
  }

  /// Parses the path from a client; nil for a path that no track with this prefix can have.
  public init?(path: ObjectPath, in prefix: MPRISTrackPathPrefix) {
    if path == Self.noTrackPath {
      self = .noTrack
    } else {
      guard path.rawValue.hasPrefix(prefix.rawValue + "/") else { return nil }
      let parts = path.rawValue.dropFirst(prefix.rawValue.count + 1).split(separator: "/")
      guard let number = parts.first.flatMap({ UInt64($0) }), let passage = parts.count == 2 ? Int(parts[1]) : 1
      else { return nil }
      self.init(number, passage: passage, in: prefix)
      // Rejects other spellings of the numbers, for example leading zeros.
      guard self.path == path else { return nil }
    }
  }

  /// Hashes the numbers; the tracks of a player share one prefix.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(passage)
  }

  private static let noTrackPath: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
}

/// The prefix of a player's track paths, such as `/org/example/player/track`.
///
/// The specification reserves the paths that start with `/org/mpris`.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html#Simple-Type:Track_Id>
public struct MPRISTrackPathPrefix: DBusName {
  /// The validated text.
  public let rawValue: String

  /// The default prefix: `/<name>/track`, with the file name of the program.
  ///
  /// Track paths are unique within one player, so no other name is necessary.
  public static let program = MPRISTrackPathPrefix(
    unchecked: "/\(ServiceName.element(of: CommandLine.arguments.first?.split(separator: "/").last ?? ""))/track")

  private init(unchecked text: String) { rawValue = text }

  private static let reserved = "/org/mpris"

  /// Validates a text; throws `InvalidArgs` for an invalid object path, for `/`, and for a reserved path.
  public init(_ text: String) throws(DBusError) {
    rawValue = try ObjectPath(text).rawValue
    guard text != "/", !text.hasPrefix(Self.reserved) else {
      throw .invalidArguments("\(text) cannot be the prefix of track paths: it is / or starts with \(Self.reserved)")
    }
  }
}
