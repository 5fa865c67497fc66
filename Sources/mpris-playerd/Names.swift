import DBus

/// The names under which the daemon is known; each stands here once.
enum Names {
  static let executable = "mpris-playerd"
  static let objectPath: ObjectPath = "/org/playerd"
  static let controlInterface: InterfaceName = "org.playerd.Control1"
  static let monitorInterface: InterfaceName = "org.playerd.Monitor1"
  static let extrasInterface: InterfaceName = "org.playerd.Extras1"
  static let mprisInterface: InterfaceName = "org.mpris.MediaPlayer2"
  static let mprisPath: ObjectPath = "/org/mpris/MediaPlayer2"
  static let playerInterface: InterfaceName = "org.mpris.MediaPlayer2.Player"

  /// The daemon's own well-known name.
  static func own(_ instance: InstanceName) throws(DBusError) -> BusName {
    try BusName("org.playerd" + instance.suffix)
  }

  /// The name under which MPRIS clients find it.
  static func mpris(_ instance: InstanceName) throws(DBusError) -> BusName {
    try BusName("org.mpris.MediaPlayer2.playerd" + instance.suffix)
  }
}
