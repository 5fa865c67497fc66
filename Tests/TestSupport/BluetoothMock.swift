public import DBus
import Synchronization

/// A mock of BlueZ on a private bus: adapters that take players, and the buttons of a headset.
public struct BluetoothMock: Sendable {
  /// A message from a player.
  public enum News: Equatable, Sendable {
    /// A player was registered at an adapter, with these properties.
    case registered(ObjectPath, [String: DBusValue])
    case unregistered(ObjectPath)
    /// The registered player has reported changed properties.
    case changed([String: DBusValue])
    /// The registered player has reported a jump to a position in microseconds.
    case seeked(Int64)
  }

  /// The name of the service.
  public static let name: BusName = "org.bluez"
  private static let media: InterfaceName = "org.bluez.Media1"
  private static let playback: InterfaceName = "org.mpris.MediaPlayer2.Player"

  /// The connection of the service.
  public let connection: DBusConnection
  /// The messages so far.
  public let news = EventLog<News>()
  private let signals: AsyncStream<DBusSignalMessage>
  private let state = State()

  private final class State: Sendable {
    /// The connection that registered a player last.
    let player = Mutex<BusName?>(nil)
    let adapters = Mutex<Set<ObjectPath>>([])
  }

  /// The interfaces of an adapter.
  private static let interfaces = DBusValue.array(
    "{sa{sv}}", [.dictionaryEntry(.string(media.rawValue), .dictionary([]))])

  /// Takes the name of the service on a bus; without an adapter.
  public init(on bus: PrivateBus, _ loop: PollLoop) async throws {
    connection = try await DBusConnection.open(address: bus.address, on: loop)
    // A subscription of any sender: the signals have this connection as their destination.
    signals = try await connection.signals(path: "/org/mpris/MediaPlayer2")
    let manager = DBusInterface<Void>(
      .objectManager,
      methods: [
        DBusMethod("GetManagedObjects", out: ["objects": "a{oa{sa{sv}}}"]) { [state] _ in
          let adapters = state.adapters.withLock { $0 }
          return [.array("{oa{sa{sv}}}", adapters.map { .dictionaryEntry(.objectPath($0), Self.interfaces) })]
        }
      ],
      signals: [
        DBusSignal("InterfacesAdded", ["object": "o", "interfaces": "a{sa{sv}}"]),
        DBusSignal("InterfacesRemoved", ["object": "o", "interfaces": "as"]),
      ])
    try await connection.export(at: "/", [manager]) {}
    guard try await connection.requestName(Self.name) else { throw DBusError.failed("no name") }
  }

  /// Adds an adapter and announces it.
  public func add(_ adapter: ObjectPath) async throws {
    let register = DBusMethod("RegisterPlayer", in: ["player": "o", "properties": "a{sv}"]) {
      [news, state] call in
      state.player.withLock { $0 = call.sender }
      news.append(.registered(adapter, call.arguments.last?.asDictionary ?? [:]))
      return []
    }
    let unregister = DBusMethod("UnregisterPlayer", in: ["player": "o"]) { [news] _ in
      news.append(.unregistered(adapter))
      return []
    }
    try await connection.export(at: adapter, [DBusInterface<Void>(Self.media, methods: [register, unregister])]) {}
    state.adapters.withLock { _ = $0.insert(adapter) }
    try await connection.emit("InterfacesAdded", of: .objectManager, at: "/", [.objectPath(adapter), Self.interfaces])
  }

  /// Removes an adapter and announces that.
  public func remove(_ adapter: ObjectPath) async throws {
    await connection.unexport(adapter)
    state.adapters.withLock { _ = $0.remove(adapter) }
    try await connection.emit(
      "InterfacesRemoved", of: .objectManager, at: "/", [.objectPath(adapter), .strings([Self.media.rawValue])])
  }

  /// The connection that registered a player last.
  public var player: BusName? { state.player.withLock { $0 } }

  /// Records the signals of the registered player until the task is cancelled.
  public func run() async {
    for await signal in signals where signal.sender == player {
      if let changes = signal.changedProperties?.values { news.append(.changed(changes)) }
      if signal.member == "Seeked", let position = signal.arguments.first?.asInt64 { news.append(.seeked(position)) }
    }
  }

  /// Calls a method of the registered player, as BlueZ does for a button of a headset.
  public func press(_ button: MemberName) async throws {
    guard let player else { throw DBusError.failed("no player is registered") }
    _ = try await connection.call(on: player, at: "/org/mpris/MediaPlayer2", of: Self.playback, button)
  }
}
