import DBus
import EventLoop
import MPRISService
import TestSupport
import Testing

/// The objects of the documentation's listings, served on a private bus.
@Suite struct ListingTests {
  /// Runs a server and a client, each on its own connection.
  private func withServer(
    _ serve: @escaping @Sendable (DBusConnection) async throws -> Void,
    _ body: (_ client: DBusConnection, _ address: String) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loops = [PollLoop(name: "server"), PollLoop(name: "client")]
      defer { for loop in loops { loop.stop() } }
      let server = try await DBusConnection.open(address: bus.address, on: loops[0])
      let client = try await DBusConnection.open(address: bus.address, on: loops[1])
      try await withThrowingTaskGroup { group in
        group.addTask { try await serve(server) }
        try await body(client, bus.address)
        group.cancelAll()
      }
    }
  }

  /// Waits until a name has an owner.
  private func waitForOwner(of name: BusName, on client: DBusConnection) async throws {
    for await owner in try await client.owners(of: name) where owner != nil { return }
  }

  @Test("The lamp of the page answers calls and signals its changes", .timeLimit(.minutes(1)))
  func lamp() async throws {
    let lamp = Lamp()
    try await withServer {
      try await serve(lamp, on: $0)
    } _: { client, _ in
      try await waitForOwner(of: "org.example.Lamp", on: client)
      var signals = try await client.signals(
        from: "org.example.Lamp", path: "/org/example/Lamp1", interface: .properties
      ).makeAsyncIterator()
      #expect(try await toggle(on: client) == true)
      #expect(await signals.next()?.changedProperties?.values == ["IsOn": .boolean(true)])
      try await setLevel(DBusProxy(Lamp1.name, at: "/org/example/Lamp1", of: "org.example.Lamp", on: client))
      #expect(await signals.next()?.changedProperties?.values == ["Level": .double(0.8)])
      #expect(lamp.current.level == 0.8)
    }
  }

  @Test("A call to the lamp without its service fails as the page says", .timeLimit(.minutes(1)))
  func missingLamp() async throws {
    try await withServer { _ in
    } _: { client, _ in
      await #expect { _ = try await toggle(on: client) } throws: { DBusError.serviceUnknown("") ~= $0 }
    }
  }

  @Test("The radio of the page is an MPRIS player", .timeLimit(.minutes(1)))
  func radio() async throws {
    let radio = Radio()
    try await withServer { _ in
    } _: { client, address in
      let service = MPRISService(identity: "Radio", player: radio) { address }
      let running = Task { try await service.run() }
      try await waitForOwner(of: "org.mpris.MediaPlayer2.radio", on: client)
      let player = DBusProxy(
        "org.mpris.MediaPlayer2.Player", at: MPRISService.path, of: "org.mpris.MediaPlayer2.radio", on: client)
      #expect(try await player.getAll()["PlaybackStatus"]?.asString == "Stopped")
      try await player.call(DBusMethodDeclaration("PlayPause"))
      #expect(radio.snapshot().status == .playing)
      #expect(try await player.getAll()["PlaybackStatus"]?.asString == "Playing")
      running.cancel()
      try await running.value
    }
  }
}
