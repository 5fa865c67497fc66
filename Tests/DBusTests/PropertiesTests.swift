import Synchronization
import TestSupport
import Testing

@testable import DBus

@Suite("Properties")
struct PropertyTests {
  @Test("Get returns each property with its type")
  func get() async throws {
    try await LampTest.run { test in
      let level = try await test.get("Level")
      #expect(level == .int64(5))
      #expect(try await test.get("Name") == .string("desk"))
      #expect(try await test.get("Hours") == .uint32(7))
      #expect(try await test.get("Tags") == .strings([]))
    }
  }

  @Test("GetAll returns every property, whether its changes are signalled or not")
  func getAll() async throws {
    try await LampTest.run { test in
      let reply = try await test.call("GetAll", [.string("org.example.Lamp")], interface: .properties)
      #expect(
        reply == [
          .dictionary([
            ("Level", .int64(5)), ("Name", .string("desk")), ("Hours", .uint32(7)), ("Serial", .string("A1")),
            ("Tags", .strings([])), ("Inventory", .int32(0)),
          ])
        ])
    }
  }

  @Test("GetAll of an interface without properties is empty, and of an unknown interface an error")
  func getAllWithoutProperties() async throws {
    try await LampTest.run { test in
      let reply = try await test.call("GetAll", [.string("org.example.Empty")], interface: .properties)
      #expect(reply == [.dictionary([])])
      let error = await failure {
        try await test.call("GetAll", [.string("org.example.Other")], interface: .properties)
      }
      #expect(error == .unknownInterface("no interface 'org.example.Other' on this object"))
    }
  }

  @Test("An empty interface name matches any interface")
  func emptyInterfaceName() async throws {
    try await LampTest.run { test in
      let reply = try await test.call("Get", [.string(""), .string("Name")], interface: .properties)
      #expect(reply == [.variant(.string("desk"))])
      let all = try await test.call("GetAll", [.string("")], interface: .properties)
      #expect(all.first?.asDictionary?.count == 6)
    }
  }

  @Test("The properties of all interfaces together fit into one message, or GetAll is an error")
  func largeTotal() throws {
    let text = DBusValue.string(String(repeating: "x", count: 40 << 20))
    let names: [InterfaceName] = ["org.example.One", "org.example.Two"]
    let interfaces = names.map { name in
      DBusInterface<Int>(name, properties: [DBusProperty("Text", "s") { _ in text }])
    }
    let object = try ServedObject(interfaces) { 0 }
    let properties = try unsafe "org.example.One".withCString { name in try unsafe object.getAll(of: name) }
    #expect(properties.count == 1)
    let error = #expect(throws: DBusError.self) {
      _ = try unsafe "".withCString { name in try unsafe object.getAll(of: name) }
    }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test("Set stores an accepted value")
  func set() async throws {
    try await LampTest.run { test in
      try await test.set("Level", .int64(8))
      try await test.set("Name", .string("hall"))
      #expect(test.lamp.withLock { $0.level } == 8)
      #expect(try await test.get("Name") == .string("hall"))
    }
  }

  @Test(
    "Set accepts a number of any type for a numeric property",
    arguments: [DBusValue.byte(9), .uint32(9), .double(9), .uint64(9), .int16(9)])
  func setNumber(_ value: DBusValue) async throws {
    try await LampTest.run { test in
      try await test.set("Level", value)
      #expect(try await test.get("Level") == .int64(9))
    }
  }

  @Test(
    "Set rejects any other value and changes nothing",
    arguments: [
      ("Level", DBusValue.string("8"), "InvalidArgs"), ("Level", .double(8.5), "InvalidArgs"),
      ("Level", .uint64(.max), "InvalidArgs"), ("Level", .int64(-1), "InvalidArgs"), ("Name", .int32(1), "InvalidArgs"),
      ("Level", .variant(.int64(1)), "InvalidArgs"), ("Level", .boolean(true), "InvalidArgs"),
      ("Hours", .uint32(1), "PropertyReadOnly"), ("Nothing", .uint32(1), "UnknownProperty"),
    ])
  func setInvalid(_ property: String, _ value: DBusValue, _ error: String) async throws {
    try await LampTest.run { test in
      let failure = await failure { try await test.set(property, value) }
      #expect(failure?.name == "org.freedesktop.DBus.Error.\(error)")
      #expect(failure?.message.contains(" ") == true)
      #expect(test.lamp.withLock { $0.level } == 5)
      #expect(test.lamp.withLock { $0.name } == "desk")
    }
  }

  @Test("A property that the interface lacks is unknown")
  func unknownProperty() async throws {
    try await LampTest.run { test in
      let error = await failure { _ = try await test.get("Nothing") }
      #expect(error == .unknownProperty("no property 'Nothing' on interface 'org.example.Lamp'"))
    }
  }

  @Test("A property whose value contradicts its declared type is detected on export")
  func wrongDeclaration() async throws {
    try await LampTest.run { test in
      let wrong = DBusInterface<Void>(
        "org.example.Wrong", properties: [DBusProperty("Size", "i") { _ in .string("big") }])
      let error = await failure {
        try await test.service.export(at: "/wrong", [wrong]) { () }
      }
      #expect(error?.message == "property Size: a value of type 's' where 'i' is expected")
    }
  }

  @Test("A path is exported once, and again after it has been unexported")
  func exportOnce() async throws {
    try await LampTest.run { test in
      let interface = DBusInterface<Void>("org.example.Other")
      let error = await failure {
        try await test.service.export(at: .lamp, [interface]) { () }
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.ObjectPathInUse")
      await test.service.unexport(.lamp)
      #expect(
        await failure { _ = try await test.get("Name") }?.name.hasSuffix("Object") == true)
      try await test.service.export(at: .lamp, [interface]) { () }
    }
  }
}

