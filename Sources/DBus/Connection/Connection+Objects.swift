extension Connection {
  /// Exports an object: its interfaces are answered from `state`, which is asked once for each question.
  ///
  /// Properties, Introspectable and Peer are added to it. `state` runs on the loop's thread and must not block; what
  /// ``publish(_:)`` compares with is taken now.
  /// - Throws: `ObjectPathInUse`; `Failed` when a property's value contradicts its row.
  public func export<State: Sendable>(
    at path: ObjectPath, _ interfaces: [Interface<State>], state: @escaping @Sendable () -> State
  ) throws(DBusError) {
    try objects.export(ServedObject(interfaces, state: state), at: path)
  }

  /// Takes an object from the bus; a path without object is left alone.
  public func unexport(_ path: ObjectPath) { objects.unexport(path) }

  /// Tells the world what has changed since the export or the last publish: at most one signal for each interface.
  ///
  /// PropertiesChanged carries the changed properties only, and none of those that declare `.never` or `.constant`.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  public func publish(_ path: ObjectPath) {
    guard let object = try? objects.object(at: path) else { return }
    for changes in object.takeChanges() {
      // Fails only when the connection is closed or the bus does not read: nobody would hear it then.
      let signal = StandardMethod.propertiesChanged
      _ = try? transmit(.signal(path, .properties, signal.name, changes.arguments, signal.arguments.signature))
    }
  }

  /// Emits a signal of an exported object, to everyone or to one destination.
  ///
  /// - Throws: `UnknownObject`, `UnknownInterface` or `UnknownMethod` for a signal that no row declares; `InvalidArgs`
  ///   for values of other types than the row's; `Disconnected`.
  public func emit(
    _ signal: MemberName, of interface: InterfaceName, at path: ObjectPath, _ values: [Value],
    to destination: BusName? = nil
  ) throws(DBusError) {
    let row = try objects.object(at: path).signal(signal, of: interface)
    let message = try Message.signal(path, interface, signal, values, row.arguments.signature)
    if let destination { try transmit(message.to(destination)) } else { try transmit(message) }
  }
}

extension Connection {
  /// Sends the reply of a call that was answered later; nobody waits for it any more when the connection is closed.
  func answer(_ ticket: ReplyTicket, _ result: Result<[Value], DBusError>) {
    guard let link, ticket.expectsReply, let message = ticket.message(result) else { return }
    link.send(message)
  }
}
