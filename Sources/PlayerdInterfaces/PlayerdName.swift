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
  /// The short name in playerctl; a separate instance adds a suffix.
  package static let player = "playerd"

  /// Returns the daemon's own well-known name.
  package static func own(_ instance: InstanceName) throws(DBusError) -> BusName {
    try BusName(bus + instance.suffix)
  }

  /// Returns the well-known name for MPRIS clients.
  package static func mpris(_ instance: InstanceName) throws(DBusError) -> BusName {
    try BusName(MPRISService.busNamePrefix + player + instance.suffix)
  }
}
