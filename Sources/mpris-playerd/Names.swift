import DBus
import Glibc

/// The names under which the daemon is known; each stands here once.
enum Names {
  static let executable = "mpris-playerd"
  static let objectPath: ObjectPath = "/org/playerd"
  static let controlInterface: InterfaceName = "org.playerd.Control1"
  static let monitorInterface: InterfaceName = "org.playerd.Monitor1"
  static let mprisPath: ObjectPath = "/org/mpris/MediaPlayer2"
  static let playerInterface: InterfaceName = "org.mpris.MediaPlayer2.Player"

  /// The daemon's own well-known name; a separate instance has its process number behind it.
  static func own(separate: Bool) throws(DBusError) -> BusName { try BusName("org.playerd" + suffix(separate)) }

  /// The name under which MPRIS clients find it.
  static func mpris(separate: Bool) throws(DBusError) -> BusName {
    try BusName("org.mpris.MediaPlayer2.playerd" + suffix(separate))
  }

  private static func suffix(_ separate: Bool) -> String { separate ? ".instance\(getpid())" : "" }
}
