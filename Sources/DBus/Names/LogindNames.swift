// The names of systemd-logind, for the programs that follow the suspension of the machine.

extension BusName {
  /// The login manager.
  package static let logind: BusName = "org.freedesktop.login1"
}

extension ObjectPath {
  /// The login manager.
  package static let logind: ObjectPath = "/org/freedesktop/login1"
}

extension InterfaceName {
  /// The interface of the login manager.
  package static let loginManager: InterfaceName = "org.freedesktop.login1.Manager"
}
