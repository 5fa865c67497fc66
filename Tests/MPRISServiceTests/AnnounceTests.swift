import DBus
import EventLoop
import MPRISService
import TestSupport
import Testing

@Suite struct AnnounceTests {
  @Test("A player is ready before its name is published")
  func ready() async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
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
      let service = MPRISExportedPlayer(FakePlayer(), on: connection)
      #expect(try await service.announce(as: ServedPlayer.name))
      let all = try await deadline(10) { try await answer.value.first?.asDictionary }
      #expect(all?.count == 15)
    }
  }

  @Test("A change between the announcement and the start of the service is signalled")
  func changedBefore() async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let player = FakePlayer()
      let service = MPRISExportedPlayer(player, on: connection)
      #expect(try await service.announce(as: ServedPlayer.name))
      let changes = try await client.signals(
        from: connection.uniqueName, path: MPRISService.path, interface: .properties, member: "PropertiesChanged")
      player.show { $0.volume = 0.25 }
      let run = Task { await service.run() }
      defer { run.cancel() }
      let change = try await deadline(10, "the change") { await changes.first { _ in true } }
      #expect(change?.arguments[1].asDictionary == ["Volume": .double(0.25)])
    }
  }

  @Test("A jump between the announcement and the start of the service is signalled")
  func jumpedBefore() async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let service = MPRISExportedPlayer(FakePlayer(), on: connection)
      #expect(try await service.announce(as: ServedPlayer.name))
      let seeks = try await client.signals(
        from: connection.uniqueName, path: MPRISService.path, interface: ServedPlayer.player, member: "Seeked")
      _ = try await client.call(
        on: ServedPlayer.name, at: MPRISService.path, of: ServedPlayer.player, "Seek", [.int64(30_000_000)])
      let run = Task { await service.run() }
      defer { run.cancel() }
      let seek = try await deadline(10, "the jump") { await seeks.first { _ in true } }
      #expect(seek?.arguments == [.int64(90_000_000)])
    }
  }

  @Test("A second service is informed that the name is taken and can request another one")
  func nameTaken() async throws {
    try await withServedPlayer { served in
      let loop = PollLoop(name: "second")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(address: served.bus.address, on: loop)
      let service = MPRISExportedPlayer(FakePlayer(.example.with { $0.identity = "Second" }), on: connection)
      #expect(try await service.announce(as: ServedPlayer.name) == false)
      #expect(try await service.announce(as: "org.mpris.MediaPlayer2.playerd.instance2"))
      #expect(try await served.get("Identity", of: ServedPlayer.root) == .string("Fake player"))
      #expect(try await service.announce(as: "org.mpris.MediaPlayer2.playerd.instance2"))
    }
  }

  @Test("A released name can be requested")
  func releasedName() async throws {
    try await withServedPlayer { served in
      let loop = PollLoop(name: "second")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(address: served.bus.address, on: loop)
      let service = MPRISExportedPlayer(FakePlayer(), on: connection)
      let owners = try await connection.signals(
        from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
      await served.connection.close()
      // The bus notices the end of a connection with a delay.
      try await deadline(10, "the name is released") {
        for await change in owners where change.arguments.first == .string(ServedPlayer.name.rawValue) { return }
      }
      #expect(try await service.announce(as: ServedPlayer.name))
    }
  }

  @Test("A service continues without errors when its bus is lost")
  func lostBus() async throws {
    try await withServedPlayer { served in
      await served.bus.kill()
      await served.connection.closed()
      served.fake.change { $0.status = .paused }
      served.fake.send(.seeked(to: .zero))
    }
  }

  @Test("A second player on the same connection is rejected")
  func secondPlayer() async throws {
    try await withServedPlayer { served in
      let second = MPRISExportedPlayer(FakePlayer(), on: served.connection)
      let error = try await served.refusal { _ = try await second.announce(as: "org.mpris.MediaPlayer2.second") }
      #expect(error == "org.freedesktop.DBus.Error.ObjectPathInUse")
    }
  }
}
