/// A received signal.
public struct DBusSignalMessage: Sendable {
  /// The unique name of the sender, or the bus itself.
  public let sender: BusName
  /// The path of the object that emitted the signal.
  public let path: ObjectPath
  /// The interface of the signal.
  public let interface: InterfaceName
  /// The signal's name.
  public let member: MemberName
  /// The arguments; their types are not checked.
  public let arguments: [DBusValue]
  /// The number of the message among those that the connection has received.
  package var arrival: UInt64 = 0
}

extension DBusSignalMessage {
  /// Reads a message; nil if its arguments cannot be read.
  init?(_ message: borrowing Message, arrival: UInt64) {
    guard let path = unsafe message.path, let interface = unsafe message.interface,
      let member = unsafe message.member, let sender = unsafe message.sender,
      let arguments = try? message.values()
    else { return nil }
    unsafe self.init(
      sender: BusName(unchecked: String(cString: sender)), path: ObjectPath(unchecked: String(cString: path)),
      interface: InterfaceName(unchecked: String(cString: interface)),
      member: MemberName(unchecked: String(cString: member)), arguments: arguments, arrival: arrival)
  }

  /// The owner of a name after a change that ``DBusConnection/ownerChanges(of:)`` reports; nil if there is none.
  public var newOwner: BusName? { arguments.last?.asString.flatMap { try? BusName($0) } }

  /// The name whose owner has changed; nil for another signal.
  var nameWithNewOwner: String? {
    sender == .bus && member == DBusMatchRule.ownerChanged ? arguments.first?.asString : nil
  }

  /// The content of a PropertiesChanged; nil for another signal.
  ///
  /// The properties in `invalidated` have changed, and the signal does not contain their values.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  public var changedProperties: (interface: String, values: [String: DBusValue], invalidated: [String])? {
    guard interface == .properties, member == StandardMethod.propertiesChanged.name, arguments.count == 3,
      let interface = arguments[0].asString, let values = arguments[1].asDictionary,
      let invalidated = arguments[2].asStrings
    else { return nil }
    return (interface, values, invalidated)
  }

  /// Reads the arguments as the types that the caller expects.
  ///
  /// ```swift
  /// let message: String = try signal.contents()
  /// ```
  /// - Throws: `InvalidArgs` if an argument is missing or has another type. A peer can send any arguments.
  public func contents<each Content: DBusConvertible>() throws(DBusError) -> (repeat each Content) {
    try ArgumentReader.read(arguments, of: member)
  }
}
