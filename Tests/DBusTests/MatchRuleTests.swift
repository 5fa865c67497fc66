import Synchronization
import TestSupport
import Testing

@testable import DBus

/// Tests of the rules that select signals.
@Suite("Match rules") struct MatchRuleTests {
  @Test(
    "A rule has the syntax of the specification",
    arguments: [
      (DBusMatchRule(), "type='signal'"),
      (
        DBusMatchRule(sender: "org.example.A", path: "/a", interface: "org.example.B", member: "C"),
        "type='signal',interface='org.example.B',sender='org.example.A',path='/a',member='C'"
      ),
      (DBusMatchRule(pathNamespace: "/a/b"), "type='signal',path_namespace='/a/b'"),
      (DBusMatchRule(firstArgument: "it's"), "type='signal',arg0='it'\\''s'"),
      (DBusMatchRule(firstArgument: "x'\u{301},sender='a"), "type='signal',arg0='x'\\''\u{301},sender='\\''a'"),
      (DBusMatchRule(firstArgument: "a\0b"), "type='signal',arg0='a'"),
      (DBusMatchRule(firstArgumentNamespace: "org.example"), "type='signal',arg0namespace='org.example'"),
    ])
  func text(_ rule: DBusMatchRule, _ text: String) {
    #expect(rule.text == text)
  }

  private static func signal(_ path: ObjectPath, _ argument: String) -> DBusSignalMessage {
    DBusSignalMessage(sender: ":1.1", path: path, interface: .lamp, member: "Flickered", arguments: [.string(argument)])
  }

  @Test(
    "A namespace contains the name itself and the names below it",
    arguments: [
      (DBusMatchRule(pathNamespace: "/a"), "/a", "", true), (DBusMatchRule(pathNamespace: "/a"), "/a/b", "", true),
      (DBusMatchRule(pathNamespace: "/a"), "/ab", "", false), (DBusMatchRule(pathNamespace: "/"), "/a", "", true),
      (DBusMatchRule(firstArgumentNamespace: "a.b"), "/", "a.b", true),
      (DBusMatchRule(firstArgumentNamespace: "a.b"), "/", "a.b.c", true),
      (DBusMatchRule(firstArgumentNamespace: "a.b"), "/", "a.bc", false),
      (DBusMatchRule(firstArgument: "a"), "/", "a", true), (DBusMatchRule(firstArgument: "a"), "/", "a.b", false),
    ])
  func namespaces(_ rule: DBusMatchRule, _ path: ObjectPath, _ argument: String, _ matches: Bool) {
    #expect(rule.matches(Self.signal(path, argument)) == matches)
  }

  @Test("The bus accepts each part of a rule and sends only the matching signals")
  func live() async throws {
    try await LampTest.run { test in
      try await test.service.export(at: "/org/example/Lamp/Bulb", test.interfaces) { test.lamp.withLock { $0 } }
      try await test.service.export(at: "/org/example/Lamps", test.interfaces) { test.lamp.withLock { $0 } }
      var below = try await test.client.signals(matching: DBusMatchRule(pathNamespace: .lamp, interface: .lamp))
        .makeAsyncIterator()
      for path: ObjectPath in ["/org/example/Lamps", "/org/example/Lamp/Bulb", .lamp] {
        try await test.service.emit("Flickered", of: .lamp, at: path, [.uint32(1), .string("")])
      }
      #expect(await below.next()?.path == "/org/example/Lamp/Bulb")
      #expect(await below.next()?.path == .lamp)
      let quoted = DBusMatchRule(interface: .properties, firstArgument: "it's")
      _ = try await test.client.signals(matching: quoted)
      let both = DBusMatchRule(path: .lamp, pathNamespace: .lamp)
      let error = await failure { _ = try await test.client.signals(matching: both) }
      #expect(error?.name == "org.freedesktop.DBus.Error.MatchRuleInvalid")
    }
  }
}
