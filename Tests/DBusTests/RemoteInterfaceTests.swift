import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DBus

/// Members named by their declarations, and the questions to the bus itself.
@Suite struct RemoteInterfaceTests {
  private static let echo = MethodDeclaration("Echo", in: ["value": "v"], out: ["value": "v"])
  private static let level = Property<Lamp>("Level", "x") { .int64($0.level) }
  private static let name = Property<Lamp>("Name", "s") { .string($0.name) }

  private func remote(_ test: LampTest, at path: ObjectPath = .lamp) -> RemoteInterface {
    RemoteInterface(.lamp, at: path, of: test.service.uniqueName, on: test.client)
  }

  @Test("A client calls, reads and sets members by their declarations")
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
      let missing = MethodDeclaration("Missing")
      let unknown = await failure { try await remote(test).call(missing) }
      #expect(unknown?.name == "org.freedesktop.DBus.Error.UnknownMethod")
      let wrong = await failure { try await remote(test).set(Self.level, to: .int64(-1)) }
      #expect(wrong == .invalidArguments("a level is not negative"))
    }
  }

  private struct Room: Sendable { var lamp = Lamp() }

  @Test("An interface serves a part of an object's state")
  func part() async throws {
    try await LampTest.run { test async throws in
      try await test.service.export(at: "/room", test.interfaces.map { $0.reading(\Room.lamp) }) {
        Room(lamp: test.lamp.withLock { $0 })
      }
      let remote = remote(test, at: "/room")
      var signals = try await test.client.signals(from: test.service.uniqueName, path: "/room").makeAsyncIterator()
      test.lamp.withLock { ($0.level, $0.inventory, $0.hours, $0.serial) = (6, 2, 8, "B2") }
      await test.service.publish(ExportedObject(path: "/room"), showing: Room(lamp: test.lamp.withLock { $0 }))
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
    func signal(_ interface: InterfaceName, _ member: MemberName, _ arguments: Value...) -> SignalMessage {
      SignalMessage(sender: ":1.1", path: "/", interface: interface, member: member, arguments: arguments)
    }
    let values: Value = .dictionary([("A", .int32(1))])
    let none = Value.strings([])
    #expect(signal(.properties, "PropertiesChanged", .string("a.b"), values, none).changedProperties != nil)
    #expect(signal(.properties, "Other", .string("a.b"), values, none).changedProperties == nil)
    #expect(signal(.lamp, "PropertiesChanged", .string("a.b"), values, none).changedProperties == nil)
    #expect(signal(.properties, "PropertiesChanged", .string("a.b"), values).changedProperties == nil)
    #expect(signal(.properties, "PropertiesChanged", .int32(1), values, none).changedProperties == nil)
  }

  @Test("The bus names its connections and their processes")
  func bus() async throws {
    try await LampTest.run { test async throws in
      #expect(try await test.client.processID(of: test.service.uniqueName) == getpid())
      let error = await failure { _ = try await test.client.processID(of: "org.example.Nobody") }
      #expect(error?.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
      #expect(try await test.client.names().contains(test.service.uniqueName.rawValue))
      #expect(try await test.client.activatableNames().contains(BusName.bus.rawValue))
    }
  }

  @Test("The changes of a name's owner are reported, and no others")
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
