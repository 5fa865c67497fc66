import DBus
import EventLoop
import Glibc
import MPRISService
import Synchronization
import TestSupport
import Testing

/// Tests of a service that finds its bus and its name by itself.
@Suite(.timeLimit(.minutes(1))) struct ServiceTests {
  /// Runs `body` with a private bus and a client that follows the owner of a name.
  private func withOwners(
    of name: BusName = "org.mpris.MediaPlayer2.my_player",
    _ body: (PrivateBus, DBusConnection, EventLog<BusName?>) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "client")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let owners = EventLog<BusName?>()
      let changes = try await client.ownerChanges(of: name)
      try await withThrowingTaskGroup { group in
        group.addTask { for await change in changes { owners.append(change.newOwner) } }
        try await body(bus, client, owners)
        await client.close()
      }
    }
  }

  private func service(_ player: any MPRISPlayer, _ bus: PrivateBus, name: String? = nil) -> MPRISService {
    MPRISService(identity: "My Player", name: name, player: player) { [address = bus.address] in address }
  }

  @Test("The identity determines the bus name and the display name of a player without one")
  func identity() async throws {
    try await withOwners { bus, client, owners in
      let service = service(FakePlayer(MPRISSnapshot()), bus)
      #expect(service.name == "my_player")
      let running = Task { try await service.run() }
      _ = try await owners.first("the service has its name") { $0 != nil }
      let root = DBusProxy(
        ServedPlayer.root, at: MPRISService.path, of: "org.mpris.MediaPlayer2.my_player", on: client)
      #expect(try await root.getAll()["Identity"] == .string("My Player"))
      running.cancel()
      try await running.value
    }
  }

  @Test("Cancelling a service releases its name and returns without an error")
  func cancellation() async throws {
    try await withOwners { bus, _, owners in
      let service = service(FakePlayer(), bus)
      let running = Task { try await service.run() }
      _ = try await owners.first("the service has its name") { $0 != nil }
      running.cancel()
      try await running.value
      _ = try await owners.first("the name is released", from: 1) { $0 == nil }
    }
  }

  @Test("A service ends with the events of its player")
  func endOfEvents() async throws {
    try await withOwners { bus, _, owners in
      let player = FakePlayer()
      let service = service(player, bus)
      let running = Task { try await service.run() }
      _ = try await player.listeners.first("the service reads the events")
      player.finish()
      try await running.value
      _ = try await owners.first("the name is released", from: 1) { $0 == nil }
    }
  }

  @Test("The thread of a service ends after the service has returned")
  func endOfThread() async throws {
    try await withPrivateBus { bus in
      let player = ThreadObservingPlayer()
      let running = Task { try await service(player, bus).run() }
      _ = try await player.fake.listeners.first("the service reads the events")
      running.cancel()
      try await running.value
      _ = try await player.endedThreads.first("the thread of the service ends")
    }
  }

  @Test("A second instance adds its process ID to the name, and a third one in the process fails")
  func instances() async throws {
    try await withOwners(of: try ServiceName.bus("my_player", processID: getpid())) { bus, _, owners in
      let services = (1...2).map { _ in service(FakePlayer(), bus) }
      let running = services.map { service in Task { try await service.run() } }
      _ = try await owners.first("one of the services has the suffix") { $0 != nil }
      await #expect { try await service(FakePlayer(), bus).run() } throws: { error in
        guard case MPRISServiceError.notExported(let reason) = error else { return false }
        return reason.contains("has another owner")
      }
      for service in running { service.cancel() }
    }
  }

  @Test("A service reads the events of its player once, and is back with its changes after a restart of the bus")
  func restart() async throws {
    try await withOwners { bus, _, owners in
      let player = FakePlayer()
      let service = service(player, bus)
      let running = Task { try await service.run() }
      _ = try await owners.first("the service has its name") { $0 != nil }
      _ = try await player.listeners.first("the service reads the events")
      try await bus.restart()
      let loop = PollLoop(name: "again")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let name: BusName = "org.mpris.MediaPlayer2.my_player"
      let changes = try await client.ownerChanges(of: name)
      if await client.owner(of: name) == nil {
        try await deadline(10, "the name is back") {
          for await change in changes where change.newOwner != nil { return }
        }
      }
      let signals = try await client.signals(from: name, path: MPRISService.path, interface: .properties)
      player.change { $0.status = .paused }
      try await deadline(10, "the change is emitted") {
        for await signal in signals
        where signal.changedProperties?.values["PlaybackStatus"] == .string("Paused") { return }
      }
      #expect(player.listeners.count == 1)
      running.cancel()
      try await running.value
    }
  }

  @Test("A jump before the service has its name is signalled once clients can see the player")
  func earlyJump() async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "client")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let seeks = try await client.signals(path: MPRISService.path, interface: ServedPlayer.player, member: "Seeked")
      let running = Task { try await service(JumpingPlayer(), bus).run() }
      let seek = try await deadline(10, "the jump") { await seeks.first { _ in true } }
      #expect(seek?.arguments == [.int64(42_000_000)])
      running.cancel()
      try await running.value
    }
  }

  @Test("A service without a bus, and one with an invalid name, fail with the reason")
  func failures() async throws {
    let lonely = MPRISService(identity: "My Player", player: FakePlayer()) { nil }
    await #expect(throws: MPRISServiceError.noSessionBus("the environment has no address of the bus")) {
      try await lonely.run()
    }
    try await withPrivateBus { bus in
      await #expect { try await service(FakePlayer(), bus, name: "my player").run() } throws: { error in
        guard case MPRISServiceError.notExported(let reason) = error else { return false }
        return reason.contains("org.mpris.MediaPlayer2.my player")
      }
    }
  }

  @Test(
    "Any identity gives a valid name",
    arguments: [
      ("My Player", "my_player"), ("VLC media player", "vlc_media_player"), ("  a--b!", "a_b"),
      ("8 Tracks", "_8_tracks"),
      ("音楽", "player"), ("", "player"), ("Café", "caf"),
    ])
  func names(identity: String, name: String) throws {
    #expect(MPRISService(identity: identity, player: FakePlayer()).name == name)
    _ = try ServiceName.bus(name, processID: .max)
    _ = try MPRISTrackPathPrefix("/\(name)/track")
    #expect(MPRISTrackID(1).path.rawValue == "\(MPRISTrackPathPrefix.program)/1")
  }

  @Test("A name stays below the limit of a bus name")
  func longIdentity() throws {
    let service = MPRISService(identity: String(repeating: "long ", count: 100), player: FakePlayer())
    _ = try ServiceName.bus(service.name, processID: .max)
  }
}

