extension DBusConnection {
  /// Returns the objects of a service that implements ObjectManager: for each path the interfaces and their properties.
  ///
  /// `path` is the path of the object manager. To follow the changes, subscribe to the signals of
  /// ``InterfaceName/objectManager`` first.
  /// - Throws: `UnknownMethod` or `UnknownInterface` from a service without ObjectManager; the errors of a call.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-objectmanager>
  public func managedObjects(
    of name: BusName, at path: ObjectPath
  ) async throws(DBusError) -> [ObjectPath: [String: [String: DBusValue]]] {
    let method = DBusMethodDeclaration("GetManagedObjects", out: ["objects": "a{oa{sa{sv}}}"])
    return try await DBusProxy(.objectManager, at: path, of: name, on: self).call(method)
  }
}
