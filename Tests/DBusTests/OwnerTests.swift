import EventLoop
import TestSupport
import Testing

@testable import DBus

/// Tests of the streams of a name's owner.
@Suite("Owners of names") struct OwnerTests {
  private static let name: BusName = "org.example.Owned"

  @Test("A stream of owners begins with the present one and reports each change once")
  func owners() async throws {
    try await LampTest.run { test in
      var before = try await test.client.owners(of: Self.name).makeAsyncIterator()
      #expect(await before.next() == .some(nil))
      #expect(try await test.service.requestName(Self.name))
      #expect(await before.next() == .some(test.service.uniqueName))
      var after = try await test.client.owners(of: Self.name).makeAsyncIterator()
      #expect(await after.next() == .some(test.service.uniqueName))
      try await test.service.releaseName(Self.name)
      #expect(try await test.client.requestName(Self.name))
      for owner in [nil, test.client.uniqueName] {
        #expect(await before.next() == .some(owner))
        #expect(await after.next() == .some(owner))
      }
      await test.client.close()
      #expect(await before.next() == .none)
    }
  }

  @Test("Waiting for the end of a name returns when it is released, and at once if it is unowned")
  func gone() async throws {
    try await LampTest.run { test in
      await test.client.untilGone(Self.name)
      #expect(try await test.service.requestName(Self.name))
      let waiting = Task { await test.client.untilGone(Self.name) }
      try await test.service.releaseName(Self.name)
      await waiting.value
    }
  }

  @Test("Waiting for the end of a name that cannot be observed lasts until the connection closes")
  func unobserved() async throws {
    try await LampTest.run { test in
      var streams: [AsyncStream<DBusSignalMessage>] = []
      for _ in 0..<Subscriptions.limit { streams.append(try await test.client.signals(interface: .empty)) }
      let returns = EventLog<Void>()
      let waiting = Task(executorPreference: test.client.taskExecutor) {
        await test.client.untilGone(test.service.uniqueName)
        returns.append(())
      }
      // The barrier: the subscription has failed before the last reply.
      for _ in 0..<3 { try await test.call("Ping", interface: .peer) }
      #expect(returns.count == 0)
      await test.client.close()
      await waiting.value
      withExtendedLifetime(streams) {}
    }
  }

  @Test("A cache of the owners below a name ignores the changes that it was read with")
  func cache() async throws {
    try await LampTest.run { test in
      let (one, two): (BusName, BusName) = ("org.example.Family.One", "org.example.Family.Two")
      let (service, client) = (test.service.uniqueName, test.client.uniqueName)
      var changes = try await test.client.ownerChanges(below: "org.example.Family").makeAsyncIterator()
      for name in [one, two, "org.example.Family"] { #expect(try await test.service.requestName(name)) }
      for name in [one, two] { try await test.service.releaseName(name) }
      #expect(try await test.client.requestName(one))
      var cache = try await DBusOwnerCache(below: "org.example.Family", on: test.client)
      #expect(cache.owners == [one.rawValue: client])
      for _ in 0..<6 {
        let isNew = cache.apply(try #require(await changes.next()))
        #expect(!isNew && cache.owners == [one.rawValue: client])
      }
      #expect(try await test.service.requestName(two))
      try await test.client.releaseName(one)
      for owners in [[one.rawValue: client, two.rawValue: service], [two.rawValue: service]] {
        let isNew = cache.apply(try #require(await changes.next()))
        #expect(isNew && cache.owners == owners)
      }
    }
  }

  @Test("A stream from a unique name finishes when this connection leaves the bus")
  func finishes() async throws {
    try await LampTest.run { test in
      let name = test.service.uniqueName
      let signals = try await test.client.signals(from: name, interface: .lamp)
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("last")])
      await test.service.close()
      #expect(await signals.reduce(0) { count, _ in count + 1 } == 1)
      let late = try await test.client.signals(from: name, interface: .lamp)
      #expect(await late.reduce(0) { count, _ in count + 1 } == 0)
    }
  }
}
