/// A signal that arrived.
public struct SignalMessage: Sendable {
  /// The unique name of the sender, or the bus itself.
  public let sender: BusName
  /// The object that sent it.
  public let path: ObjectPath
  /// The interface of the signal.
  public let interface: InterfaceName
  /// The signal's name.
  public let member: MemberName
  /// The values, of whatever types the sender chose.
  public let arguments: [Value]
}

extension SignalMessage {
  /// The owner of a name after a change that ``Connection/ownerChanges(of:)`` reports; nil when there is none.
  public var newOwner: BusName? { arguments.last?.asString.flatMap { try? BusName($0) } }

  /// The interface and the new values of a PropertiesChanged; nil for another signal.
  ///
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  public var changedProperties: (interface: String, values: [String: Value])? {
    guard interface == .properties, member == StandardMethod.propertiesChanged.name, arguments.count == 3,
      let interface = arguments[0].asString, let values = arguments[1].asDictionary
    else { return nil }
    return (interface, values)
  }
}
