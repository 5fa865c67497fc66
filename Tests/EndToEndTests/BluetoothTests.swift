import DBus
import EventLoop
import TestSupport
import Testing

/// Tests of the buttons and the display of a headset, with a mock of BlueZ.
@Suite("Bluetooth buttons")
struct BluetoothTests {
  private static let adapter: ObjectPath = "/org/bluez/hci0"
  private static let player = DaemonUnderTest.player

  /// Another player on the session bus.
  private struct OtherPlayer: Sendable {
    private let connection: DBusConnection
    private let object: DBusExportedObject<String>

    init(on bus: PrivateBus, _ loop: PollLoop, status: String) async throws {
      connection = try await DBusConnection.open(address: bus.address, on: loop)
      let row = DBusProperty<String>("PlaybackStatus", "s") { .string($0) }
      object = try await connection.export(
        at: DaemonUnderTest.path, [DBusInterface(BluetoothTests.player, properties: [row])]
      ) { status }
      guard try await connection.requestName("org.mpris.MediaPlayer2.other") else {
        throw UnexpectedReply(text: "no name")
      }
    }

    func set(_ status: String) async { await connection.publish(object, showing: status) }
  }

  /// Runs `body` with a daemon and BlueZ on one bus; the files play unless they are paused.
  private func withHeadset(
    _ options: [String] = [], _ body: @Sendable (DaemonUnderTest, BluetoothMock, PollLoop) async throws -> Void
  ) async throws {
    let files = [
      try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "One")),
      try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Two")),
    ]
    let loop = PollLoop(name: "bluez")
    defer { loop.stop() }
    try await withPrivateBus { bus in
      let bluez = try await BluetoothMock(on: bus, loop)
      try await withThrowingTaskGroup { group in
        group.addTask { await bluez.run() }
        defer { group.cancelAll() }
        try await withDaemon(options + files, on: bus, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) {
          daemon in
          try await daemon.titled("One")
          try await body(daemon, bluez, loop)
        }
      }
    }
  }

  @discardableResult
  private func registered(
    _ bluez: BluetoothMock, at adapter: ObjectPath = adapter, from start: Int = 0
  ) async throws -> [String: DBusValue] {
    let entry = try await bluez.news.first("a registration", from: start, within: 30) {
      if case .registered(adapter, _) = $0 { true } else { false }
    }
    guard case .registered(_, let properties) = entry.element else { return [:] }
    return properties
  }

  private func changed(_ bluez: BluetoothMock, _ key: String, to value: String, from start: Int = 0) async throws {
    try await bluez.news.first("\(key) \(value)", from: start, within: 30) {
      if case .changed(let changes) = $0 { changes[key] == .string(value) } else { false }
    }
  }

  @Test("An adapter gets the player, and its buttons control it; BlueZ alone receives the signals")
  func buttons() async throws {
    try await withHeadset { daemon, bluez, _ in
      try await bluez.add(Self.adapter)
      let properties = try await registered(bluez)
      #expect(properties["PlaybackStatus"] == .string("Playing"))
      #expect(properties["Metadata"]?.asDictionary?["xesam:title"] == .string("One"))
      #expect(properties["Identity"] == .string("mpris-playerd"))
      let sender = try #require(bluez.player)
      let others = EventLog<DBusSignalMessage>()
      let signals = try await daemon.client.signals(from: sender)
      try await withThrowingTaskGroup { group in
        group.addTask { for await signal in signals { others.append(signal) } }
        defer { group.cancelAll() }
        try await bluez.press("Pause")
        try await changed(bluez, "PlaybackStatus", to: "Paused")
        #expect(try await daemon.status() == "Paused")
        let place = bluez.news.count
        try await bluez.press("Next")
        try await bluez.news.first("the next track", from: place, within: 30) {
          if case .changed(let changes) = $0 {
            changes["Metadata"]?.asDictionary?["xesam:title"] == .string("Two")
          } else {
            false
          }
        }
        try await daemon.call("SetPosition", [daemon.metadata("mpris:trackid") ?? .byte(0), .int64(20_000_000)])
        try await bluez.news.first("the position", from: place, within: 30) {
          if case .seeked(20_000_000) = $0 { true } else { false }
        }
        try await daemon.barrier()
        #expect(others.count == 0, "signals of the registered player that all users can read")
      }
      let lists = await #expect(throws: DBusError.self) {
        try await bluez.connection.call(
          on: sender, at: DaemonUnderTest.path, of: "org.mpris.MediaPlayer2", "Quit")
      }
      #expect(lists?.name == "org.freedesktop.DBus.Error.UnknownInterface")
    }
  }

  @Test(
    "Signals that playerctld repeats are not taken for another player", .enabled(if: Tool.areAvailable("playerctld")))
  func repeated() async throws {
    try await withHeadset(["--paused"]) { daemon, bluez, _ in
      try await bluez.add(Self.adapter)
      try await registered(bluez)
      let repeater: BusName = "org.mpris.MediaPlayer2.playerctld"
      let echoes = try await daemon.client.signals(from: repeater, path: DaemonUnderTest.path)
      let owners = try await daemon.client.owners(of: repeater)
      try await withChildProcess(["playerctld"], environment: daemon.bus.environment) { _ in
        try await deadline(10, "playerctld has its name") { for await owner in owners where owner != nil { return } }
        // The daemon asks the bus twice about each repeated signal; the later rounds end after its decision about the first.
        for _ in 0..<10 {
          try await bluez.press("Play")
          try await deadline(10, "the repeated signal") {
            for await echo in echoes where echo.changes?["PlaybackStatus"] == .string("Playing") { return }
          }
          let place = bluez.news.count
          try await bluez.press("Pause")
          try await changed(bluez, "PlaybackStatus", to: "Paused", from: place)
        }
        #expect(!bluez.news.elements.contains(.unregistered(Self.adapter)))
      }
    }
  }

  @Test("The player is registered at an adapter that returns, at a second one, and at a restarted BlueZ")
  func adapters() async throws {
    try await withHeadset { daemon, bluez, loop in
      try await bluez.add(Self.adapter)
      try await registered(bluez)
      try await bluez.add("/org/bluez/hci1")
      try await registered(bluez, at: "/org/bluez/hci1")
      let place = bluez.news.count
      try await bluez.remove(Self.adapter)
      try await bluez.add(Self.adapter)
      try await registered(bluez, from: place)
      await bluez.connection.close()
      let restarted = try await BluetoothMock(on: daemon.bus, loop)
      try await restarted.add(Self.adapter)
      try await registered(restarted)
      try await restarted.press("Pause")
      #expect(try await daemon.status() == "Paused")
    }
  }

  @Test("The player that started to play last has the buttons")
  func others() async throws {
    try await withHeadset { daemon, bluez, loop in
      try await bluez.add(Self.adapter)
      try await registered(bluez)
      let other = try await OtherPlayer(on: daemon.bus, loop, status: "Paused")
      await other.set("Playing")
      let left = try await bluez.news.first("the end of the registration", within: 30) {
        $0 == .unregistered(Self.adapter)
      }
      try await daemon.call("Pause")
      try await daemon.call("Play")
      try await registered(bluez, from: left.index)
    }
  }

  @Test("A player that is paused leaves the buttons to another one that plays already")
  func earlier() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "One"))
    let loop = PollLoop(name: "bluez")
    defer { loop.stop() }
    try await withPrivateBus { bus in
      let bluez = try await BluetoothMock(on: bus, loop)
      try await bluez.add(Self.adapter)
      _ = try await OtherPlayer(on: bus, loop, status: "Playing")
      try await withDaemon(["--paused", file], on: bus, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) {
        daemon in
        try await daemon.opened(titled: "One")
        try await daemon.call("Play")
        #expect(try await registered(bluez)["PlaybackStatus"] == .string("Playing"))
      }
    }
  }
}
