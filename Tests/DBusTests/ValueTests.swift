import Testing

@testable import DBus

@Suite struct `Values` {
  @Test(arguments: [
    (Value.byte(1), "y"), (.boolean(true), "b"), (.int16(-1), "n"), (.uint16(1), "q"), (.int32(-1), "i"),
    (.uint32(1), "u"), (.int64(-1), "x"), (.uint64(1), "t"), (.double(0.5), "d"), (.string("a"), "s"),
    (.objectPath("/"), "o"), (.signature("as"), "g"), (.array("ai", []), "aai"), (.variant(.byte(1)), "v"),
    (.structure([.byte(1), .structure([.string("")])]), "(y(s))"), (.dictionary([]), "a{sv}"),
    (.array("{ix}", [.dictionaryEntry(.int32(1), .int64(2))]), "a{ix}"), (.strings([]), "as"), (.objectPaths([]), "ao"),
  ])
  func `a value knows its signature`(_ value: Value, _ signature: String) {
    #expect(value.signature.rawValue == signature)
  }

  @Test func `a reader is nil for another type`() {
    #expect(Value.objectPath("/").asString == nil)
    #expect(Value.string("/").asObjectPath == nil)
    #expect(Value.int32(1).asBool == nil)
    #expect(Value.boolean(true).asInt64 == nil)
    #expect(Value.objectPaths([]).asStrings == nil)
    #expect(Value.string("1").asDouble == nil)
    #expect(Value.strings([]).asDictionary == nil)
  }

  @Test func `a dictionary unwraps its variants and keeps the last of equal keys`() {
    let value = Value.dictionary([("a", .int32(1)), ("b", .string("x")), ("a", .int32(2))])
    #expect(value.asDictionary == ["a": .int32(2), "b": .string("x")])
  }

  @Test(
    arguments: [
      (.byte(255), 255), (.uint64(1 << 62), 1 << 62), (.uint64(.max), nil), (.double(3), 3), (.double(3.5), nil),
      (.double(.nan), nil), (.double(.infinity), nil), (.double(1e300), nil), (.int16(-5), -5),
    ] as [(Value, Int64?)])
  func `an integer is read from any number that is one`(_ value: Value, _ expected: Int64?) {
    #expect(value.asInt64 == expected)
  }

  @Test(
    arguments: [
      (.int32(1), "d", .double(1)), (.double(2), "x", .int64(2)), (.double(2.5), "x", nil),
      (.int64(256), "y", nil), (.int64(-1), "u", nil), (.uint64(.max), "t", .uint64(.max)), (.double(-1), "t", nil),
      (.string("1"), "i", nil), (.boolean(true), "i", nil), (.int32(1), "b", nil), (.byte(7), "q", .uint16(7)),
    ] as [(Value, String, Value?)])
  func `a number becomes another numeric type only when it fits`(_ value: Value, _ type: String, _ expected: Value?) {
    #expect(value.number(as: Signature(unchecked: type)) == expected)
  }

  @Test(arguments: [
    Value.structure([]), .array("s", [.int32(1)]), .dictionaryEntry(.string("a"), .string("b")),
    .structure([.array(Signature(unchecked: "ss"), [])]), .structure([.dictionaryEntry(.byte(1), .byte(2))]),
    .array("{sv}", [.dictionaryEntry(.string("a"), .variant(.dictionaryEntry(.byte(1), .byte(2))))]),
    .array(Signature(unchecked: ""), []), .signature("{sv}"), .variant(.structure([])),
    .variant(.dictionaryEntry(.string("a"), .string("b"))),
    .array("{sv}", [.dictionaryEntry(.string("a"), .string("b"))]), .array(Signature(unchecked: "ss"), []),
    .array("v", [.variant(.variant(.array("s", [.byte(1)])))]), .array("{vs}".unchecked, []),
  ])
  func `a value that is not well-formed is refused before libdbus sees it`(_ value: Value) {
    #expect(throws: DBusError.self) { try Value.check([value]) }
  }

  @Test func `a message carries 64 levels of nesting and no more`() throws {
    func nested(_ levels: Int) -> Value { (0..<levels).reduce(.byte(1)) { value, _ in .variant(value) } }
    _ = try Value.check([nested(64)])
    let error = #expect(throws: DBusError.self) { try Value.check([nested(65)]) }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test func `a message that is too large is refused`() {
    let large = Value.string(String(repeating: "x", count: 40 << 20))
    let error = #expect(throws: DBusError.self) { try Value.check([large, large]) }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test func `values that are written are the values that are read`() throws {
    let values: [Value] = [
      .byte(.max), .boolean(false), .boolean(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity), .string(""), .string("ä€😀"), .objectPath("/a/b"),
      .signature(""), .signature("a{s(ii)}"), .strings([]), .strings(["a", ""]), .objectPaths(["/"]),
      .array("a{sv}", []),
      .array("ai", [.array("i", []), .array("i", [.int32(1)])]), .structure([.byte(1), .variant(.strings([]))]),
      .dictionary([("b", .int32(1)), ("a", .dictionary([("x", .structure([.string("y")]))]))]), .dictionary([]),
      .array("{u(sx)}", [.dictionaryEntry(.uint32(1), .structure([.string("s"), .int64(2)]))]),
      .variant(.variant(.variant(.array("(id)", [.structure([.int32(1), .double(2)])])))),
    ]
    let message = try Message.signal(at: "/", of: "a.b", "C", values, as: Signature(of: values))
    #expect(try message.values() == values)
  }

  @Test func `a string is sent up to its first NUL`() throws {
    let message = try Message.signal(at: "/", of: "a.b", "C", [.string("ab\0cd")], as: "s")
    #expect(try message.values() == [.string("ab")])
  }

  @Test func `an array of many small values is refused instead of filling the memory`() throws {
    let bytes = Value.array("y", Array(repeating: .byte(0), count: MessageReader.mostValues))
    let message = try Message.signal(at: "/", of: "a.b", "C", [bytes], as: "ay")
    let error = #expect(throws: DBusError.self) { try message.values() }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }
}

extension String {
  fileprivate var unchecked: Signature { Signature(unchecked: self) }
}
