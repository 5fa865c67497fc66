package import DBus
import Synchronization

/// Serves `org.playerd.Control1`: the requests of the command line that MPRIS has no call for.
///
/// The daemon's name is on the bus before there is a player.
package final class ControlInterface: Sendable {
  package static let name: InterfaceName = "org.playerd.Control1"

  static let open = MethodDeclaration(
    "Open", in: [Argument("uris", "as"), Argument("options", "a{sv}")], out: [Argument("report", "a{sv}")])
  static let save = MethodDeclaration(
    "Save", in: [Argument("name", "s"), Argument("replace", "b")], out: [Argument("path", "s")])
  static let getStatus = MethodDeclaration("GetStatus", out: [Argument("status", "a{sv}")])
  static let getQueue = MethodDeclaration(
    "GetQueue", in: [Argument("offset", "u"), Argument("count", "u")],
    out: [Argument("revision", "t"), Argument("total", "u"), Argument("tracks", "aa{sv}")])
  static let removeTracks = MethodDeclaration("RemoveTracks", in: [Argument("indices", "au")])
  static let moveTrack = MethodDeclaration("MoveTrack", in: [Argument("from", "u"), Argument("to", "u")])
  static let playTrack = MethodDeclaration("PlayTrack", in: [Argument("index", "u")])
  static let clear = MethodDeclaration("Clear")
  static let getPlaylists = MethodDeclaration("GetPlaylists", out: [Argument("names", "as")])
  static let getPlaylistURI = MethodDeclaration(
    "GetPlaylistUri", in: [Argument("name", "s")], out: [Argument("uri", "s")])
  static let setOutput = MethodDeclaration(
    "SetOutput", in: [Argument("id", "s")], out: [Argument("found", "b"), Argument("outputs", "aa{sv}")])
  static let setMuted = MethodDeclaration("SetMuted", in: [Argument("muted", "b")])
  static let getConfiguration = MethodDeclaration("GetConfiguration", out: [Argument("toml", "s")])
  static let reload = MethodDeclaration("Reload", out: [Argument("next_start", "as")])

  /// Takes a request to open URIs with options, and replies when it is carried out.
  package typealias Opener =
    @Sendable ([String], [String: Value], @escaping @Sendable (OpenReport) -> Void) throws(DBusError) -> Void
  /// The work of a call that is answered later.
  package typealias Job = @Sendable () async -> Void

  private let opener: Opener
  private let attached = Mutex<(any ControlledPlayer)?>(nil)
  /// The work of calls that take their time, to be done one after the other; read once.
  package let jobs: AsyncStream<Job>
  private let inbox: AsyncStream<Job>.Continuation

  /// Creates an interface without a player; requests to open are accepted already.
  package init(opener: @escaping Opener) {
    self.opener = opener
    (jobs, inbox) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(16))
  }

  /// Sends all other calls to a player from now on.
  package func attach(_ player: any ControlledPlayer) { attached.withLock { $0 = player } }

  private func player() throws(DBusError) -> any ControlledPlayer {
    guard let player = attached.withLock({ $0 }) else { throw .failed("the instance is still starting") }
    return player
  }

  private func perform(_ job: @escaping Job) throws(DBusError) {
    if case .dropped = inbox.yield(job) { throw .limitsExceeded("too many calls wait for an answer") }
  }

  // MARK: Rows

  /// The interface, to be exported beside `org.playerd.Monitor1`.
  package var rows: Interface<MonitorSnapshot> {
    Interface(
      Self.name, methods: opening + queue + playlists + sound + configuration,
      properties: [
        Property("QueueIndex", "i", changes: .never) { .int32(Int32(clamping: $0.queueIndex ?? -1)) },
        Property("QueueCount", "u", changes: .never) { .uint32(UInt32(clamping: $0.queueCount)) },
      ])
  }

  private var opening: [Method] {
    [
      Method(
        Self.open,
        later: { [opener] call, reply throws(DBusError) in
          guard call.arguments.count == 2, let uris = call.arguments[0].asStrings,
            let options = call.arguments[1].asDictionary
          else { throw .invalidArguments("Open takes a list of URIs and a dictionary of options") }
          try opener(uris, options) { reply(.success([.dictionary($0.values)])) }
        }),
      Method(
        Self.save,
        later: { [self] call, reply throws(DBusError) in
          guard call.arguments.count == 2, let text = call.arguments[0].asString,
            let replaces = call.arguments[1].asBool
          else { throw .invalidArguments("Save takes a name and whether to replace") }
          guard let name = PlaylistName(text) else { throw .invalidArguments(PlaylistName.rule) }
          let player = try player()
          try perform { reply(player.saveQueue(as: name, replacing: replaces).map { [.string($0)] }) }
        }),
    ]
  }

  private var queue: [Method] {
    [
      Method(Self.getStatus) { [self] _ throws(DBusError) in [.dictionary(try player().status().values)] },
      Method(
        Self.getQueue,
        later: { [self] call, reply throws(DBusError) in
          let (player, offset, count) = try (player(), Self.index(0, of: call), Self.index(1, of: call))
          try perform {
            let page = await player.tracks(from: offset, count: count)
            reply(
              .success([
                .uint64(page.revision), .uint32(UInt32(clamping: page.total)),
                .array("a{sv}", page.rows.map { .dictionary($0.values) }),
              ]))
          }
        }),
      Method(Self.removeTracks) { [self] call throws(DBusError) in
        guard case .array(_, let indices)? = call.arguments.first else {
          throw .invalidArguments("no list of indices")
        }
        try player().removeTracks(at: indices.compactMap { $0.asInt64.map { Int($0) } })
        return []
      },
      Method(Self.moveTrack) { [self] call throws(DBusError) in
        try player().moveTrack(from: Self.index(0, of: call), to: Self.index(1, of: call))
        return []
      },
      Method(Self.playTrack) { [self] call throws(DBusError) in
        try player().playTrack(at: Self.index(0, of: call))
        return []
      },
      Method(Self.clear) { [self] _ throws(DBusError) in
        try player().clear()
        return []
      },
    ]
  }

  private var playlists: [Method] {
    [
      Method(Self.getPlaylists) { [self] _ throws(DBusError) in [.strings(try player().playlistNames)] },
      Method(Self.getPlaylistURI) { [self] call throws(DBusError) in
        [.string(try player().playlistURI(named: call.arguments.first?.asString ?? "") ?? "")]
      },
    ]
  }

  private var sound: [Method] {
    [
      Method(
        Self.setOutput,
        later: { [self] call, reply throws(DBusError) in
          let (player, id) = (try player(), call.arguments.first?.asString ?? "")
          try perform {
            let selection = await player.setOutput(id)
            let rows = selection.outputs.map { Value.dictionary($0.values) }
            reply(.success([.boolean(selection.isFound), .array("a{sv}", rows)]))
          }
        }),
      Method(Self.setMuted) { [self] call throws(DBusError) in
        try player().setMuted(call.arguments.first?.asBool ?? false)
        return []
      },
    ]
  }

  private var configuration: [Method] {
    [
      Method(Self.getConfiguration) { [self] _ throws(DBusError) in [.string(try player().configurationText)] },
      Method(Self.reload) { [self] _ throws(DBusError) in [.strings(try player().reload())] },
    ]
  }

  /// An index among the arguments of a call.
  private static func index(_ position: Int, of call: Call) throws(DBusError) -> Int {
    guard call.arguments.indices.contains(position), let index = call.arguments[position].asInt64 else {
      throw .invalidArguments("an index is missing")
    }
    return Int(index)
  }
}
