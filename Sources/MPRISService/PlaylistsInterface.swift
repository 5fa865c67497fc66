package import DBus

/// The rows of `org.mpris.MediaPlayer2.Playlists`: what can be played as a whole.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Playlists_Interface.html>
package struct PlaylistsInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2.Playlists"
  static let changed: MemberName = "PlaylistChanged"

  let player: any PlaylistPlayer
  let board: PlaylistBoard

  var rows: Interface<PlayerSnapshot> {
    Interface(
      Self.name, methods: [activatePlaylist, getPlaylists],
      properties: [
        Property(
          "PlaylistCount", "u", differs: { $0.playlistRevisions.count != $1.playlistRevisions.count },
          get: { [board] _ in .uint32(UInt32(clamping: board.playlists.count)) }),
        Property("Orderings", "as") { [orderings = player.playlistOrderings] _ in .strings(orderings.map(\.rawValue)) },
        Property(
          "ActivePlaylist", "(b(oss))", differs: { $0.playlistRevisions.active != $1.playlistRevisions.active },
          get: { [board] _ in board.active.maybe }),
      ],
      signals: [Signal(Self.changed, ["Playlist": "(oss)"])])
  }

  private var activatePlaylist: Method {
    Method("ActivatePlaylist", in: ["PlaylistId": "o"]) { [player, board] call throws(DBusError) in
      guard let id = call.arguments.first?.asObjectPath, board.playlists.contains(where: { $0.id == id }) else {
        throw .invalidArguments("there is no such playlist")
      }
      try refusing { () throws(CommandError) in try player.activate(id) }
      return []
    }
  }

  private var getPlaylists: Method {
    Method(
      "GetPlaylists",
      in: ["Index": "u", "MaxCount": "u", "Order": "s", "ReverseOrder": "b"],
      out: ["Playlists": "a(oss)"]
    ) { [board, orderings = player.playlistOrderings] call throws(DBusError) in
      guard call.arguments.count == 4, let index = call.arguments[0].asInt64, let count = call.arguments[1].asInt64,
        let order = call.arguments[2].asString, let isReversed = call.arguments[3].asBool
      else { return [.array("(oss)", [])] }
      // The panel of Xfce asks for an order without looking whether it is offered.
      let wanted = PlaylistOrdering(rawValue: order).flatMap { orderings.contains($0) ? $0 : nil }
      let sorted = (wanted ?? orderings.first ?? .alphabetical).sort(board.playlists)
      let ordered = isReversed ? sorted.reversed() : sorted
      return [.array("(oss)", ordered.dropFirst(Int(clamping: index)).prefix(Int(clamping: count)).map(\.value))]
    }
  }
}

extension PlaylistOrdering {
  /// Sorts playlists that are in the order of their names; equal ones stay in it.
  func sort(_ playlists: [Playlist]) -> [Playlist] {
    switch self {
    case .alphabetical, .user: playlists
    case .created: Self.sort(playlists) { $0.created }
    case .modified: Self.sort(playlists) { $0.modified }
    case .played: Self.sort(playlists) { $0.played }
    }
  }

  private static func sort(_ playlists: [Playlist], by date: (Playlist) -> Duration?) -> [Playlist] {
    // The standard library's sort promises no order of equals.
    let dated = playlists.enumerated().map { (place: $0.offset, date: date($0.element), playlist: $0.element) }
    return dated.sorted { one, other in
      switch (one.date, other.date) {
      case (let first?, let second?) where first != second: first < second
      case (nil, .some): true
      case (.some, nil): false
      default: one.place < other.place
      }
    }.map(\.playlist)
  }
}

extension Playlist? {
  /// The structure `(b(oss))` that clients read; one that is none has a path all the same, as every path must.
  var maybe: Value {
    .structure([.boolean(self != nil), self?.value ?? .structure([.objectPath("/"), .string(""), .string("")])])
  }
}
