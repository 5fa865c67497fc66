import DBus
import Testing

@Suite struct `Names` {
  @Test(arguments: ["/", "/a", "/org/mpris/MediaPlayer2", "/a_1/B"])
  func `an object path of the grammar is valid`(_ text: String) throws {
    #expect(try ObjectPath(text).rawValue == text)
  }

  @Test(arguments: ["", "a", "//", "/a/", "/a//b", "/a-b", "/ä", "/a\0b", "/a\0"])
  func `any other object path is refused with the text and the reason`(_ text: String) {
    let error = #expect(throws: DBusError.self) { try ObjectPath(text) }
    #expect(error?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(error?.message.contains("is not an object path") == true)
  }

  @Test(arguments: [":1.42", "org.example.Service", "a.b-c"])
  func `a bus name of the grammar is valid`(_ text: String) throws {
    #expect(try BusName(text).isUnique == text.hasPrefix(":"))
  }

  @Test(arguments: ["", "org", ".org.a", "org..a", "org.1a", "org.a\0b", String(repeating: "a.", count: 128) + "b"])
  func `any other bus name is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try BusName(text) }
  }

  @Test(arguments: ["org", "org.a-b", "org.a b", "", "1.a"])
  func `an interface name outside the grammar is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try InterfaceName(text) }
  }

  @Test(arguments: ["", "A.B", "1A", "A-B", "Ä", String(repeating: "a", count: 256)])
  func `a member name outside the grammar is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try MemberName(text) }
  }

  @Test(arguments: [
    ("", false), ("s", true), ("ss", false), ("a{sv}", true), ("(xxs)", true), ("aai", true), ("{sv}", false),
  ])
  func `a signature knows whether it is one complete type`(_ text: String, _ isSingle: Bool) throws {
    #expect(try Signature(text).isSingle == isSingle)
  }

  @Test(arguments: ["a", "()", "{vs}", "{sv", "a{vs}", "(s", "z", "s\0", String(repeating: "a", count: 33) + "s"])
  func `a signature outside the grammar is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try Signature(text) }
  }

  @Test func `an error quotes no more of a text than a line`() {
    let error = #expect(throws: DBusError.self) { try ObjectPath(String(repeating: "x", count: 1 << 20)) }
    #expect((error?.message.utf8.count ?? .max) < 300)
  }

  @Test func `an error never has an empty text`() {
    #expect(DBusError("org.example.Error", "").message == "org.example.Error")
    #expect(DBusError.failed("").message == "org.freedesktop.DBus.Error.Failed")
  }
}
