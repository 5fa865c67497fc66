import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DBus

/// Tests of calls by member declarations, and of requests to the bus itself.
@Suite struct DBusProxyTests {
  private static let echo = DBusMethodDeclaration("Echo", in: ["value": "v"], out: ["value": "v"])
  private static let level = DBusProperty<Lamp>("Level", "x") { .int64($0.level) }
  private static let name = DBusProperty<Lamp>("Name", "s") { .string($0.name) }

  private func remote(_ test: LampTest, at path: ObjectPath = .lamp) -> DBusProxy {
    DBusProxy(.lamp, at: path, of: test.service.uniqueName, on: test.client)
  }

  @Test("A client calls, gets and sets members by their declarations")
  func members() async throws {
    try await LampTest.run { test async throws in
      let remote = remote(test)
      #expect(try await remote.call(Self.echo, .variant(.int32(3))) == [.variant(.int32(3))])
      #expect(try await remote.get(Self.level) == .int64(5))
      try await remote.set(Self.level, to: .int64(9))
      let values = try await remote.getAll()
      #expect(values[Self.level] == .int64(9) && values[Self.name] == .string("desk"))
      #expect(values.count == 6)
      #expect(try await remote.introspect().contains("<interface name=\"org.example.Lamp\">"))
    }
  }

  @Test("An error of the peer reaches the caller")
  func errors() async throws {
    try await LampTest.run { test async throws in
      let missing = DBusMethodDeclaration("Missing")
      let unknown = await failure { try await remote(test).call(missing) }
      #expect(unknown?.name == "org.freedesktop.DBus.Error.UnknownMethod")
      let wrong = await failure { try await remote(test).set(Self.level, to: .int64(-1)) }
      #expect(wrong == .invalidArguments("a level is not negative"))
    }
  }

  private struct Room: Sendable { var lamp = Lamp() }

  @Test("An interface serves a part of the state of an object")
  func part() async throws {
    try await LampTest.run { test async throws in
      try await test.service.export(at: "/room", test.interfaces.map { $0.reading(\Room.lamp) }) {
        Room(lamp: test.lamp.withLock { $0 })
      }
      let remote = remote(test, at: "/room")
      var signals = try await test.client.signals(from: test.service.uniqueName, path: "/room").makeAsyncIterator()
      test.lamp.withLock { ($0.level, $0.inventory, $0.hours, $0.serial) = (6, 2, 8, "B2") }
      await test.service.publish(DBusExportedObject(path: "/room"), showing: Room(lamp: test.lamp.withLock { $0 }))
      let changed = await signals.next()?.changedProperties
      #expect(changed?.interface == "org.example.Lamp")
      #expect(changed?.values == ["Level": .int64(6), "Inventory": .int32(2)])
      try await remote.set(Self.name, to: .string("shelf"))
      #expect(try await remote.get(Self.name) == .string("shelf"))
      let own = try await self.remote(test).introspect()
      #expect(try await remote.introspect().replacing("\"/room\"", with: "\"/org/example/Lamp\"") == own)
    }
  }

  @Test("Only PropertiesChanged has changed properties")
  func otherSignals() {
    func signal(_ interface: InterfaceName, _ member: MemberName, _ arguments: DBusValue...) -> DBusSignalMessage {
      DBusSignalMessage(sender: ":1.1", path: "/", interface: interface, member: member, arguments: arguments)
    }
    let values: DBusValue = .dictionary([("A", .int32(1))])
    let none = DBusValue.strings([])
    #expect(signal(.properties, "PropertiesChanged", .string("a.b"), values, none).changedProperties != nil)
    #expect(signal(.properties, "Other", .string("a.b"), values, none).changedProperties == nil)
    #expect(signal(.lamp, "PropertiesChanged", .string("a.b"), values, none).changedProperties == nil)
    #expect(signal(.properties, "PropertiesChanged", .string("a.b"), values).changedProperties == nil)
    #expect(signal(.properties, "PropertiesChanged", .int32(1), values, none).changedProperties == nil)
  }

  @Test("The bus returns its connections and their process IDs")
  func bus() async throws {
    try await LampTest.run { test async throws in
      #expect(try await test.client.processID(of: test.service.uniqueName) == getpid())
      let error = await failure { _ = try await test.client.processID(of: "org.example.Nobody") }
      #expect(error?.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
      #expect(try await test.client.names().contains(test.service.uniqueName.rawValue))
      #expect(try await test.client.activatableNames().contains(BusName.bus.rawValue))
    }
  }

  @Test("Owner changes of one name are reported, and no others")
  func owners() async throws {
    try await LampTest.run { test async throws in
      var changes = try await test.client.ownerChanges(of: "org.example.Lamp").makeAsyncIterator()
      #expect(try await test.service.requestName("org.example.Other"))
      #expect(try await test.service.requestName("org.example.Lamp"))
      try await test.service.releaseName("org.example.Lamp")
      let first = await changes.next()
      #expect(first?.arguments.first == .string("org.example.Lamp") && first?.newOwner == test.service.uniqueName)
      let second = await changes.next()
      #expect(second != nil && second?.newOwner == nil)
    }
  }
}
