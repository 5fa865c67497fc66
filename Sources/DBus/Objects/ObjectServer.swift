import Glibc

/// Replies to method calls on the exported objects; maps messages to messages, without a connection.
struct ObjectServer {
  private var objects = NameTable<ServedObject>()

  mutating func export(_ object: ServedObject, at path: ObjectPath) throws(DBusError) {
    guard objects.insert(object, for: path.rawValue) else {
      throw .objectPathInUse("an object is already exported at \(path)")
    }
  }

  mutating func unexport(_ path: ObjectPath) { objects.remove(path.rawValue) }

  func object(at path: ObjectPath) throws(DBusError) -> ServedObject {
    guard let object = unsafe objects[path.rawValue] else { throw .unknownObject("no object at \(path)") }
    return object
  }

  /// Handles a call and returns the reply; nil if the caller requested no reply or the reply is deferred.
  ///
  /// `later` returns the function that sends a deferred reply.
  func reply(to call: borrowing Message, later: (ReplyTicket) -> DBusMethod.Reply = { _ in { _ in } }) -> Message? {
    let reply: Message?
    do { reply = try answer(call, later) } catch { reply = call.reply(error) }
    guard call.expectsReply else { return nil }
    return reply
  }

  private func answer(
    _ call: borrowing Message, _ later: (ReplyTicket) -> DBusMethod.Reply
  ) throws(DBusError) -> Message? {
    guard let path = unsafe call.path, let member = unsafe call.member else {
      throw .invalidArguments("a method call without path or member")
    }
    let object = unsafe objects[path]
    if let method = try unsafe standardMethod(member, of: call.interface, on: object) {
      return try unsafe answer(call, method, path, object, later)
    }
    guard let object else { throw unsafe noObject(path) }
    let method = try unsafe object.method(member, of: call.interface)
    switch method.handling {
    case .atOnce(let handler):
      let values = try handler(checkedCall(call, method))
      do {
        return try call.reply(values, as: method.declaration.output.signature)
      } catch {
        throw .failed("method \(method.name): \(error.message)")
      }
    case .later(let handler):
      let request = try checkedCall(call, method)
      try handler(request, later(ReplyTicket(to: request, call, method)))
      return nil
    }
  }

  /// Returns the standard method for a call; a call without an interface prefers the object's own method.
  private func standardMethod(
    _ member: CString, of interface: CString?, on object: ServedObject?
  ) throws(DBusError) -> StandardMethod? {
    let method = unsafe StandardMethod.byName[member]
    guard let interface = unsafe interface else {
      return try unsafe object?.findMethod(member, of: nil) == nil ? method : nil
    }
    if let method, unsafe method.interface.rawValue.withCString({ unsafe strcmp(interface, $0) }) == 0 { return method }
    guard unsafe StandardMethod.isStandard(interface) else { return nil }
    throw .unknownMethod(
      unsafe "no method \(quoted(String(cString: member))) on interface \(String(cString: interface))")
  }

  private func answer(
    _ call: borrowing Message, _ method: StandardMethod, _ path: CString, _ object: ServedObject?,
    _ later: (ReplyTicket) -> DBusMethod.Reply
  ) throws(DBusError) -> Message? {
    try check(call, method.row)
    switch method.kind {
    case .ping: return try call.reply()
    case .machineID: return try call.reply([.string(machineID())], as: .string)
    case .introspect: return try call.reply([.string(unsafe introspection(of: object, at: path))], as: .string)
    case .get:
      let (interface, property) = try unsafe names(call)
      let found = try unsafe served(object, path).get(property, of: interface)
      return try call.reply { $0.append(variant: found.value, of: found.type) }
    case .getAll:
      let (interface, _) = try unsafe names(call)
      let properties = try unsafe served(object, path).getAll(of: interface)
      return try call.reply { $0.append(dictionary: properties) }
    case .set:
      let (interface, property) = try unsafe names(call)
      let request = try checkedCall(call, method.row)
      guard case .variant(let value)? = request.arguments.last else { throw .invalidArguments("no value to set") }
      let isLate = try unsafe served(object, path).set(
        property, of: interface, to: value, by: request, later(ReplyTicket(to: request, call, method.row)))
      return isLate ? nil : try call.reply()
    }
  }

  private func served(_ object: ServedObject?, _ path: CString) throws(DBusError) -> ServedObject {
    guard let object else { throw unsafe noObject(path) }
    return object
  }

  /// Reads the interface and the property name; GetAll is called without a property name.
  private func names(_ call: borrowing Message) throws(DBusError) -> (interface: CString, property: CString) {
    var arguments = MessageReader(call)
    guard let interface = unsafe arguments.nextString() else { throw .invalidArguments("no interface name") }
    return unsafe (interface, arguments.nextString() ?? interface)
  }

  private func check(_ call: borrowing Message, _ method: DBusMethod) throws(DBusError) {
    guard !call.hasSignature(method.declaration.input.signature) else { return }
    throw .invalidArguments(
      "method \(method.name) takes '\(method.declaration.input.signature)', not '\(call.signature)'")
  }

  private func checkedCall(_ call: borrowing Message, _ method: DBusMethod) throws(DBusError) -> DBusCall {
    try check(call, method)
    return DBusCall(
      sender: unsafe BusName(unchecked: call.sender.map { unsafe String(cString: $0) } ?? ""),
      member: method.name, arguments: try call.values(), expectsReply: call.expectsReply)
  }

  private func noObject(_ path: CString) -> DBusError {
    .unknownObject("no object at \(unsafe quoted(String(cString: path)))")
  }
}

extension ObjectServer {
  /// Returns the document of an object, or of a path above exported objects.
  private func introspection(of object: ServedObject?, at path: CString) throws(DBusError) -> String {
    let text = unsafe String(cString: path)
    let children = children(of: text)
    guard object != nil || !children.isEmpty || text == "/" else { throw unsafe noObject(path) }
    let shapes = object.map { StandardMethod.shapesOfObjects + $0.shapes } ?? StandardMethod.shapesOfParents
    return DBusIntrospection.xml(path: ObjectPath(unchecked: text), shapes: shapes, children: children)
  }

  /// Returns the next path element of every object below a path.
  ///
  /// The names are ordered, so equal elements are adjacent.
  private func children(of path: String) -> [String] {
    let prefix = path == "/" ? path : path + "/"
    var children: [String] = []
    for name in objects.names where name.hasPrefix(prefix) && name != prefix {
      let child = String(name.dropFirst(prefix.count).prefix { $0 != "/" })
      if children.last != child { children.append(child) }
    }
    return children
  }
}
