import DBus
import GstPlayer
import MPRISService
import Synchronization

/// `org.playerd.Control1` at `/org/playerd`: the requests of the command line that MPRIS has no call for.
enum ControlInterface {
  /// The rows; `open` is called for each request, and replies when it is carried out.
  static func rows(
    _ receiver: ControlReceiver,
    open: @escaping @Sendable (OpenRequest, @escaping @Sendable (OpenReport) -> Void) -> Void
  ) -> Interface<MonitorSnapshot> {
    Interface(
      Names.controlInterface,
      methods: [
        Method(
          "Open", in: [Argument("uris", "as"), Argument("options", "a{sv}")], out: [Argument("report", "a{sv}")],
          later: { call, reply throws(DBusError) in
            guard call.arguments.count == 2, let uris = call.arguments[0].asStrings,
              let options = call.arguments[1].asDictionary
            else { throw .invalidArguments("Open takes a list of URIs and a dictionary of options") }
            open(try OpenRequest(uris: uris, options: options)) { reply(.success([.dictionary($0.values)])) }
          }),
        Method(
          "Save", in: [Argument("name", "s"), Argument("replace", "b")], out: [Argument("path", "s")],
          later: { call, reply throws(DBusError) in
            guard call.arguments.count == 2, let text = call.arguments[0].asString,
              let replaces = call.arguments[1].asBool
            else { throw .invalidArguments("Save takes a name and whether to replace") }
            guard let name = PlaylistName(text) else { throw .invalidArguments(PlaylistName.rule) }
            let player = try receiver.player()
            try receiver.perform { reply(player.saveQueue(as: name, replacing: replaces).map { [.string($0)] }) }
          }),
        Method("GetStatus", out: [Argument("status", "a{sv}")]) { _ throws(DBusError) in
          [.dictionary(try receiver.player().status().values)]
        },
        Method(
          "GetQueue", in: [Argument("offset", "u"), Argument("count", "u")],
          out: [Argument("revision", "t"), Argument("total", "u"), Argument("tracks", "aa{sv}")],
          later: { call, reply throws(DBusError) in
            let (player, offset, count) = try (receiver.player(), index(0, of: call), index(1, of: call))
            try receiver.perform {
              let page = await player.tracks(from: offset, count: count)
              reply(
                .success([
                  .uint64(page.revision), .uint32(UInt32(clamping: page.total)),
                  .array("a{sv}", page.rows.map { .dictionary($0.values) }),
                ]))
            }
          }),
        Method("RemoveTracks", in: [Argument("indices", "au")]) { call throws(DBusError) in
          guard case .array(_, let indices)? = call.arguments.first else {
            throw .invalidArguments("no list of indices")
          }
          try receiver.player().removeTracks(at: indices.compactMap { $0.asInt64.map { Int($0) } })
          return []
        },
        Method("MoveTrack", in: [Argument("from", "u"), Argument("to", "u")]) { call throws(DBusError) in
          try receiver.player().moveTrack(from: index(0, of: call), to: index(1, of: call))
          return []
        },
        Method("PlayTrack", in: [Argument("index", "u")]) { call throws(DBusError) in
          try receiver.player().playTrack(at: index(0, of: call))
          return []
        },
        Method("Clear") { _ throws(DBusError) in
          try receiver.player().clear()
          return []
        },
        Method("GetPlaylists", out: [Argument("names", "as")]) { _ throws(DBusError) in
          [.strings(try receiver.player().playlistNames)]
        },
        Method("GetPlaylistUri", in: [Argument("name", "s")], out: [Argument("uri", "s")]) { call throws(DBusError) in
          [.string(try receiver.player().playlistURI(named: call.arguments.first?.asString ?? "") ?? "")]
        },
        Method(
          "SetOutput", in: [Argument("id", "s")], out: [Argument("found", "b"), Argument("outputs", "aa{sv}")],
          later: { call, reply throws(DBusError) in
            let (player, id) = (try receiver.player(), call.arguments.first?.asString ?? "")
            try receiver.perform {
              let (isFound, outputs) = await player.setOutput(id)
              let rows = outputs.map { Value.dictionary([("id", .string($0.id)), ("name", .string($0.name))]) }
              reply(.success([.boolean(isFound), .array("a{sv}", rows)]))
            }
          }),
        Method("SetMuted", in: [Argument("muted", "b")]) { call throws(DBusError) in
          try receiver.player().setMuted(call.arguments.first?.asBool ?? false)
          return []
        },
        Method("GetConfiguration", out: [Argument("toml", "s")]) { _ throws(DBusError) in
          [.string(try receiver.player().configurationText)]
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

  /// An index among the arguments of a call.
  private static func index(_ position: Int, of call: Call) throws(DBusError) -> Int {
    guard call.arguments.indices.contains(position), let index = call.arguments[position].asInt64 else {
      throw .invalidArguments("an index is missing")
    }
    return Int(index)
  }
}

/// The part of a daemon that `org.playerd.Control1` needs beside opening and saving.
protocol ControlledPlayer: Sendable {
  /// Returns one consistent view of the player.
  func status() -> PlayerStatus
  func setMuted(_ isMuted: Bool)
  /// Plays through the output with this ID, empty for the configured one; returns whether there is one, and all outputs.
  func setOutput(_ id: String) async -> (isFound: Bool, outputs: [AudioOutput])
  /// Saves the queue as a playlist; returns the path of the file.
  func saveQueue(as name: PlaylistName, replacing: Bool) -> Result<String, DBusError>
  /// Returns a part of the queue, once the tags near the current track are known.
  func tracks(from offset: Int, count: Int) async -> QueuePage
  func removeTracks(at indices: [Int]) throws(DBusError)
  func moveTrack(from source: Int, to target: Int) throws(DBusError)
  func playTrack(at index: Int) throws(DBusError)
  func clear()
  /// The names of the saved playlists in natural order.
  var playlistNames: [String] { get }
  func playlistURI(named name: String) -> String?
  /// The configuration in force as TOML, with the origin of each value.
  var configurationText: String { get }
  /// Reads the configuration again; returns the keys that apply at the next start.
  func reload() throws(DBusError) -> [String]
}

/// Where the calls of `org.playerd.Control1` go: the name is on the bus before there is a player.
final class ControlReceiver: Sendable {
  /// What a call is answered with later.
  typealias Job = @Sendable () async -> Void

  private let attached = Mutex<(any ControlledPlayer)?>(nil)
  /// The work of calls that take their time, to be done one after the other; read once.
  let jobs: AsyncStream<Job>
  private let inbox: AsyncStream<Job>.Continuation

  init() { (jobs, inbox) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(16)) }

  /// Has work done off the bus.
  func perform(_ job: @escaping Job) throws(DBusError) {
    if case .dropped = inbox.yield(job) { throw .limitsExceeded("too many calls wait for an answer") }
  }

  func attach(_ player: any ControlledPlayer) { attached.withLock { $0 = player } }

  func player() throws(DBusError) -> any ControlledPlayer {
    guard let player = attached.withLock({ $0 }) else { throw .failed("the instance is still starting") }
    return player
  }
}
