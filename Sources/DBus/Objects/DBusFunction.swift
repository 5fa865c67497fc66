/// A method declared with Swift types: its row, the call of its clients and the coding of its arguments follow.
///
/// ```swift
/// let add = DBusFunction<(Int32, Int32), Int64>("Add", in: ["one", "other"], out: ["sum"])
///
/// DBusMethod(add) { one, other in Int64(one) + Int64(other) }
/// let sum = try await calculator.call(add, 1, 2)
/// ```
package struct DBusFunction<Input, Output>: Sendable {
  package let declaration: DBusMethodDeclaration
  /// The longest wait of a client for the reply.
  let timeout: Duration
  let input: ArgumentCoding<Input>
  let output: ArgumentCoding<Output>

  /// Declares a method; each argument and result has a name and a type of `Input` or `Output`.
  package init<each Argument: DBusConvertible, each Result: DBusConvertible>(
    _ name: MemberName, in input: [String] = [], out output: [String] = [], timeout: Duration = .seconds(25)
  ) where Input == (repeat each Argument), Output == (repeat each Result) {
    (self.input, self.output, self.timeout) = (ArgumentCoding(input), ArgumentCoding(output), timeout)
    declaration = DBusMethodDeclaration(name, self.input.arguments, self.output.arguments)
  }
}

/// The names and the types of arguments, and their conversion.
struct ArgumentCoding<Contents>: Sendable {
  let arguments: ArgumentList
  let values: @Sendable (Contents) -> [DBusValue]
  let read: @Sendable ([DBusValue], _ member: MemberName) throws(DBusError) -> Contents

  init<each Argument: DBusConvertible>(_ names: [String]) where Contents == (repeat each Argument) {
    var types: [DBusSignature] = []
    for type in repeat (each Argument).self { types.append(type.dbusType) }
    precondition(names.count == types.count, "\(names) does not name \(types.count) arguments")
    arguments = ArgumentList(Array(zip(names, types)))
    values = { ArgumentReader.values(repeat each $0) }
    read = { values, member throws(DBusError) in try ArgumentReader.read(values, of: member) }
  }
}

extension DBusMethod {
  /// Creates the row of a declared method; the reply is sent when `handler` returns.
  package init<each Argument, Output>(
    _ function: DBusFunction<(repeat each Argument), Output>,
    _ handler: @escaping @Sendable (repeat each Argument) throws(DBusError) -> Output
  ) {
    self.init(function.declaration) { call throws(DBusError) in
      let arguments = try function.input.read(call.arguments, call.member)
      return function.output.values(try handler(repeat each arguments))
    }
  }

  /// Creates the row of a declared method whose calls are handled by a queue; the following calls do not wait for it.
  ///
  /// The arguments are one tuple, because the compiler (6.3) crashes on an asynchronous closure of a parameter pack.
  package init<Input: Sendable, Output>(
    _ function: DBusFunction<Input, Output>, on queue: DBusCallQueue,
    _ handler: @escaping @Sendable (_ arguments: Input) async throws(DBusError) -> Output
  ) {
    self.init(
      function.declaration,
      later: { call, reply throws(DBusError) in
        let arguments = try function.input.read(call.arguments, call.member)
        try queue.add {
          do throws(DBusError) {
            reply(.success(function.output.values(try await handler(arguments))))
          } catch {
            reply(.failure(error))
          }
        }
      })
  }

  /// Creates the row of a declared method whose result `handler` passes to `reply`, once and on any thread.
  package init<each Argument, Output>(
    _ function: DBusFunction<(repeat each Argument), Output>,
    later handler:
      @escaping @Sendable (_ reply: @escaping @Sendable (Output) -> Void, repeat each Argument) throws(DBusError) ->
      Void
  ) {
    self.init(
      function.declaration,
      later: { call, reply throws(DBusError) in
        let arguments = try function.input.read(call.arguments, call.member)
        try handler({ reply(.success(function.output.values($0))) }, repeat each arguments)
      })
  }
}
