/// Reads declared arguments in order.
struct ArgumentReader {
  private var values: ArraySlice<DBusValue>

  init(_ values: [DBusValue]) { self.values = values[...] }

  /// Reads the next argument; nil if there is none or it has another type.
  mutating func next<Content: DBusConvertible>(_ type: Content.Type = Content.self) -> Content? {
    values.popFirst().flatMap { Content(dbusValue: $0) }
  }

  /// Reads all arguments.
  ///
  /// - Throws: `InvalidArgs` if an argument is missing or has another type.
  static func read<each Content: DBusConvertible>(
    _ values: [DBusValue], of member: MemberName
  ) throws(DBusError) -> (repeat each Content) {
    var reader = ArgumentReader(values)
    func next<One: DBusConvertible>(_ type: One.Type) throws(DBusError) -> One {
      guard let content = reader.next(type) else {
        throw .invalidArguments("\(member) has '\(DBusSignature(of: values))', which does not fit '\(type.dbusType)'")
      }
      return content
    }
    return (repeat try next((each Content).self))
  }

  /// Returns the values of arguments in order.
  static func values<each Content: DBusConvertible>(_ contents: repeat each Content) -> [DBusValue] {
    var values: [DBusValue] = []
    for content in repeat each contents { values.append(content.dbusValue) }
    return values
  }
}
