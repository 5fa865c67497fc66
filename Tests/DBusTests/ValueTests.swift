import Testing

@testable import DBus

@Suite("Values")
struct ValueTests {
  @Test(
    "A value has the matching signature",
    arguments: [
      (DBusValue.byte(1), "y"), (.boolean(true), "b"), (.int16(-1), "n"), (.uint16(1), "q"), (.int32(-1), "i"),
      (.uint32(1), "u"), (.int64(-1), "x"), (.uint64(1), "t"), (.double(0.5), "d"), (.string("a"), "s"),
      (.objectPath("/"), "o"), (.signature("as"), "g"), (.array("ai", []), "aai"), (.variant(.byte(1)), "v"),
      (.structure([.byte(1), .structure([.string("")])]), "(y(s))"), (.dictionary([]), "a{sv}"),
      (.array("{ix}", [.dictionaryEntry(.int32(1), .int64(2))]), "a{ix}"), (.strings([]), "as"),
      (.objectPaths([]), "ao"),
    ])
  func signature(_ value: DBusValue, _ signature: String) {
    #expect(value.signature.rawValue == signature)
  }

  @Test("An accessor returns nil for another type")
  func otherType() {
    #expect(DBusValue.objectPath("/").asString == nil)
    #expect(DBusValue.string("/").asObjectPath == nil)
    #expect(DBusValue.int32(1).asBool == nil)
    #expect(DBusValue.boolean(true).asInt64 == nil)
    #expect(DBusValue.objectPaths([]).asStrings == nil)
    #expect(DBusValue.string("1").asDouble == nil)
    #expect(DBusValue.strings([]).asDictionary == nil)
  }

  @Test("A dictionary unwraps its variants and keeps the last of equal keys")
  func dictionary() {
    let value = DBusValue.dictionary([("a", .int32(1)), ("b", .string("x")), ("a", .int32(2))])
    #expect(value.asDictionary == ["a": .int32(2), "b": .string("x")])
  }

  @Test(
    "An integer is read from any integral number",
    arguments: [
      (.byte(255), 255), (.uint64(1 << 62), 1 << 62), (.uint64(.max), nil), (.double(3), 3), (.double(3.5), nil),
      (.double(.nan), nil), (.double(.infinity), nil), (.double(1e300), nil), (.int16(-5), -5),
    ] as [(DBusValue, Int64?)])
  func integer(_ value: DBusValue, _ expected: Int64?) {
    #expect(value.asInt64 == expected)
  }

  @Test(
    "A number is converted to another numeric type only if it fits",
    arguments: [
      (.int32(1), "d", .double(1)), (.double(2), "x", .int64(2)), (.double(2.5), "x", nil),
      (.int64(256), "y", nil), (.int64(-1), "u", nil), (.uint64(.max), "t", .uint64(.max)), (.double(-1), "t", nil),
      (.string("1"), "i", nil), (.boolean(true), "i", nil), (.int32(1), "b", nil), (.byte(7), "q", .uint16(7)),
    ] as [(DBusValue, String, DBusValue?)])
  func conversion(_ value: DBusValue, _ type: String, _ expected: DBusValue?) {
    #expect(value.number(as: DBusSignature(unchecked: type)) == expected)
  }

  @Test(
    "A malformed value is rejected before it reaches libdbus",
    arguments: [
      DBusValue.structure([]), .array("s", [.int32(1)]), .dictionaryEntry(.string("a"), .string("b")),
      .structure([.array(DBusSignature(unchecked: "ss"), [])]), .structure([.dictionaryEntry(.byte(1), .byte(2))]),
      .array("{sv}", [.dictionaryEntry(.string("a"), .variant(.dictionaryEntry(.byte(1), .byte(2))))]),
      .array(DBusSignature(unchecked: ""), []), .signature("{sv}"), .variant(.structure([])),
      .variant(.dictionaryEntry(.string("a"), .string("b"))),
      .array("{sv}", [.dictionaryEntry(.string("a"), .string("b"))]), .array(DBusSignature(unchecked: "ss"), []),
      .array("v", [.variant(.variant(.array("s", [.byte(1)])))]), .array("{vs}".unchecked, []),
    ])
  func malformed(_ value: DBusValue) {
    #expect(throws: DBusError.self) { try DBusValue.check([value]) }
  }

  @Test("A message contains at most 64 levels of nesting")
  func nesting() throws {
    func nested(_ levels: Int) -> DBusValue { (0..<levels).reduce(.byte(1)) { value, _ in .variant(value) } }
    try DBusValue.check([nested(64)])
    let error = #expect(throws: DBusError.self) { try DBusValue.check([nested(65)]) }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test("A message that is too large is rejected")
  func tooLarge() {
    let large = DBusValue.string(String(repeating: "x", count: 40 << 20))
    let error = #expect(throws: DBusError.self) { try DBusValue.check([large, large]) }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test("Written values equal the values that are read")
  func roundTrip() throws {
    let values: [DBusValue] = [
      .byte(.max), .boolean(false), .boolean(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity), .string(""), .string("ä€😀"), .objectPath("/a/b"),
      .signature(""), .signature("a{s(ii)}"), .strings([]), .strings(["a", ""]), .objectPaths(["/"]),
      .array("a{sv}", []),
      .array("ai", [.array("i", []), .array("i", [.int32(1)])]), .structure([.byte(1), .variant(.strings([]))]),
      .dictionary([("b", .int32(1)), ("a", .dictionary([("x", .structure([.string("y")]))]))]), .dictionary([]),
      .array("{u(sx)}", [.dictionaryEntry(.uint32(1), .structure([.string("s"), .int64(2)]))]),
      .variant(.variant(.variant(.array("(id)", [.structure([.int32(1), .double(2)])])))),
    ]
    let message = try Message.signal(at: "/", of: "a.b", "C", values, as: DBusSignature(of: values))
    #expect(try message.values() == values)
  }

  @Test("A string is sent up to its first NUL")
  func nul() throws {
    let message = try Message.signal(at: "/", of: "a.b", "C", [.string("ab\0cd")], as: "s")
    #expect(try message.values() == [.string("ab")])
  }

  @Test("An array of many small values is rejected instead of exhausting the memory")
  func manyValues() throws {
    let bytes = DBusValue.array("y", Array(repeating: .byte(0), count: MessageReader.mostValues))
    let message = try Message.signal(at: "/", of: "a.b", "C", [bytes], as: "ay")
    let error = #expect(throws: DBusError.self) { try message.values() }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }
}

extension String {
  fileprivate var unchecked: DBusSignature { DBusSignature(unchecked: self) }
}
