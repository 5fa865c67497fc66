public import DBus

/// A D-Bus call with invalid or extreme arguments.
public struct HostileCall: Sendable, CustomStringConvertible {
  /// Whether the arguments do not match the method, so that only an error is a valid reply.
  public let isWrong: Bool
  /// The interface of the method.
  public let interface: InterfaceName
  /// The method.
  public let member: MemberName
  /// The arguments.
  public let arguments: [DBusValue]

  /// One line for a failure report.
  public var description: String {
    "\(interface).\(member)(\(arguments.map { "\($0.signature)" }.joined(separator: ", ")))"
  }

  /// Returns calls to every method and property of an object.
  ///
  /// The arguments are too few, too many, of wrong types, or of the right types with extreme values.
  ///
  /// - Parameters:
  ///   - object: The introspection of the object.
  ///   - destructive: Methods that must not be called with valid arguments.
  /// - Returns: The calls, in the order of the methods.
  public static func all(for object: Introspected, sparing destructive: Set<MemberName>) -> [HostileCall] {
    var calls: [HostileCall] = []
    for method in object.methods {
      func add(_ isWrong: Bool, _ arguments: [DBusValue]) {
        calls.append(
          HostileCall(isWrong: isWrong, interface: method.interface, member: method.name, arguments: arguments))
      }
      let decent = method.inputs.map { values(of: $0)[0] }
      add(true, decent + [.string("more")])
      if !decent.isEmpty { add(true, []) }
      for index in decent.indices {
        for other in [.structure([.byte(1)]), .array("v", []), .string(long), .uint16(7)] as [DBusValue]
        where other.signature != method.inputs[index] {
          var arguments = decent
          arguments[index] = other
          add(true, arguments)
        }
        guard !destructive.contains(method.name) else { continue }
        for value in values(of: method.inputs[index]) {
          var arguments = decent
          arguments[index] = value
          add(false, arguments)
        }
      }
    }
    return calls + object.properties.flatMap(sets) + strangers
  }

  /// Calls to members that do not exist.
  private static let strangers: [HostileCall] = [
    HostileCall(isWrong: true, interface: "no.such.Interface", member: "Play", arguments: []),
    HostileCall(isWrong: true, interface: "org.mpris.MediaPlayer2.Player", member: "NoSuchMethod", arguments: []),
    HostileCall(isWrong: true, interface: properties, member: "GetAll", arguments: [.string("no.such.Interface")]),
    HostileCall(isWrong: true, interface: properties, member: "GetAll", arguments: [.string(long)]),
    HostileCall(
      isWrong: true, interface: properties, member: "Get",
      arguments: [.string("org.mpris.MediaPlayer2"), .string(long)]),
    HostileCall(
      isWrong: true, interface: properties, member: "Set",
      arguments: [.string(long), .string(long), .variant(.string(long))]),
  ]

  private static func sets(_ property: Introspected.Property) -> [HostileCall] {
    let wrong: [DBusValue] = [.structure([.byte(1)]), .array("v", []), .strings([long]), deep]
    let edges = property.isWritable ? values(of: property.type) : [values(of: property.type)[0]]
    return (wrong.map { ($0, true) } + edges.map { ($0, !property.isWritable) }).filter { value, isWrong in
      !isWrong || !property.isWritable || value.signature != property.type
    }.map { value, isWrong in
      HostileCall(
        isWrong: isWrong, interface: properties, member: "Set",
        arguments: [.string(property.interface.rawValue), .string(property.name), .variant(value)])
    }
  }

  private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  /// A string of 1 MiB.
  private static let long = String(repeating: "ä", count: 1 << 19)
  private static let deep = (0..<60).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }

  /// Returns values of a type, an ordinary one first.
  private static func values(of type: DBusSignature) -> [DBusValue] {
    switch type.rawValue {
    case "b": [.boolean(false), .boolean(true)]
    case "i": [.int32(0), .int32(.min), .int32(.max)]
    case "u": [.uint32(0), .uint32(.max)]
    case "x": [.int64(0), .int64(.min), .int64(.max), .int64(-1)]
    case "d": [.double(1), .double(.nan), .double(.infinity), .double(-1), .double(.greatestFiniteMagnitude)]
    case "s":
      [.string(""), .string(long), .string("file:///%00%ff%zz"), .string("http://[::"), .string("%s%n\u{FFFD}")]
    case "o": [.objectPath("/"), .objectPath("/org/playerd/track/18446744073709551615")]
    case "v": [.variant(.byte(1)), .variant(deep)]
    case "as":
      [
        .strings([]), .strings(Array(repeating: "file://\(TemporaryDirectory.missing)/x", count: 1_000)),
        .strings([long]),
      ]
    case "ao": [.objectPaths([]), .objectPaths(Array(repeating: "/a", count: 100_000))]
    case "ax": [.array("x", []), .array("x", [.int64(.min)]), .array("x", Array(repeating: .int64(1), count: 100_000))]
    case "ad":
      [.array("d", []), .array("d", [.double(.nan)]), .array("d", Array(repeating: .double(0.5), count: 100_000))]
    case "a{sv}": [.dictionary([]), .dictionary([(long, deep), ("start", .int64(.min)), ("volume", .double(.nan))])]
    default: [.structure([.byte(0)])]
    }
  }
}

/// Makes every hostile call to an object and checks each reply.
///
/// - Returns: One line for each wrong reply: a wrong call that succeeded, or an error without a message.
public func hostileAnswers(
  _ calls: [HostileCall], to name: BusName, _ path: ObjectPath, over client: DBusConnection
) async -> [String] {
  var faults: [String] = []
  for call in calls {
    do throws(DBusError) {
      _ = try await client.call(
        on: name, at: path, of: call.interface, call.member, call.arguments, timeout: .seconds(60))
      if call.isWrong { faults.append("accepted: \(call)") }
    } catch {
      let isFromBus = error.name.hasSuffix(".ServiceUnknown") || error.name.hasSuffix(".NoReply")
      if isFromBus || error.message.isEmpty || error.message == error.name || error.message.utf8.count > 1_000 {
        faults.append("\(error.name), \(error.message.prefix(200)): \(call)")
      }
    }
  }
  return faults
}
