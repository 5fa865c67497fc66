/// Converts declared arguments.
enum ArgumentReader {
  /// Reads all arguments in order.
  ///
  /// - Throws: `InvalidArgs` if an argument is missing or has another type.
  static func read<each Content: DBusConvertible>(
    _ values: [DBusValue], of member: MemberName
  ) throws(DBusError) -> (repeat each Content) {
    var rest = values[...]
    func next<One: DBusConvertible>(_ type: One.Type) throws(DBusError) -> One {
      guard let content = rest.popFirst().flatMap({ One(dbusValue: $0) }) else {
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
