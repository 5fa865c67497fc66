import DBus
import Testing

@Suite("Names")
struct NameTests {
  @Test("An object path within the grammar is valid", arguments: ["/", "/a", "/org/mpris/MediaPlayer2", "/a_1/B"])
  func objectPath(_ text: String) throws {
    #expect(try ObjectPath(text).rawValue == text)
  }

  @Test(
    "Any other object path is rejected, with the text and the reason",
    arguments: ["", "a", "//", "/a/", "/a//b", "/a-b", "/ä", "/a\0b", "/a\0"])
  func invalidObjectPath(_ text: String) {
    let error = #expect(throws: DBusError.self) { try ObjectPath(text) }
    #expect(error?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(error?.message.contains("is not an object path") == true)
  }

  @Test("A bus name within the grammar is valid", arguments: [":1.42", "org.example.Service", "a.b-c"])
  func busName(_ text: String) throws {
    #expect(try BusName(text).isUnique == text.hasPrefix(":"))
  }

  @Test(
    "Any other bus name is rejected",
    arguments: ["", "org", ".org.a", "org..a", "org.1a", "org.a\0b", String(repeating: "a.", count: 128) + "b"])
  func invalidBusName(_ text: String) {
    #expect(throws: DBusError.self) { try BusName(text) }
  }

  @Test("An interface name outside the grammar is rejected", arguments: ["org", "org.a-b", "org.a b", "", "1.a"])
  func invalidInterfaceName(_ text: String) {
    #expect(throws: DBusError.self) { try InterfaceName(text) }
  }

  @Test(
    "A member name outside the grammar is rejected",
    arguments: ["", "A.B", "1A", "A-B", "Ä", String(repeating: "a", count: 256)])
  func invalidMemberName(_ text: String) {
    #expect(throws: DBusError.self) { try MemberName(text) }
  }

  @Test(
    "A signature reports whether it is one complete type",
    arguments: [
      ("", false), ("s", true), ("ss", false), ("a{sv}", true), ("(xxs)", true), ("aai", true), ("{sv}", false),
    ])
  func singleType(_ text: String, _ isSingle: Bool) throws {
    #expect(try DBusSignature(text).isSingle == isSingle)
  }

  @Test(
    "A signature outside the grammar is rejected",
    arguments: ["a", "()", "{vs}", "{sv", "a{vs}", "(s", "z", "s\0", String(repeating: "a", count: 33) + "s"])
  func invalidSignature(_ text: String) {
    #expect(throws: DBusError.self) { try DBusSignature(text) }
  }

  @Test("An error quotes at most one line of a text")
  func quoting() {
    let error = #expect(throws: DBusError.self) { try ObjectPath(String(repeating: "x", count: 1 << 20)) }
    #expect((error?.message.utf8.count ?? .max) < 300)
  }

  @Test("An error never has an empty text")
  func emptyText() {
    #expect(DBusError("org.example.Error", "").message == "org.example.Error")
    #expect(DBusError.failed("").message == "org.freedesktop.DBus.Error.Failed")
  }
}
