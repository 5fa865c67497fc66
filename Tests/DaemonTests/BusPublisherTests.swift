import DBus
import EventLoop
import Logging
import MPRISService
import Playback
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Publication of changes on the bus") struct BusPublisherTests {
  /// A published player, and a client that receives the signals of its objects in one stream.
  private struct Published: Sendable {
    let player: Player
    let settings: Settings
    let loop: PollLoop
    let signals = EventLog<DBusSignalMessage>()

    init(on loop: PollLoop) {
      self.loop = loop
      player = ScriptedMedia().makePlayer(Player.Configuration(), observers: LoopObservers(loop: loop))
      settings = Settings(ConfigurationSources(), threshold: LogThreshold()) { () throws(ConfigurationError) in
        var reloaded = ConfigurationSources()
        reloaded.override(["allow-quit": .boolean(false)])
        return reloaded
      }
    }

    /// Returns the interfaces of the properties that `change` changes, in the order of their signals; it is called on
    /// the thread of the bus, so it is complete before its events are delivered.
    func interfaces(changedBy change: @escaping @Sendable (Player) -> Void) async throws -> [String] {
      let first = signals.count
      loop.submit {
        change(player)
        player.loop = player.loop == .track ? .none : .track
      }
      let mark = try await signals.first("the mark", from: first) { $0.changes("LoopStatus") }
      return signals.elements[first..<mark.index].compactMap(\.arguments.first?.asString)
    }
  }

  private func withPublished(_ body: (Published) async throws -> Void) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let published = Published(on: loop)
      let log = Logger(label: "test")
      let parts = BridgedPlayer(
        published.player, ScriptedMedia(), opens: OpenQueue(), settings: published.settings, on: loop,
        opener: QueueExecutor(label: "test.opener"), pictures: QueueExecutor(label: "test.art"), log: log, quit: {})
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      let service = MonitorService(parts.publisher.monitor, on: connection, at: PlayerdName.object)
      try await service.export(beside: [
        ExtrasInterface(player: parts.extras, on: DBusCallQueue()).rows.reading { $0.extras }
      ])
      await parts.publisher.attach(service)
      let exported = MPRISExportedPlayer(parts.bridge, on: connection)
      try #require(await exported.announce(as: "org.mpris.MediaPlayer2.playerd"))
      let signals = try await client.signals(from: connection.uniqueName)
      try await withThrowingTaskGroup { group in
        group.addTask { await parts.publisher.run(exported, until: connection) }
        group.addTask { for await signal in signals { published.signals.append(signal) } }
        defer { group.cancelAll() }
        _ = try await published.interfaces { _ in }
        try await body(published)
        await client.close()
      }
      await published.player.close()
    }
  }

  private static let mpris = "org.mpris.MediaPlayer2.Player"

  @Test("A change of all objects is published by MPRIS, Monitor1 and Extras1 in this order")
  func order() async throws {
    try await withPublished { published in
      let interfaces = try await published.interfaces { player in
        player.transaction {
          player.actionAtItemEnd = .stop
          player.isMuted = true
          player.volume = 0.5
        }
      }
      #expect(interfaces == [Self.mpris, "org.playerd.Monitor1", "org.playerd.Extras1"])
    }
  }

  @Test("Each decision is published with its own state; a change without a property is not published")
  func decisions() async throws {
    try await withPublished { published in
      let first = published.signals.count
      let interfaces = try await published.interfaces { player in
        player.volume = 0.001
        player.preferredForwardBufferDuration = .seconds(9)
        player.volume = 0.008
      }
      #expect(interfaces == [Self.mpris, Self.mpris])
      let volumes = published.signals.elements[first...].prefix(2).map { $0.arguments.dropFirst().first?.asDictionary }
      #expect(volumes == [["Volume": .double(0.1)], ["Volume": .double(0.2)]])
    }
  }

  @Test("An edit of the list is published, also if the current track stays")
  func list() async throws {
    try await withPublished { published in
      _ = try await published.interfaces { $0.replaceQueue(with: [Player.Item(uri: "file:///nowhere/a")]) }
      let first = published.signals.count
      published.player.append(contentsOf: [Player.Item(uri: "file:///nowhere/b")])
      _ = try await published.signals.first("the new track", from: first) { $0.member == "TrackAdded" }
    }
  }

  @Test("A reload is published")
  func reload() async throws {
    try await withPublished { published in
      let first = published.signals.count
      try published.settings.reload(log: Logger(label: "test"))
      _ = try await published.signals.first("the ability", from: first) { $0.changes("CanQuit") }
    }
  }
}

extension DBusSignalMessage {
  fileprivate func changes(_ property: String) -> Bool {
    arguments.count == 3 && arguments[1].asDictionary?[property] != nil
  }
}
