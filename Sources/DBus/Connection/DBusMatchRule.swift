/// A rule that selects signals; a part that is nil matches every signal.
///
/// The bus applies the rule, so a program receives only the signals that match.
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-routing-match-rules>
public struct DBusMatchRule: Hashable, Sendable {
  /// The sender; a rule with a well-known name follows the owner of the name.
  public var sender: BusName?
  /// The path of the object.
  public var path: ObjectPath?
  /// The path of the object or of an object above it; not together with ``path``.
  public var pathNamespace: ObjectPath?
  /// The interface of the signal.
  public var interface: InterfaceName?
  /// The signal's name.
  public var member: MemberName?
  /// The first argument, a string.
  public var firstArgument: String?
  /// The first argument, a bus or interface name: this name, or one that begins with it and a dot.
  public var firstArgumentNamespace: BusName?

  /// Creates a rule from its parts.
  public init(
    sender: BusName? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil, interface: InterfaceName? = nil,
    member: MemberName? = nil, firstArgument: String? = nil, firstArgumentNamespace: BusName? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
    self.firstArgumentNamespace = firstArgumentNamespace
  }

  /// The rule in the syntax of AddMatch.
  var text: String {
    [
      "type='signal'", interface.map { "interface='\($0)'" },
      sender.map { "sender='\($0)'" }, path.map { "path='\($0)'" }, pathNamespace.map { "path_namespace='\($0)'" },
      member.map { "member='\($0)'" }, firstArgument.map { "arg0='\(Self.escaped($0))'" },
      firstArgumentNamespace.map { "arg0namespace='\($0)'" },
    ].compactMap { $0 }.joined(separator: ",")
  }

  /// Escapes apostrophes, and ends the text at a NUL, which no argument contains.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.prefix { $0 != "\0" }.map { $0 == "'" ? "'\\''" : String($0) }.joined()
  }

  /// Whether a signal matches everything except the sender.
  func matches(_ signal: DBusSignalMessage) -> Bool {
    let first = signal.arguments.first?.asString
    return interface.map { $0 == signal.interface } ?? true && member.map { $0 == signal.member } ?? true
      && path.map { $0 == signal.path } ?? true
      && pathNamespace.map { "\(signal.path)/".hasPrefix($0 == "/" ? "/" : "\($0)/") } ?? true
      && firstArgument.map { $0 == first } ?? true
      && firstArgumentNamespace.map { "\(first ?? "").".hasPrefix("\($0).") } ?? true
  }

  /// The rule for changes of the sender's owner; nil without a sender and for the bus itself.
  var ownerRule: DBusMatchRule? { sender.flatMap { $0 == .bus ? nil : .ownerChanges(of: $0) } }

  static func ownerChanges(of name: BusName) -> DBusMatchRule {
    DBusMatchRule(sender: .bus, interface: .bus, member: ownerChanged, firstArgument: name.rawValue)
  }

  static let ownerChanged: MemberName = "NameOwnerChanged"
}
