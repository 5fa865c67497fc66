import DBus
import MPRISService

/// `org.playerd.Control1` at `/org/playerd`: how a second start of the command hands its items to the first, and what
/// `status` shows of the queue, of which TrackList tells a part only; and how `save` has the queue saved.
enum ControlInterface {
  /// The rows; `open` is called for each accepted request, and `save` for each that is answered when it is done.
  static func rows(
    open: @escaping @Sendable (OpenRequest) -> Void,
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
      ],
      properties: [
        Property("QueueIndex", "i", changes: .never) { .int32(Int32(clamping: $0.queueIndex ?? -1)) },
        Property("QueueCount", "u", changes: .never) { .uint32(UInt32(clamping: $0.queueCount)) },
      ])
  }

  /// Has the instance that owns `name` save its queue; returns the path of the file when it is written.
  static func save(
    _ playlist: PlaylistName, replacing: Bool, at name: BusName, over connection: Connection
  ) async throws(DBusError) -> String {
    let reply = try await connection.call(
      name, Names.objectPath, Names.controlInterface, "Save", [.string(playlist.text), .boolean(replacing)])
    return reply.first?.asString ?? ""
  }

  /// Sends a request to the instance that owns `name`; returns when it has accepted.
  static func send(_ request: OpenRequest, to name: BusName, over connection: Connection) async throws(DBusError) {
    _ = try await connection.call(
      name, Names.objectPath, Names.controlInterface, "Open", [.strings(request.uris), .dictionary(request.options)],
      timeout: .seconds(5))
  }
}
