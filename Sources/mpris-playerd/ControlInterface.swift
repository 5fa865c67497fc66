import DBus
import MPRISService
import Synchronization

/// `org.playerd.Control1` at `/org/playerd`: how a second start of the command hands its items to the first, and what
/// `status` shows of the queue, of which TrackList tells a part only; and how `save` has the queue saved.
enum ControlInterface {
  /// The rows; `open` is called for each accepted request, and `save` for each that is answered when it is done.
  static func rows(
    _ receiver: ControlReceiver, open: @escaping @Sendable (OpenRequest) -> Void,
    save: @escaping @Sendable (SaveRequest) throws(DBusError) -> Void
  ) -> Interface<MonitorSnapshot> {
    Interface(
      Names.controlInterface,
      methods: [
        Method("Open", in: [Argument("uris", "as"), Argument("options", "a{sv}")]) { call throws(DBusError) in
          guard call.arguments.count == 2, let uris = call.arguments[0].asStrings,
            let options = call.arguments[1].asDictionary
          else { throw .invalidArguments("Open takes a list of URIs and a dictionary of options") }
          open(try OpenRequest(uris: uris, options: options))
          return []
        },
        Method(
          "Save", in: [Argument("name", "s"), Argument("replace", "b")], out: [Argument("path", "s")],
          later: { call, reply throws(DBusError) in
            guard call.arguments.count == 2, let text = call.arguments[0].asString,
              let replaces = call.arguments[1].asBool
            else { throw .invalidArguments("Save takes a name and whether to replace") }
            guard let name = PlaylistName(text) else { throw .invalidArguments(PlaylistName.rule) }
            try save(SaveRequest(name: name, replaces: replaces) { reply($0.map { [.string($0)] }) })
          }),
        Method("GetStatus", out: [Argument("status", "a{sv}")]) { _ throws(DBusError) in
          [.dictionary(try receiver.player().status().values)]
        },
        Method("SetMuted", in: [Argument("muted", "b")]) { call throws(DBusError) in
          try receiver.player().setMuted(call.arguments.first?.asBool ?? false)
          return []
        },
        Method("Reload", out: [Argument("next_start", "as")]) { _ throws(DBusError) in
          [.strings(try receiver.player().reload())]
        },
      ],
      properties: [
        Property("QueueIndex", "i", changes: .never) { .int32(Int32(clamping: $0.queueIndex ?? -1)) },
        Property("QueueCount", "u", changes: .never) { .uint32(UInt32(clamping: $0.queueCount)) },
      ])
  }

  /// Sends a request to the instance that owns `name`; returns when it has accepted.
  static func send(_ request: OpenRequest, to name: BusName, over connection: Connection) async throws(DBusError) {
    _ = try await connection.call(
      name, Names.objectPath, Names.controlInterface, "Open", [.strings(request.uris), .dictionary(request.options)],
      timeout: .seconds(5))
  }
}

/// The part of a daemon that `org.playerd.Control1` needs beside opening and saving.
protocol ControlledPlayer: Sendable {
  /// Returns one consistent view of the player.
  func status() -> PlayerStatus
  func setMuted(_ isMuted: Bool)
  /// Reads the configuration again; returns the keys that apply at the next start.
  func reload() throws(DBusError) -> [String]
}

/// Where the calls of `org.playerd.Control1` go: the name is on the bus before there is a player.
final class ControlReceiver: Sendable {
  private let attached = Mutex<(any ControlledPlayer)?>(nil)

  func attach(_ player: any ControlledPlayer) { attached.withLock { $0 = player } }

  func player() throws(DBusError) -> any ControlledPlayer {
    guard let player = attached.withLock({ $0 }) else { throw .failed("the instance is still starting") }
    return player
  }
}
