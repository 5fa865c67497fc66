import DBus
import EventLoop
import MPRISService
import TestSupport
import Testing

@Suite struct AnnounceTests {
  @Test func `A player is ready before its name is known`() async throws {
    try await withPrivateBus { bus in
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let client = try await Connection.open(address: bus.address, on: loop)
      let connection = try await Connection.open(address: bus.address, on: loop)
      let owners = try await client.signals(
        from: .bus, interface: .bus, member: "NameOwnerChanged")
      let answer = Task {
        for await signal in owners where signal.arguments.first == .string(ServedPlayer.name.rawValue) {
          return try await client.call(
            on: ServedPlayer.name, at: MPRISService.path, of: .properties, "GetAll",
            [.string(ServedPlayer.player.rawValue)])
        }
        return []
      }
      let service = MPRISService(FakePlayer(), on: connection)
      #expect(try await service.announce(as: ServedPlayer.name))
      let all = try await deadline(10) { try await answer.value.first?.asDictionary }
      #expect(all?.count == 15)
    }
  }

  @Test func `Who comes second learns it and can take another name`() async throws {
    try await withServedPlayer { served in
      let loop = EventLoop(name: "second")
      defer { loop.stop() }
      let connection = try await Connection.open(address: served.bus.address, on: loop)
      let service = MPRISService(FakePlayer(.example.with { $0.identity = "Second" }), on: connection)
      #expect(try await service.announce(as: ServedPlayer.name) == false)
      #expect(try await service.announce(as: "org.mpris.MediaPlayer2.playerd.instance2"))
      #expect(try await served.get("Identity", of: ServedPlayer.root) == .string("Fake player"))
      #expect(try await service.announce(as: "org.mpris.MediaPlayer2.playerd.instance2"))
    }
  }

  @Test func `A name that goes away can be taken`() async throws {
    try await withServedPlayer { served in
      let loop = EventLoop(name: "second")
      defer { loop.stop() }
      let connection = try await Connection.open(address: served.bus.address, on: loop)
      let service = MPRISService(FakePlayer(), on: connection)
      let owners = try await connection.signals(
        from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
      await served.connection.close()
      // The bus learns of the end of a connection in its own time.
      try await deadline(10, "the name goes") {
        for await change in owners where change.arguments.first == .string(ServedPlayer.name.rawValue) { return }
      }
      #expect(try await service.announce(as: ServedPlayer.name))
    }
  }

  @Test func `A service whose bus is lost goes on in silence`() async throws {
    try await withServedPlayer { served in
      await served.bus.kill()
      await served.connection.closed()
      served.fake.change { $0.status = .paused }
      served.fake.send(.seeked(to: .zero))
    }
  }

  @Test func `A second player on the same connection is refused`() async throws {
    try await withServedPlayer { served in
      let second = MPRISService(FakePlayer(), on: served.connection)
      let error = try await served.refusal { _ = try await second.announce(as: "org.mpris.MediaPlayer2.second") }
      #expect(error == "org.freedesktop.DBus.Error.ObjectPathInUse")
    }
  }
}
