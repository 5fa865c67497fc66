import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite struct `Signals` {
  @Test func `a signal reaches whoever subscribed to it`() async throws {
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

  @Test func `a signal to one destination reaches nobody else`() async throws {
    try await LampTest.run { test in
      let loop = EventLoop(name: "other")
      defer { loop.stop() }
      let other = try await Connection.open(address: test.bus.address, on: loop)
      var received = try await test.client.signals(interface: .lamp).makeAsyncIterator()
      var overheard = try await other.signals(interface: .lamp).makeAsyncIterator()
      try await test.service.emit(
        "Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("")], to: test.client.uniqueName)
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(2), .string("")])
      #expect(await received.next()?.arguments.first == .uint32(1))
      #expect(await overheard.next()?.arguments.first == .uint32(2))
    }
  }

  @Test(arguments: [
    ("Flickered", [Value.uint32(1)], "InvalidArgs"), ("Flickered", [.int32(1), .string("")], "InvalidArgs"),
    ("Nothing", [], "UnknownMethod"),
  ])
  func `a signal that its row does not allow is not emitted`(
    _ member: MemberName, _ values: [Value], _ name: String
  ) async throws {
    try await LampTest.run { test in
      let error = await failure {
        try await test.service.emit(member, of: .lamp, at: .lamp, values)
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.\(name)")
    }
  }

  @Test func `a stream follows a well-known name from owner to owner`() async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(from: "org.example.Service", interface: .lamp)
      // Another stream makes the bus deliver the signals of everyone, so that the first one has to tell them apart.
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

  @Test func `a stream of a name that is owned already has its signals from the start`() async throws {
    try await LampTest.run { test in
      _ = try await test.service.requestName("org.example.Service")
      var stream = try await test.client.signals(from: "org.example.Service", interface: .lamp).makeAsyncIterator()
      try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(1), .string("")])
      #expect(await stream.next()?.arguments.first == .uint32(1))
    }
  }

  @Test func `a stream that is dropped takes its match rules back`() async throws {
    try await LampTest.run { test in
      for _ in 0..<3 {
        let stream = try await test.client.signals(from: "org.example.Service", interface: .lamp)
        let reader = Task { for await _ in stream {} }
        reader.cancel()
        await reader.value
      }
      // The barrier: the bus answers after what was sent to it before.
      try await test.call("Ping", interface: .peer)
      let rules = try await test.client.matchRules()
      #expect(rules == [])
    }
  }

  @Test func `a stream about one name hears of no other`() async throws {
    try await LampTest.run { test in
      let changes = try await test.client.signals(
        from: .bus, interface: .bus, member: "NameOwnerChanged", firstArgument: "org.example.Wanted")
      // Another stream makes the bus deliver the changes of every name.
      let everyone = try await test.client.signals(from: .bus, interface: .bus, member: "NameOwnerChanged")
      for name: BusName in ["org.example.Other", "org.example.Wanted"] { _ = try await test.service.requestName(name) }
      #expect(await changes.first { _ in true }?.arguments.first == .string("org.example.Wanted"))
      #expect(await everyone.first { _ in true }?.arguments.first == .string("org.example.Other"))
    }
  }

  @Test func `what one thread hands to the connection runs in its order`() async throws {
    try await LampTest.run { test in
      let log = EventLog<Int>()
      for number in 0..<1000 { test.service.enqueue { _ in log.append(number) } }
      _ = try await log.first("the last one") { $0 == 999 }
      #expect(log.elements == Array(0..<1000))
    }
  }

  @Test func `a stream that nobody reads keeps the newest signals and no more`() async throws {
    try await LampTest.run { test in
      let stream = try await test.client.signals(interface: .lamp)
      let count = UInt32(Subscriptions.depth + 500)
      for number in 1...count {
        try await test.service.emit("Flickered", of: .lamp, at: .lamp, [.uint32(number), .string("")])
      }
      try await test.service.call(on: test.client.uniqueName, at: "/", of: .peer, "Ping").isEmptyOrFail()
      var signals = stream.makeAsyncIterator()
      #expect(await signals.next()?.arguments.first == .uint32(501))
    }
  }
}

extension [Value] {
  fileprivate func isEmptyOrFail() { #expect(isEmpty) }
}

extension Connection {
  /// The match rules that the bus holds for this connection, by its own account.
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
