package import DBus
import Synchronization

/// The server of `org.playerd.Control1`: the requests of the command line that MPRIS does not cover.
///
/// The daemon owns its bus name before the player exists.
package final class ControlInterface: Sendable {
  package static let name: InterfaceName = "org.playerd.Control1"

  static let open = DBusMethodDeclaration("Open", in: ["uris": "as", "options": "a{sv}"], out: ["report": "a{sv}"])
  static let save = DBusMethodDeclaration("Save", in: ["name": "s", "replace": "b"], out: ["path": "s"])
  static let getStatus = DBusMethodDeclaration("GetStatus", out: ["status": "a{sv}"])
  static let getQueue = DBusMethodDeclaration(
    "GetQueue", in: ["offset": "u", "count": "u"], out: ["revision": "t", "total": "u", "tracks": "aa{sv}"])
  static let removeTracks = DBusMethodDeclaration("RemoveTracks", in: ["indices": "au"])
  static let moveTrack = DBusMethodDeclaration("MoveTrack", in: ["from": "u", "to": "u"])
  static let playTrack = DBusMethodDeclaration("PlayTrack", in: ["index": "u"])
  static let clear = DBusMethodDeclaration("Clear")
  static let undo = DBusMethodDeclaration("Undo")
  static let getPlaylists = DBusMethodDeclaration("GetPlaylists", out: ["names": "as"])
  static let getPlaylistURI = DBusMethodDeclaration("GetPlaylistUri", in: ["name": "s"], out: ["uri": "s"])
  static let setOutput = DBusMethodDeclaration("SetOutput", in: ["id": "s"], out: ["found": "b", "outputs": "aa{sv}"])
  static let setMuted = DBusMethodDeclaration("SetMuted", in: ["muted": "b"])
  static let getConfiguration = DBusMethodDeclaration("GetConfiguration", out: ["toml": "s"])
  static let getRecording = DBusMethodDeclaration(
    "GetRecording", in: ["with_names": "b"],
    out: ["version": "s", "configuration": "as", "lines": "as", "names": "a{sv}"])
  static let reload = DBusMethodDeclaration("Reload", out: ["next_start": "as"])

  /// A function that accepts a request to open URIs with options, and replies when the request is complete.
  package typealias OpenHandler =
    @Sendable ([String], [String: DBusValue], @escaping @Sendable (OpenReport) -> Void) throws(DBusError) -> Void
  /// The work of a call whose reply is deferred.
  package typealias Job = @Sendable () async -> Void

  private let opener: OpenHandler
  private let attached = Mutex<(any ControlledPlayer)?>(nil)
  /// The work of calls with deferred replies, to be run one after the other; read by one consumer.
  package let jobs: AsyncStream<Job>
  private let inbox: AsyncStream<Job>.Continuation

  /// Creates an interface without a player; it already accepts requests to open.
  package init(opener: @escaping OpenHandler) {
    self.opener = opener
    (jobs, inbox) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(16))
  }

  /// Sends all other calls to this player from now on.
  package func attach(_ player: any ControlledPlayer) { attached.withLock { $0 = player } }

  private func player() throws(DBusError) -> any ControlledPlayer {
    guard let player = attached.withLock({ $0 }) else { throw .failed("the instance is still starting") }
    return player
  }

  private func perform(_ job: @escaping Job) throws(DBusError) {
    if case .dropped = inbox.yield(job) { throw .limitsExceeded("too many calls wait for a reply") }
  }

  // MARK: Rows

  /// The interface, for export beside `org.playerd.Monitor1`.
  package var rows: DBusInterface<MonitorSnapshot> {
    DBusInterface(
      Self.name, methods: methods,
      properties: [
        DBusProperty("QueueIndex", "i", changes: .never) { .int32(Int32(clamping: $0.queueIndex ?? -1)) },
        DBusProperty("QueueCount", "u", changes: .never) { .uint32(UInt32(clamping: $0.queueCount)) },
      ])
  }

  private var methods: [DBusMethod] {
    [
      DBusMethod(
        Self.open,
        later: { [opener] call, reply throws(DBusError) in
          guard call.arguments.count == 2, let uris = call.arguments[0].asStrings,
            let options = call.arguments[1].asDictionary
          else { throw .invalidArguments("Open takes a list of URIs and a dictionary of options") }
          try opener(uris, options) { reply(.success([.dictionary($0.values)])) }
        }),
      DBusMethod(
        Self.save,
        later: { [self] call, reply throws(DBusError) in
          guard let name = PlaylistName(call.text(0)) else { throw .invalidArguments(PlaylistName.rule) }
          let player = try player()
          try perform { reply(player.saveQueue(as: name, replacing: call.truth(1)).map { [.string($0)] }) }
        }),
      DBusMethod(Self.getStatus) { [self] _ throws(DBusError) in [.dictionary(try player().status().values)] },
      method(
        Self.getQueue,
        later: { player, call in
          let page = await player.tracks(from: call.index(0), count: call.index(1))
          return [
            .uint64(page.revision), .uint32(UInt32(clamping: page.total)),
            .array("a{sv}", page.rows.map { .dictionary($0.values) }),
          ]
        }),
      DBusMethod(Self.removeTracks) { [self] (indices: [UInt32]) throws(DBusError) in
        try player().removeTracks(at: indices.map { Int($0) })
      },
      DBusMethod(Self.moveTrack) { [self] (source: UInt32, target: UInt32) throws(DBusError) in
        try player().moveTrack(from: Int(source), to: Int(target))
      },
      DBusMethod(Self.playTrack) { [self] (index: UInt32) throws(DBusError) in
        try player().playTrack(at: Int(index))
      },
      DBusMethod(Self.clear) { [self] () throws(DBusError) in try player().clear() },
      DBusMethod(Self.undo) { [self] () throws(DBusError) in try player().undo() },
      DBusMethod(Self.getPlaylists) { [self] () throws(DBusError) in try player().playlistNames },
      DBusMethod(Self.getPlaylistURI) { [self] (name: String) throws(DBusError) in
        try player().playlistURI(named: name) ?? ""
      },
      method(
        Self.setOutput,
        later: { player, call in
          let selection = await player.setOutput(call.text(0))
          return [.boolean(selection.isFound), .array("a{sv}", selection.outputs.map { .dictionary($0.values) })]
        }),
      DBusMethod(Self.setMuted) { [self] (isMuted: Bool) throws(DBusError) in try player().setMuted(isMuted) },
      DBusMethod(Self.getConfiguration) { [self] () throws(DBusError) in try player().configurationText },
      method(Self.getRecording, later: { player, call in player.recording(withNames: call.truth(0)).values }),
      DBusMethod(Self.reload) { [self] () throws(DBusError) in try player().reload() },
    ]
  }

  /// Creates a row whose reply is sent by one of the ``jobs``.
  private func method(
    _ declaration: DBusMethodDeclaration,
    later body: @escaping @Sendable (any ControlledPlayer, DBusCall) async -> [DBusValue]
  ) -> DBusMethod {
    DBusMethod(
      declaration,
      later: { [self] call, reply throws(DBusError) in
        let player = try player()
        try perform { reply(.success(await body(player, call))) }
      })
  }
}

/// Access to the arguments of a call; the row has checked their types.
extension DBusCall {
  fileprivate func text(_ position: Int) -> String { arguments.dropFirst(position).first?.asString ?? "" }
  fileprivate func truth(_ position: Int) -> Bool { arguments.dropFirst(position).first?.asBool ?? false }
  fileprivate func index(_ position: Int) -> Int { Int(arguments.dropFirst(position).first?.asInt64 ?? 0) }
}