@Suite("PropertiesChanged")
struct PropertiesChangedTests {
  @Test("Publishing emits all changes in one signal, and no unchanged property")
  func publish() async throws {
    try await changes { test in
      await test.change {
        $0.level = 6
        $0.name = "hall"
      }
    } are: {
      [.changed([("Level", .int64(6)), ("Name", .string("hall"))])]
    }
  }

  @Test("Publishing without a change emits nothing")
  func unchanged() async throws {
    try await changes { test in
      await test.change { _ in }
      await test.change { $0.level = 5 }
    } are: {
      []
    }
  }

  @Test("A property is invalidated instead of sent only if it is declared so")
  func invalidated() async throws {
    try await changes { test in
      await test.change { $0.tags = ["a"] }
    } are: {
      [.changed([], invalidated: ["Tags"])]
    }
  }

  @Test("A property that is constant or never signalled is omitted")
  func omitted() async throws {
    try await changes { test in
      await test.change {
        $0.hours = 8
        $0.serial = "B2"
      }
    } are: {
      []
    }
  }

  @Test("A custom comparison of a property decides whether it has changed")
  func customComparison() async throws {
    try await changes { test in
      await test.change { $0.inventory = 3 }
      await test.change { $0.level = 1 }
    } are: {
      [.changed([("Inventory", .int32(3))]), .changed([("Level", .int64(1))])]
    }
  }

  @Test("A handler may publish before its reply")
  func publishInHandler() async throws {
    try await changes { test in
      try await test.call("Brighten")
    } are: {
      [.changed([("Level", .int64(6))])]
    }
  }

  /// Expects the PropertiesChanged signals that `body` causes.
  private func changes(
    _ body: @escaping @Sendable (LampTest) async throws -> Void, are expected: @escaping @Sendable () -> [[DBusValue]]
  ) async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(from: test.service.uniqueName, interface: .properties)
      try await body(test)
      // The barrier: all signals sent earlier arrive before this signal.
      await test.change { $0.name = "last" }
      var received: [[DBusValue]] = []
      for await signal in stream {
        #expect(signal.member == "PropertiesChanged" && signal.path == .lamp)
        if signal.arguments == [DBusValue].changed([("Name", .string("last"))]) { break }
        received.append(signal.arguments)
      }
      #expect(received == expected())
    }
  }
}

extension [DBusValue] {
  fileprivate static func changed(_ entries: [(String, DBusValue)], invalidated: [String] = []) -> [DBusValue] {
    [.string("org.example.Lamp"), .dictionary(entries), .strings(invalidated)]
  }
}
