extension DBusMethod {
  /// Creates the row of a declared method from a function of Swift types.
  ///
  /// ```swift
  /// DBusMethod(add, calling: { (one: Int32, other: Int32) in Int64(one) + Int64(other) })
  /// ```
  /// The types must match the declaration; otherwise the program traps when the row is created.
  public init<each Input: DBusConvertible, each Output: DBusConvertible>(
    _ declaration: DBusMethodDeclaration,
    calling function: @escaping @Sendable (repeat each Input) throws(DBusError) -> (repeat each Output)
  ) {
    var (input, output) = ("", "")
    for type in repeat (each Input).self { input += type.dbusType.rawValue }
    for type in repeat (each Output).self { output += type.dbusType.rawValue }
    precondition(
      input == declaration.input.signature.rawValue && output == declaration.output.signature.rawValue,
      "method \(declaration.name): the function has the types '\(input)' → '\(output)'")
    self.init(declaration) { call throws(DBusError) in
      let arguments: (repeat each Input) = try ArgumentReader.read(call.arguments, of: call.member)
      let results: (repeat each Output) = try function(repeat each arguments)
      return ArgumentReader.values(repeat each results)
    }
  }
}
