extension DBusConnection {
  /// Exports an object with these interfaces; `state` is read once for each request.
  ///
  /// The object also gets Properties, Introspectable and Peer. `state` runs on the loop's thread and must not block.
  /// This call also records the first state with which ``publish(_:showing:to:)`` compares.
  /// - Returns: The object, for ``publish(_:showing:to:)``.
  /// - Throws: `ObjectPathInUse`; `Failed` if the value of a property contradicts the type in its row.
  @discardableResult
  public func export<State: Sendable>(
    at path: ObjectPath, _ interfaces: [DBusInterface<State>], state: @escaping @Sendable () -> State
  ) throws(DBusError) -> DBusExportedObject<State> {
    try objects.export(ServedObject(interfaces, state: state), at: path)
    return DBusExportedObject(path: path)
  }

  /// Removes an object from the bus; a path without an object is ignored.
  public func unexport(_ path: ObjectPath) { objects.unexport(path) }

  /// Publishes how an object has changed since the export or the last publish, with at most one signal per interface.
  ///
  /// `state` is the new state. PropertiesChanged contains only changed properties, and none that declares `.never` or
  /// `.constant`. An object that is no longer exported is ignored. The signal is a broadcast, or has one destination.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  public func publish<State: Sendable>(
    _ object: DBusExportedObject<State>, showing state: State, to destination: BusName? = nil
  ) {
    guard let served = try? objects.object(at: object.path) else { return }
    let signal = StandardMethod.propertiesChanged
    for arguments in served.takeChanges(to: state) {
      // Fails only if the connection is closed or the bus does not read; then no client can receive the signal.
      _ = try? transmit(
        .signal(at: object.path, of: .properties, signal.name, arguments, as: signal.arguments.signature),
        to: destination)
    }
  }

  /// Returns the present values of an exported object's interface, in the order of its rows.
  ///
  /// - Throws: The errors of GetAll.
  package func properties(of interface: InterfaceName, at path: ObjectPath) throws(DBusError) -> [(String, DBusValue)] {
    let object = try objects.object(at: path)
    let values = unsafe interface.rawValue.withCString { name in
      Result { () throws(DBusError) in try unsafe object.getAll(of: name) }
    }
    return try values.get().map { ($0.name, $0.value) }
  }

  /// Emits a signal of an exported object, as a broadcast or to one destination.
  ///
  /// - Throws: `UnknownObject`, `UnknownInterface`, or `UnknownMethod` for a signal that no row declares; `InvalidArgs`
  ///   for values whose types differ from the row; `NotSupported` for a file descriptor if the bus passes none;
  ///   `Disconnected`.
  public func emit(
    _ signal: MemberName, of interface: InterfaceName, at path: ObjectPath, _ values: [DBusValue],
    to destination: BusName? = nil
  ) throws(DBusError) {
    let row = try objects.object(at: path).signal(signal, of: interface)
    try transmit(.signal(at: path, of: interface, signal, values, as: row.arguments.signature), to: destination)
  }

  private func transmit(_ signal: consuming Message, to destination: BusName?) throws(DBusError) {
    if let destination { try transmit(signal.to(destination)) } else { try transmit(signal) }
  }
}

extension DBusConnection {
  /// Sends a reply that was deferred; the reply is dropped if the connection is closed.
  func answer(_ ticket: ReplyTicket, _ result: Result<[DBusValue], DBusError>) {
    guard let link, ticket.expectsReply, let message = ticket.message(result), link.send(message) == 0,
      let refusal = ticket.message(.failure(.descriptorRefused))
    else { return }
    link.send(refusal)
  }
}
