import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite("Signals")
struct SignalTests {
  @Test("A signal reaches its subscriber")
  func subscription() async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(
        from: test.service.uniqueName, path: .lamp, interface: .lamp, member: "Flickered")
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(3), .string("wind")])
      var signals = stream.makeAsyncIterator()
      let signal = await signals.next()
      #expect(signal?.arguments == [.uint32(3), .string("wind")])
      #expect(signal?.sender == test.service.uniqueName)
    }
  }

  @Test("A signal to one destination reaches no other connection")
  func destination() async throws {
    try await LampTest.run { test in
      let loop = PollLoop(name: "other")
      defer { loop.stop() }
      let other = try await DBusConnection.open(address: test.bus.address, on: loop)
      var received = try await test.client.signals(interface: .lamp).makeAsyncIterator()
      var overheard = try await other.signals(interface: .lamp).makeAsyncIterator()
      try await test.service.emit(
        "Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("")], to: test.client.uniqueName)
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(2), .string("")])
      #expect(await received.next()?.arguments.first == .uint32(1))
      #expect(await overheard.next()?.arguments.first == .uint32(2))
    }
  }

  @Test(
    "A signal that contradicts its declaration is not emitted",
    arguments: [
      ("Flickered", [DBusValue.uint32(1)], "InvalidArgs"), ("Flickered", [.int32(1), .string("")], "InvalidArgs"),
      ("Nothing", [], "UnknownMethod"),
    ])
  func wrongDeclaration(
    _ member: MemberName, _ values: [DBusValue], _ name: String
  ) async throws {
    try await LampTest.run { test in
      let error = await failure {
        try await test.service.emit(member, of: .lamp, at: .lamp, values)
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.\(name)")
    }
  }

  @Test("A stream follows a well-known name from owner to owner")
  func ownerChange() async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(from: "org.example.Service", interface: .lamp)
      // A second stream makes the bus deliver the signals of all senders, so that the first stream must filter them.
      let everyone = try await test.client.signals(interface: .lamp)
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("nobody")])
      _ = try await test.service.requestName("org.example.Service")
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(2), .string("owner")])
      try await test.service.releaseName("org.example.Service")
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(3), .string("former owner")])
      _ = try await test.service.requestName("org.example.Service")
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(4), .string("owner")])
      #expect(await stream.prefix(2).reduce(into: []) { $0.append($1.arguments[0]) } == [.uint32(2), .uint32(4)])
      #expect(await everyone.prefix(4).reduce(0) { count, _ in count + 1 } == 4)
    }
  }

  @Test("A stream of a name that already has an owner receives its signals from the start")
  func existingOwner() async throws {
    try await LampTest.run { test in
      _ = try await test.service.requestName("org.example.Service")
      var stream = try await test.client.signals(from: "org.example.Service", interface: .lamp).makeAsyncIterator()
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("")])
      #expect(await stream.next()?.arguments.first == .uint32(1))
    }
  }

  @Test("A cancelled subscription leaves the rules of another stream")
  func cancelledSubscription() async throws {
    try await LampTest.run { test in
      _ = try await test.service.requestName("org.example.Service")
      let stream = try await test.client.signals(from: "org.example.Service", interface: .lamp)
      let second = Task { try await test.client.signals(from: "org.example.Service", interface: .lamp) }
      second.cancel()
      await #expect(throws: DBusError.self) { _ = try await second.value }
      try await test.call("Ping", interface: .peer)
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("")])
      let signal = try await deadline(10, "the signal") { await stream.first { _ in true } }
      #expect(signal?.arguments.first == .uint32(1))
    }
  }

  @Test("A released stream removes its match rules")
  func matchRules() async throws {
    try await LampTest.run { test in
      for _ in 0..<3 {
        let stream = try await test.client.signals(from: "org.example.Service", interface: .lamp)
        let reader = Task { for await _ in stream {} }
        reader.cancel()
        await reader.value
      }
      // The barrier: the bus processes this call after the earlier messages.
      try await test.call("Ping", interface: .peer)
      let rules = try await test.client.matchRules()
      #expect(rules == [])
    }
  }

  @Test("A stream filtered by a name receives no signals about other names")
  func firstArgument() async throws {
    try await LampTest.run { test in
      let changes = try await test.client.signals(
        from: .bus, interface: .bus, member: "NameOwnerChanged", firstArgument: "org.example.Wanted")
      // A second stream makes the bus deliver the owner changes of all names.
      let everyone = try await test.client.signals(from: .bus, interface: .bus, member: "NameOwnerChanged")
      for name: BusName in ["org.example.Other", "org.example.Wanted"] { _ = try await test.service.requestName(name) }
      #expect(await changes.first { _ in true }?.arguments.first == .string("org.example.Wanted"))
      #expect(await everyone.first { _ in true }?.arguments.first == .string("org.example.Other"))
    }
  }

  @Test("A stream of the owners below a name receives the name and those that begin with it and a dot")
  func ownersBelow() async throws {
    try await LampTest.run { test in
      let changes = try await test.client.ownerChanges(below: "org.example.Family")
      // A second stream makes the bus deliver the owner changes of all names.
      let everyone = try await test.client.signals(from: .bus, interface: .bus, member: "NameOwnerChanged")
      for name: BusName in ["org.example.Family2", "org.example.Family.One", "org.example.Other", "org.example.Family"]
      {
        _ = try await test.service.requestName(name)
      }
      var received = changes.makeAsyncIterator()
      #expect(await received.next()?.arguments.first == .string("org.example.Family.One"))
      #expect(await received.next()?.arguments.first == .string("org.example.Family"))
      #expect(await everyone.first { _ in true }?.arguments.first == .string("org.example.Family2"))
    }
  }

  @Test("Work that one thread enqueues on the connection runs in order")
  func order() async throws {
    try await LampTest.run { test in
      let log = EventLog<Int>()
      for number in 0..<1000 { test.service.enqueue { _ in log.append(number) } }
      _ = try await log.first("the last one") { $0 == 999 }
      #expect(log.elements == Array(0..<1000))
    }
  }

  @Test("A stream without a reader keeps the newest signals up to its limit")
  func overflow() async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(interface: .lamp)
      let count = UInt32(Subscription.depth + 500)
      for number in 1...count {
        try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(number), .string("")])
      }
      try await test.service.call(on: test.client.uniqueName, at: "/", of: .peer, "Ping").isEmptyOrFail()
      var signals = stream.makeAsyncIterator()
      #expect(await signals.next()?.arguments.first == .uint32(501))
    }
  }
}

extension [DBusValue] {
  fileprivate func isEmptyOrFail() { #expect(isEmpty) }
}

extension DBusConnection {
  /// Returns the match rules that the bus has registered for this connection, from its statistics.
  fileprivate func matchRules() async throws -> [String] {
    let stats: InterfaceName = "org.freedesktop.DBus.Debug.Stats"
    let reply = try await call(on: .bus, at: "/org/freedesktop/DBus", of: stats, "GetAllMatchRules")
    guard case .array(_, let entries)? = reply.first else { return [] }
    for case .dictionaryEntry(let name, let rules) in entries where name.asString == uniqueName.rawValue {
      return rules.asStrings ?? []
    }
    return []
  }
}
