import EventLoop
import TestSupport
import Testing

@testable import DBus

/// Tests of declared properties that a client reads, sets and observes.
@Suite("Observed properties") struct ObservedPropertyTests {
  private static let name: BusName = "org.example.Lamps"
  private static let level = DBusPropertyDeclaration<Int64>("Level")
  private static let tags = DBusPropertyDeclaration<[String]>("Tags", changes: .invalidates)

  @Test("A property is read and set with its Swift type")
  func members() async throws {
    try await LampTest.run { test async throws in
      let lamp = DBusProxy(.lamp, at: .lamp, of: test.service.uniqueName, on: test.client)
      #expect(try await lamp.get(Self.level) == 5)
      try await lamp.set(Self.level, to: 9)
      #expect(try await lamp.getAll()[Self.level] == 9)
      let wrong = DBusPropertyDeclaration<Bool>("Level")
      #expect(await failure { _ = try await lamp.get(wrong) }?.message.contains("does not have type 'b'") == true)
      #expect(await failure { try await lamp.set(Self.level, to: -1) } == .invalidArguments("a level is not negative"))
    }
  }

  @Test("Changed and invalidated properties are observed with their values")
  func changes() async throws {
    try await LampTest.run { test in
      let lamp = DBusProxy(.lamp, at: .lamp, of: test.service.uniqueName, on: test.client)
      var levels = try await lamp.contents(of: Self.level).makeAsyncIterator()
      var tags = try await lamp.contents(of: Self.tags).makeAsyncIterator()
      #expect(await levels.next() == 5)
      #expect(await tags.next() == .some([]))
      await test.change { $0.level = 6 }
      #expect(await levels.next() == 6)
      await test.change { $0.tags = ["new"] }
      #expect(await tags.next() == ["new"])
      await test.service.close()
      #expect(await levels.next() == .some(nil))
      #expect(await levels.next() == .none)
    }
  }

  /// Exports a lamp on a further connection that then owns the name.
  private func serve(level: Int64, on bus: PrivateBus, _ loop: PollLoop) async throws -> DBusConnection {
    let connection = try await DBusConnection.open(address: bus.address, on: loop)
    let row = DBusProperty<Int64>(Self.level, get: { $0 })
    try await connection.export(at: .lamp, [DBusInterface(.lamp, properties: [row])]) { level }
    #expect(try await connection.requestName(Self.name))
    return connection
  }

  @Test("An observed name that gets another owner has the values of this owner, and none while it is unowned")
  func owners() async throws {
    try await LampTest.run { test in
      let loop = PollLoop(name: "owners")
      defer { loop.stop() }
      let lamp = DBusProxy(.lamp, at: .lamp, of: Self.name, on: test.client)
      var levels = try await lamp.contents(of: Self.level).makeAsyncIterator()
      #expect(await levels.next() == .some(nil))
      let first = try await serve(level: 1, on: test.bus, loop)
      #expect(await levels.next() == 1)
      await first.close()
      #expect(await levels.next() == .some(nil))
      let second = try await serve(level: 2, on: test.bus, loop)
      #expect(await levels.next() == 2)
      await second.close()
      #expect(await levels.next() == .some(nil))
    }
  }

  @Test("An owner without the object has no values")
  func missingObject() async throws {
    try await LampTest.run { test in
      let lamp = DBusProxy(.lamp, at: "/missing", of: Self.name, on: test.client)
      var states = try await lamp.propertyChanges().makeAsyncIterator()
      #expect(await states.next() == .some(nil))
      #expect(try await test.service.requestName(Self.name))
      #expect(await states.next() == .some([:]))
      let error = await failure { _ = try await lamp.propertyChanges() }
      #expect(error?.name == "org.freedesktop.DBus.Error.UnknownObject")
    }
  }

  @Test("A signal that arrived before the values were read does not change them")
  func staleSignal() async throws {
    try await LampTest.run { test async throws in
      let lamp = DBusProxy(.lamp, at: .lamp, of: test.service.uniqueName, on: test.client)
      var cache = try await DBusPropertyCache(reading: lamp)
      func changed(to level: Int64, _ arrival: UInt64) -> DBusSignalMessage {
        DBusSignalMessage(
          sender: test.service.uniqueName, path: .lamp, interface: .properties, member: "PropertiesChanged",
          arguments: [.string("org.example.Lamp"), .dictionary([("Level", .int64(level))]), .strings([])],
          arrival: arrival)
      }
      await cache.apply(changed(to: 1, 1))
      #expect(cache.values[Self.level] == 5)
      await cache.apply(changed(to: 7, .max))
      #expect(cache.values[Self.level] == 7)
    }
  }
}
