import DBus
import MPRISService
import PlayerdInterfaces

/// The names of the daemon and of its instances.
enum Names {
  static let executable = "mpris-playerd"
  /// The short name in playerctl; a separate instance adds a suffix.
  static let player = "playerd"

  /// Returns the daemon's own well-known name.
  static func own(_ instance: InstanceName) throws(DBusError) -> BusName {
    try BusName(PlayerdName.bus + instance.suffix)
  }

  /// Returns the well-known name for MPRIS clients.
  static func mpris(_ instance: InstanceName) throws(DBusError) -> BusName {
    try BusName(MPRISService.busNamePrefix + player + instance.suffix)
  }
}
