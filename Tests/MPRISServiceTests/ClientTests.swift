import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of the client side against a served player.
@Suite(.timeLimit(.minutes(1))) struct ClientTests {
  private func client(_ bus: PrivateBus) async throws -> MPRISClient {
    try await MPRISClient { [address = bus.address] in address }
  }

  @Test("A client reads the state of a player")
  func state() async throws {
    var fields = MPRISMetadata.Fields(trackID: MethodTests.track, title: "Song")
    fields.artists = ["One", "Two"]
    fields.length = .seconds(180)
    let snapshot = MPRISSnapshot.example.with { $0.metadata = MPRISMetadata(fields) }
    try await withServedPlayer(snapshot) { served in
      let client = try await client(served.bus)
      #expect(try await client.players().map(\.name) == ["playerd"])
      let player = try await client.player(named: "playerd")
      let state = try await player.state()
      #expect(try await client.players() == [player])
      #expect(state.identity == "Fake player")
      #expect(state.status == .playing && state.loop == MPRISLoopStatus.none && state.shuffle == false)
      #expect(state.volume == 1 && state.rate == 1)
      #expect(state.canPlay && state.canPause && state.canSeek && state.canGoNext && state.canGoPrevious)
      #expect(state.canQuit && !state.canRaise)
      #expect(state.metadata.title == "Song" && state.metadata.artists == ["One", "Two"])
      #expect(state.metadata.length == .seconds(180) && state.metadata.album == nil)
      #expect(state.metadata.trackID == "/org/example/track/7")
      #expect(try await player.position() == .seconds(60))
      await client.close()
    }
  }

  @Test("Each command of a client reaches the player")
  func commands() async throws {
    try await withServedPlayer { served in
      let client = try await client(served.bus)
      let player = try await client.player(named: "playerd")
      try await player.pause()
      try await player.play()
      try await player.playPause()
      try await player.seek(by: .seconds(-5))
      try await player.seek(to: .seconds(1), in: try #require(try await player.state().metadata.trackID))
      try await player.open("file:///a.flac")
      try await player.setVolume(0.5)
      try await player.setRate(2)
      try await player.setShuffle(true)
      try await player.setLoop(.track)
      try await player.next()
      try await player.previous()
      try await player.stop()
      try await player.raise()
      try await player.quit()
      #expect(
        served.fake.commands == [
          .pause, .play, .playPause, .setPosition(of: MethodTests.track, to: .seconds(55)),
          .setPosition(of: MethodTests.track, to: .seconds(1)), .open("file:///a.flac"), .setVolume(0.5), .setRate(2),
          .setShuffle(true), .setLoop(.track), .next, .previous, .stop, .quit,
        ])
      await client.close()
    }
  }

  @Test("The events of a player are its state, its changes and its seeks, until it leaves the bus")
  func events() async throws {
    try await withServedPlayer { served in
      let client = try await client(served.bus)
      var events = try await client.player(named: "playerd").events().makeAsyncIterator()
      guard case .changed(let state)? = await events.next() else { throw DBusError.failed("no state") }
      #expect(state.status == .playing)
      served.fake.change { $0.status = .paused }
      guard case .changed(let paused)? = await events.next() else { throw DBusError.failed("no change") }
      #expect(paused.status == .paused && paused.metadata == state.metadata)
      served.fake.send(.seeked(to: .seconds(7)))
      #expect(await events.next() == .seeked(to: .seconds(7)))
      await served.connection.close()
      #expect(await events.next() == nil)
      await client.close()
    }
  }

  @Test("The list of players follows the bus")
  func list() async throws {
    try await withPrivateBus { bus in
      let client = try await client(bus)
      var lists = try await client.playerChanges().makeAsyncIterator()
      #expect(await lists.next() == [])
      let service = MPRISService(identity: "My Player", player: FakePlayer()) { [address = bus.address] in address }
      let running = Task { try await service.run() }
      #expect(await lists.next()?.map(\.name) == ["my_player"])
      running.cancel()
      #expect(await lists.next() == [])
      await client.close()
      #expect(await lists.next() == nil)
    }
  }

  @Test("A stream of players that is not read keeps the newest list alone")
  func newestList() async throws {
    try await withPrivateBus { bus in
      let client = try await client(bus)
      var unread = try await client.playerChanges().makeAsyncIterator()
      var lists = try await client.playerChanges().makeAsyncIterator()
      #expect(await lists.next() == [])
      let service = MPRISService(identity: "My Player", player: FakePlayer()) { [address = bus.address] in address }
      let running = Task { try await service.run() }
      #expect(await lists.next()?.map(\.name) == ["my_player"])
      // The reply follows the change on the connection, and so the work that the change causes.
      let players = try await client.players()
      #expect(await unread.next() == players)
      running.cancel()
      #expect(await unread.next() == [])
      await client.close()
    }
  }

  @Test("A refused command, an absent player and an absent bus are different errors")
  func errors() async throws {
    try await withServedPlayer { served in
      let client = try await client(served.bus)
      let player = try await client.player(named: "playerd")
      await #expect(throws: MPRISClientError.notRunning("no player 'vlc' is running")) {
        _ = try await client.player(named: "vlc")
      }
      await #expect { try await player.setRate(100) } throws: { error in
        if case MPRISClientError.refused = error { true } else { false }
      }
      await served.connection.close()
      await #expect { try await player.play() } throws: { error in
        if case MPRISClientError.notRunning = error { true } else { false }
      }
      await client.close()
      await #expect { _ = try await client.players() } throws: { error in
        if case MPRISClientError.notRunning = error { true } else { false }
      }
      await #expect(throws: MPRISClientError.notRunning("the connection is closed")) {
        _ = try await client.player(named: "playerd")
      }
    }
    await #expect { _ = try await MPRISClient { nil } } throws: { error in
      if case MPRISClientError.noSessionBus = error { true } else { false }
    }
  }
}
