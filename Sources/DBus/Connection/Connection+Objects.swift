extension Connection {
  /// Exports an object: its interfaces are answered from `state`, which is asked once for each question.
  ///
  /// Properties, Introspectable and Peer are added to it. `state` runs on the loop's thread and must not block; what
  /// ``publish(_:showing:)`` compares with is taken now.
  /// - Returns: The object, for ``publish(_:showing:)``.
  /// - Throws: `ObjectPathInUse`; `Failed` when a property's value contradicts its row.
  @discardableResult
  public func export<State: Sendable>(
    at path: ObjectPath, _ interfaces: [Interface<State>], state: @escaping @Sendable () -> State
  ) throws(DBusError) -> ExportedObject<State> {
    try objects.export(ServedObject(interfaces, state: state), at: path)
    return ExportedObject(path: path)
  }

  /// Takes an object from the bus; a path without object is left alone.
  public func unexport(_ path: ObjectPath) { objects.unexport(path) }

  /// Publishes the changes of an object since the export or the last publish, up to `state`: at most one signal for each
  /// interface.
  ///
  /// PropertiesChanged carries the changed properties only, and none of those that declare `.never` or `.constant`. An
  /// object that is no longer exported is ignored.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  public func publish<State: Sendable>(_ object: ExportedObject<State>, showing state: State) {
    guard let served = try? objects.object(at: object.path) else { return }
    let signal = StandardMethod.propertiesChanged
    for changes in served.takeChanges(to: state) {
      // Fails only when the connection is closed or the bus does not read: nobody would receive it then.
      _ = try? transmit(
        .signal(at: object.path, of: .properties, signal.name, changes.arguments, as: signal.arguments.signature))
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
    let message = try Message.signal(at: path, of: interface, signal, values, as: row.arguments.signature)
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
