import DBus
import GstPlayer
import TestSupport
import Testing

@testable import MPRISService
@testable import PlayerMPRIS

/// Tests of a `Player` on the bus.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct PlayerMPRISTests {
  private static let name: BusName = "org.mpris.MediaPlayer2.my_player"
  private static let interface: InterfaceName = "org.mpris.MediaPlayer2.Player"

  @Test("Clients see the tags and the state of a player, and control it")
  func control() async throws {
    let files = [
      try await Media.sine(seconds: 20, tags: Tags(title: "First", artists: ["One"])),
      try await Media.sine(seconds: 20, format: .wav),
    ]
    let player = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true"))
    player.replaceQueue(with: files.map { Player.Item(uri: "file://\($0)") })
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "client")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let signals = try await client.signals(from: Self.name, path: MPRISService.path)
      let log = EventLog<DBusSignalMessage>()
      let service = MPRISService(
        identity: "My Player", player: MPRISPlayerBridge(player, desktopEntry: "my-player"),
        address: { [address = bus.address] in address })
      #expect(service.name == "my_player")
      try await withThrowingTaskGroup { group in
        group.addTask { try await service.run() }
        group.addTask { for await signal in signals { log.append(signal) } }
        for await owner in try await client.owners(of: Self.name) where owner != nil { break }
        try await call("Play", on: client)
        #expect(player.snapshot.transport == .playing)
        try await log.first("the tags", within: 30) { signal in
          signal.changedProperties?.values["Metadata"].map { "\($0)".contains("First") } ?? false
        }
        #expect(try await property("PlaybackStatus", on: client) == .string("Playing"))
        let track = try #require(player.snapshot.currentItem)
        let path = MPRISTrackID(track.id.number).path
        try await call("SetPosition", [.objectPath(path), .int64(10_000_000)], on: client)
        let seeked = try await log.first("the jump", within: 30) { $0.member == "Seeked" }
        #expect(seeked.element.arguments.first == .int64(10_000_000))
        try await call("Next", on: client)
        let last = player.items.last
        #expect(player.snapshot.currentItem == last)
        // Published when the tags of the new track are known.
        let name = try #require(files[1].split(separator: "/").last)
        try await log.first("the next track", within: 30) { signal in
          signal.changedProperties?.values["Metadata"].map { "\($0)".contains(name) } ?? false
        }
        #expect(try await property("CanGoPrevious", on: client) == .boolean(true))
        player.volume = 0.125
        #expect(try await property("Volume", on: client) == .double(0.5))
        group.cancelAll()
      }
    }
    await player.close()
  }

  @Test("An item that is held at its end is paused for clients, and PlayPause plays it again")
  func heldAtEnd() async throws {
    let player = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true"))
    player.actionAtItemEnd = .none
    player.replaceQueue(with: [Player.Item(uri: "file://\(try await Media.sine(seconds: 0.3))")])
    let ends = EventLog<Bool>()
    let observer = player.addEventObserver { event, _ in if case .itemDidPlayToEnd = event { ends.append(true) } }
    let adapter = MPRISPlayerBridge(player)
    try adapter.perform(.play)
    try await ends.first("the end", within: 20)
    #expect(adapter.snapshot().status == .paused && player.snapshot.transport == .playing)
    try adapter.perform(.playPause)
    try await ends.first("the next end", from: 1, within: 20)
    observer.cancel()
    await player.close()
  }

  private func call(_ method: MemberName, _ arguments: [DBusValue] = [], on client: DBusConnection) async throws {
    _ = try await client.call(on: Self.name, at: MPRISService.path, of: Self.interface, method, arguments)
  }

  private func property(_ name: String, on client: DBusConnection) async throws -> DBusValue {
    let reply = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "Get",
      [.string(Self.interface.rawValue), .string(name)])
    guard case .variant(let value)? = reply.first else { throw DBusError.failed("no value") }
    return value
  }
}