/// A player that jumps when its position is read for the first time.
private final class JumpingPlayer: MPRISPlayer {
  let fake = FakePlayer()
  private let hasJumped = Mutex(false)

  func snapshot() -> MPRISSnapshot {
    if !hasJumped.withLock({ hasJumped in
      defer { hasJumped = true }
      return hasJumped
    }) {
      fake.send(.seeked(to: .seconds(42)))
    }
    return fake.snapshot()
  }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) { try fake.perform(command) }

  func events() -> AsyncStream<MPRISPlayerEvent> { fake.events() }
}

/// A player that reports the end of the thread on which the service takes its snapshots.
private struct ThreadObservingPlayer: MPRISPlayer {
  let fake = FakePlayer()
  /// A log with one entry for each thread that has ended.
  let endedThreads = EventLog<Void>()

  /// The key of a value that each thread releases at its end.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key) { log in
      if let log = unsafe log { unsafe Unmanaged<EventLog<Void>>.fromOpaque(log).takeRetainedValue().append(()) }
    }
    precondition(status == 0, "no key for values of a thread")
    return key
  }()

  func snapshot() -> MPRISSnapshot {
    if unsafe pthread_getspecific(Self.key) == nil {
      unsafe pthread_setspecific(Self.key, Unmanaged.passRetained(endedThreads).toOpaque())
    }
    return fake.snapshot()
  }

  func perform(_ command: MPRISCommand) throws(MPRISCommandError) { try fake.perform(command) }

  func events() -> AsyncStream<MPRISPlayerEvent> { fake.events() }
}
