import Synchronization
import TestSupport
import Testing

@testable import DBus

@Suite struct `Properties` {
  @Test func `Get returns each property with its type`() async throws {
    try await LampTest.run { test in
      let level = try await test.get("Level")
      #expect(level == .int64(5))
      #expect(try await test.get("Name") == .string("desk"))
      #expect(try await test.get("Hours") == .uint32(7))
      #expect(try await test.get("Tags") == .strings([]))
    }
  }

  @Test func `GetAll returns every property, whatever signals its changes`() async throws {
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

  @Test func `GetAll of an interface without properties is empty, of an unknown one an error`() async throws {
    try await LampTest.run { test in
      let reply = try await test.call("GetAll", [.string("org.example.Empty")], interface: .properties)
      #expect(reply == [.dictionary([])])
      let error = await failure {
        try await test.call("GetAll", [.string("org.example.Other")], interface: .properties)
      }
      #expect(error == .unknownInterface("no interface 'org.example.Other' on this object"))
    }
  }

  @Test func `an empty interface name stands for any`() async throws {
    try await LampTest.run { test in
      let reply = try await test.call("Get", [.string(""), .string("Name")], interface: .properties)
      #expect(reply == [.variant(.string("desk"))])
      let all = try await test.call("GetAll", [.string("")], interface: .properties)
      #expect(all.first?.asDictionary?.count == 6)
    }
  }

  @Test func `Set stores what the row accepts`() async throws {
    try await LampTest.run { test in
      try await test.set("Level", .int64(8))
      try await test.set("Name", .string("hall"))
      #expect(test.lamp.withLock { $0.level } == 8)
      #expect(try await test.get("Name") == .string("hall"))
    }
  }

  @Test(arguments: [Value.byte(9), .uint32(9), .double(9), .uint64(9), .int16(9)])
  func `Set takes a number of any type for a numeric property`(_ value: Value) async throws {
    try await LampTest.run { test in
      try await test.set("Level", value)
      #expect(try await test.get("Level") == .int64(9))
    }
  }

  @Test(arguments: [
    ("Level", Value.string("8"), "InvalidArgs"), ("Level", .double(8.5), "InvalidArgs"),
    ("Level", .uint64(.max), "InvalidArgs"), ("Level", .int64(-1), "InvalidArgs"), ("Name", .int32(1), "InvalidArgs"),
    ("Level", .variant(.int64(1)), "InvalidArgs"), ("Level", .boolean(true), "InvalidArgs"),
    ("Hours", .uint32(1), "PropertyReadOnly"), ("Nothing", .uint32(1), "UnknownProperty"),
  ])
  func `Set refuses anything else and changes nothing`(_ property: String, _ value: Value, _ error: String) async throws
  {
    try await LampTest.run { test in
      let failure = await failure { try await test.set(property, value) }
      #expect(failure?.name == "org.freedesktop.DBus.Error.\(error)")
      #expect(failure?.message.contains(" ") == true)
      #expect(test.lamp.withLock { $0.level } == 5)
      #expect(test.lamp.withLock { $0.name } == "desk")
    }
  }

  @Test func `a property that the interface lacks is unknown`() async throws {
    try await LampTest.run { test in
      let error = await failure { _ = try await test.get("Nothing") }
      #expect(error == .unknownProperty("no property 'Nothing' on interface 'org.example.Lamp'"))
    }
  }

  @Test func `a row whose value contradicts its type is found at export`() async throws {
    try await LampTest.run { test in
      let wrong = Interface<Void>("org.example.Wrong", properties: [Property("Size", "i") { _ in .string("big") }])
      let error = await failure {
        try await test.service.export(at: "/wrong", [wrong]) { () }
      }
      #expect(error?.message == "property Size: a value of type 's' where 'i' is expected")
    }
  }

  @Test func `a path is exported once, and again after it was taken back`() async throws {
    try await LampTest.run { test in
      let interface = Interface<Void>("org.example.Other")
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

@Suite struct `PropertiesChanged` {
  @Test func `publish tells all that has changed in one signal, and nothing else`() async throws {
    try await changes { test in
      await test.change {
        $0.level = 6
        $0.name = "hall"
      }
    } are: {
      [.changed([("Level", .int64(6)), ("Name", .string("hall"))])]
    }
  }

  @Test func `publish without a change tells nothing`() async throws {
    try await changes { test in
      await test.change { _ in }
      await test.change { $0.level = 5 }
    } are: {
      []
    }
  }

  @Test func `a property is told by name only when its row says so`() async throws {
    try await changes { test in
      await test.change { $0.tags = ["a"] }
    } are: {
      [.changed([], invalidated: ["Tags"])]
    }
  }

  @Test func `a property that never signals or is constant is left out`() async throws {
    try await changes { test in
      await test.change {
        $0.hours = 8
        $0.serial = "B2"
      }
    } are: {
      []
    }
  }

  @Test func `a row's own comparison decides when there is one`() async throws {
    try await changes { test in
      await test.change { $0.inventory = 3 }
      await test.change { $0.level = 1 }
    } are: {
      [.changed([("Inventory", .int32(3))]), .changed([("Level", .int64(1))])]
    }
  }

  @Test func `a handler may publish, before its reply`() async throws {
    try await changes { test in
      try await test.call("Brighten")
    } are: {
      [.changed([("Level", .int64(6))])]
    }
  }

  /// What PropertiesChanged has said when `body` is over.
  private func changes(
    _ body: @escaping @Sendable (LampTest) async throws -> Void, are expected: @escaping @Sendable () -> [[Value]]
  ) async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(from: test.service.uniqueName, interface: .properties)
      try await body(test)
      // The barrier: what was sent before this signal has arrived before it.
      await test.change { $0.name = "last" }
      var received: [[Value]] = []
      for await signal in stream {
        #expect(signal.member == "PropertiesChanged" && signal.path == .lamp)
        if signal.arguments == [Value].changed([("Name", .string("last"))]) { break }
        received.append(signal.arguments)
      }
      #expect(received == expected())
    }
  }
}

extension [Value] {
  fileprivate static func changed(_ entries: [(String, Value)], invalidated: [String] = []) -> [Value] {
    [.string("org.example.Lamp"), .dictionary(entries), .strings(invalidated)]
  }
}
