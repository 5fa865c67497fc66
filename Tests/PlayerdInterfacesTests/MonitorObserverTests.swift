import DBus
import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

/// Tests of observers over the bus: their owners, their signals and their removal.
@Suite struct MonitorObserverTests {
  typealias Served = ServedMonitor

  @Test("Requested observations are added to the player")
  func observe() async throws {
    try await withServedMonitor { served in
      _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(10_000))
      _ = try await served.client.observe("AddBoundaryTimeObserver", .array("x", [.int64(90_000_000), .int64(0)]))
      _ = try await served.client.observe("AddBoundaryFractionObserver", .array("d", [.double(0.25), .double(1)]))
      #expect(
        served.fake.observers.elements.map(\.observation) == [
          .interval(.milliseconds(10)), .times([.seconds(90), .zero]), .fractions([0.25, 1]),
        ])
    }
  }

  @Test("The client adds each kind of observer and reads the properties")
  func client() async throws {
    try await withServedMonitor { served in
      let remote = MonitorClient(of: served.client.service, on: served.client.connection)
      try await remote.addPeriodicTimeObserver(interval: .milliseconds(500))
      try await remote.addBoundaryTimeObserver(times: [.seconds(90), .zero])
      try await remote.addBoundaryFractionObserver(fractions: [0.25])
      #expect(
        served.fake.observers.elements.map(\.observation) == [
          .interval(.milliseconds(500)), .times([.seconds(90), .zero]), .fractions([0.25]),
        ])
      let values = try await remote.properties()
      #expect(values[MonitorInterface.timeControlStatus] == .string("playing"))
      #expect(values[MonitorInterface.duration] == .int64(180_000_000))
    }
  }

  @Test("Invalid values fail with InvalidArgs, and no observer is added")
  func invalidArguments() async throws {
    let wrong: [(MemberName, DBusValue)] = [
      ("AddPeriodicTimeObserver", .int64(9_999)), ("AddPeriodicTimeObserver", .int64(0)),
      ("AddPeriodicTimeObserver", .int64(.min)), ("AddPeriodicTimeObserver", .double(1e6)),
      ("AddBoundaryTimeObserver", .array("x", [])), ("AddBoundaryTimeObserver", .array("x", [.int64(5), .int64(-1)])),
      ("AddBoundaryTimeObserver", .array("d", [.double(1)])), ("AddBoundaryTimeObserver", .int64(1)),
      ("AddBoundaryFractionObserver", .array("d", [])), ("AddBoundaryFractionObserver", .array("d", [.double(.nan)])),
      ("AddBoundaryFractionObserver", .array("d", [.double(0.5), .double(1.0001)])),
      ("AddBoundaryFractionObserver", .array("d", [.double(-0.1)])),
      ("AddBoundaryFractionObserver", .array("d", [.double(.infinity)])),
      ("RemoveTimeObserver", .uint32(1)), ("RemoveTimeObserver", .uint32(0)), ("RemoveTimeObserver", .string("1")),
    ]
    try await withServedMonitor { served in
      for (member, value) in wrong {
        let name = try await served.client.refusal { _ = try await served.client.call(member, value) }
        #expect(name == "InvalidArgs", "\(member) \(value)")
      }
      #expect(served.fake.observers.count == 0)
    }
  }

  @Test("The maximum values of the types are accepted")
  func maximumValues() async throws {
    try await withServedMonitor { served in
      _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(.max))
      _ = try await served.client.observe("AddBoundaryTimeObserver", .array("x", [.int64(.max)]))
      #expect(served.fake.observers.count == 2)
    }
  }

  @Test("Time signals are sent only to the owner of the observer, with its ID")
  func destination() async throws {
    try await withServedMonitor { served in
      try await withMonitorClient(of: served.connection, on: served.bus, served.loop) { other in
        let periodic = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
        let boundary = try await other.observe("AddBoundaryTimeObserver", .array("x", [.int64(3_000_000)]))
        #expect(periodic != boundary)
        let observers = served.fake.observers.elements
        observers[0].deliver(.time(MPRISTrackID(7, in: .example), position: .seconds(2)))
        observers[1].deliver(
          .boundary(
            MPRISTrackID(7, in: .example), boundary: .seconds(3), position: .milliseconds(3001),
            monotonicMicroseconds: 42)
        )
        observers[0].deliver(.time(nil, position: .zero))
        let mine = try await served.settle()
        #expect(mine.map(\.member) == ["PeriodicTime", "PeriodicTime"])
        #expect(mine.first?.arguments == [.uint32(periodic), .objectPath("/org/example/track/7"), .int64(2_000_000)])
        #expect(
          mine.last?.arguments
            == [.uint32(periodic), .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack"), .int64(0)])
        let theirs = try await served.settle(from: 0, other)
        let path = DBusValue.objectPath("/org/example/track/7")
        #expect(
          theirs.first { $0.member == "BoundaryReached" }?.arguments
            == [.uint32(boundary), path, .int64(3_000_000), .int64(3_001_000), .int64(42)])
        #expect(!theirs.contains { $0.member == "PeriodicTime" })
      }
    }
  }

  @Test("Lines of lyrics are sent only to the owner of the observer, and their list is readable")
  func lyrics() async throws {
    try await withServedMonitor { served in
      served.fake.sing([
        MonitoredLyricsLine(start: 1_500_000, text: "One"), MonitoredLyricsLine(start: 2_000_000, text: ""),
      ])
      let remote = MonitorClient(of: served.client.service, on: served.client.connection)
      #expect(try await remote.lyrics().map(\.text) == ["One", ""])
      #expect(try await remote.lyrics().map(\.start) == [1_500_000, 2_000_000])
      try await withMonitorClient(of: served.connection, on: served.bus, served.loop) { other in
        let id = try await remote.addLyricsObserver()
        let observer = try #require(served.fake.observers.elements.first)
        #expect(observer.observation == .lyrics)
        observer.deliver(.lyrics(start: .milliseconds(1500), end: .seconds(2), text: "One"))
        observer.deliver(.lyrics(start: .seconds(2), end: nil, text: ""))
        let mine = try await served.settle()
        #expect(mine.map(\.member) == ["LyricsLine", "LyricsLine"])
        #expect(
          mine.map(\.arguments) == [
            [.int64(1_500_000), .int64(2_000_000), .string("One")], [.int64(2_000_000), .int64(-1), .string("")],
          ])
        #expect(try await served.settle(from: 0, other).allSatisfy { $0.member != "LyricsLine" })
        try await remote.removeObserver(id)
        #expect(!observer.isKept())
      }
    }
  }

  @Test("A removed observer receives no signals, and the player is released")
  func remove() async throws {
    try await withServedMonitor { served in
      let id = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
      let observer = try #require(served.fake.observers.elements.first)
      #expect(observer.isKept())
      try await served.client.call("RemoveTimeObserver", .uint32(id))
      #expect(!observer.isKept())
      observer.deliver(.time(nil, position: .zero))
      #expect(try await served.settle().isEmpty)
      let again = try await served.client.refusal { try await served.client.call("RemoveTimeObserver", .uint32(id)) }
      #expect(again == "InvalidArgs")
    }
  }

  @Test("A client cannot remove the observer of another client")
  func removeForeign() async throws {
    try await withServedMonitor { served in
      let id = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
      try await withMonitorClient(of: served.connection, on: served.bus, served.loop) { other in
        let name = try await other.refusal { try await other.call("RemoveTimeObserver", .uint32(id)) }
        #expect(name == "InvalidArgs")
      }
      #expect(served.fake.observers.elements.first?.isKept() == true)
    }
  }

  @Test("Closing a connection removes its observers but not those of others")
  func disconnect() async throws {
    try await withServedMonitor { served in
      _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
      try await withMonitorClient(of: served.connection, on: served.bus, served.loop) { other in
        for _ in 1...3 { _ = try await other.observe("AddPeriodicTimeObserver", .int64(2_000_000)) }
      }
      let released = try await deadline(10, "the observers are released") { [released = served.fake.released] in
        await released.entries().prefix(3).reduce(into: []) { $0.append($1.element) }
      }
      #expect(released == Array(repeating: .interval(.seconds(2)), count: 3))
      #expect(served.fake.observers.elements.first?.isKept() == true)
    }
  }

  @Test(
    "The service has match rules for the owners of observers only",
    .enabled(if: Tool.areAvailable("dbus-monitor"), "dbus-monitor is not installed"))
  func owners() async throws {
    try await withServedMonitor { served in
      #expect(try await served.ownerRules() == [])
      let sender = "sender='\(served.connection.uniqueName.rawValue)'"
      try await withBusMonitor(served.bus, "\(sender),member='AddMatch'", "\(sender),member='RemoveMatch'") { monitor in
        let first = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
        let second = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
        let added = try await monitor.waitForLine(containing: "member='NameOwnerChanged'")
        let rules = try await served.ownerRules()
        #expect(rules.count == 1 && rules.first?.contains(served.client.connection.uniqueName.rawValue) == true)
        for id in [first, second] { try await served.client.call("RemoveTimeObserver", .uint32(id)) }
        try await monitor.waitForLine(containing: "member='NameOwnerChanged'", from: added.index + 1)
        #expect(try await served.ownerRules() == [])
      }
    }
  }

  @Test("A connection has at most 64 observers")
  func limit() async throws {
    try await withServedMonitor { served in
      for _ in 1...64 { _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000)) }
      let name = try await served.client.refusal {
        _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
      }
      #expect(name == "LimitsExceeded")
      try await withMonitorClient(of: served.connection, on: served.bus, served.loop) { other in
        _ = try await other.observe("AddPeriodicTimeObserver", .int64(1_000_000))
      }
    }
  }

  @Test("All connections together have at most 1024 observers")
  func totalLimit() async throws {
    try await withServedMonitor { served in
      try await withClients(17, of: served) { clients in
        var last: UInt32 = 0
        for client in clients.dropLast() {
          for _ in 1...64 { last = try await client.observe("AddPeriodicTimeObserver", .int64(1_000_000)) }
        }
        let name = try await clients[16].refusal {
          _ = try await clients[16].observe("AddPeriodicTimeObserver", .int64(1_000_000))
        }
        #expect(name == "LimitsExceeded")
        try await clients[15].call("RemoveTimeObserver", .uint32(last))
        _ = try await clients[16].observe("AddPeriodicTimeObserver", .int64(1_000_000))
      }
    }
  }

  private func withClients(
    _ count: Int, of served: ServedMonitor, _ clients: [ServedMonitor.Client] = [],
    _ body: ([ServedMonitor.Client]) async throws -> Void
  ) async throws {
    guard clients.count < count else { return try await body(clients) }
    try await withMonitorClient(of: served.connection, on: served.bus, served.loop) { client in
      try await withClients(count, of: served, clients + [client], body)
    }
  }

  @Test("A connection has at most 4096 boundaries, including fractions")
  func boundaryLimit() async throws {
    func times(_ count: Int) -> DBusValue { .array("x", (0..<count).map { .int64(Int64($0)) }) }
    try await withServedMonitor { served in
      let large = try await served.client.observe("AddBoundaryTimeObserver", times(4000))
      _ = try await served.client.observe(
        "AddBoundaryFractionObserver", .array("d", (0..<96).map { .double(Double($0) / 100) }))
      let one = try await served.client.refusal {
        _ = try await served.client.observe("AddBoundaryTimeObserver", times(1))
      }
      #expect(one == "LimitsExceeded")
      _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
      try await served.client.call("RemoveTimeObserver", .uint32(large))
      let more = try await served.client.refusal {
        _ = try await served.client.observe("AddBoundaryTimeObserver", times(4001))
      }
      #expect(more == "LimitsExceeded")
      _ = try await served.client.observe("AddBoundaryTimeObserver", times(4000))
    }
  }

  @Test("If the player rejects an observation, the error contains its text, and it does not count")
  func rejected() async throws {
    try await withServedMonitor { served in
      served.fake.refuse(with: .notSupported("not this"))
      for _ in 1...100 {
        let name = try await served.client.refusal {
          _ = try await served.client.observe("AddPeriodicTimeObserver", .int64(1_000_000))
        }
        #expect(name == "NotSupported")
      }
    }
  }
}

extension ServedMonitor {
  /// Returns the match rules for name owners that the bus has registered for the service.
  fileprivate func ownerRules() async throws -> [String] {
    let reply = try await connection.call(
      on: .bus, at: "/org/freedesktop/DBus", of: "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules")
    guard case .array(_, let entries)? = reply.first else { return [] }
    for case .dictionaryEntry(let name, let rules) in entries where name.asString == connection.uniqueName.rawValue {
      return (rules.asStrings ?? []).filter { $0.contains("NameOwnerChanged") }
    }
    return []
  }
}
