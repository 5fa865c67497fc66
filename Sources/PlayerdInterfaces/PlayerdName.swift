package import DBus
package import MPRISService

/// The names of the daemon on the message bus.
package enum PlayerdName {
  /// The daemon's own bus name; a separate instance adds a suffix.
  package static let bus = "org.playerd"
  /// The object with the interfaces of this module.
  package static let object: ObjectPath = "/org/playerd"
  /// The prefix of track paths.
  package static let tracks: MPRISTrackPathPrefix = "/org/playerd/track"
  /// The prefix of playlist paths, with the slash.
  package static let playlists = "/org/playerd/playlist/"
}
