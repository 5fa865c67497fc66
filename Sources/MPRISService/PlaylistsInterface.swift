package import DBus

/// The rows of `org.mpris.MediaPlayer2.Playlists`.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Playlists_Interface.html>
package struct PlaylistsInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2.Playlists"
  static let changed = DBusSignal("PlaylistChanged", ["Playlist": "(oss)"])

  let player: any MPRISPlaylistPlayer
  let published: PublishedPlaylists

  var rows: DBusInterface<MPRISSnapshot> {
    DBusInterface(
      Self.name, methods: [activatePlaylist, getPlaylists],
      properties: [
        DBusProperty(
          "PlaylistCount", "u", differs: { $0.playlistRevisions.count != $1.playlistRevisions.count },
          get: { [published] _ in .uint32(UInt32(clamping: published.count)) }),
        DBusProperty("Orderings", "as") { [orderings = player.playlistOrderings] _ in
          .strings(orderings.map(\.rawValue))
        },
        DBusProperty(
          "ActivePlaylist", "(b(oss))", differs: { $0.playlistRevisions.active != $1.playlistRevisions.active },
          get: { [published] _ in published.active.maybe }),
      ],
      signals: [Self.changed])
  }

  private var activatePlaylist: DBusMethod {
    DBusMethod("ActivatePlaylist", in: ["PlaylistId": "o"]) { [player, published] call throws(DBusError) in
      guard let id = call.arguments.first?.asObjectPath, published.playlists.contains(where: { $0.id == id }) else {
        throw .invalidArguments("no playlist has this path")
      }
      try refusing { () throws(MPRISCommandError) in try player.activate(id) }
      return []
    }
  }

  private var getPlaylists: DBusMethod {
    DBusMethod(
      "GetPlaylists",
      in: ["Index": "u", "MaxCount": "u", "Order": "s", "ReverseOrder": "b"],
      out: ["Playlists": "a(oss)"]
    ) { [published, orderings = player.playlistOrderings] call throws(DBusError) in
      guard call.arguments.count == 4, let index = call.arguments[0].asInt64, let count = call.arguments[1].asInt64,
        let order = call.arguments[2].asString, let isReversed = call.arguments[3].asBool
      else { return [.array("(oss)", [])] }
      // Xfce's panel requests an order without checking `Orderings`.
      let wanted = MPRISPlaylistOrdering(rawValue: order).flatMap { orderings.contains($0) ? $0 : nil }
      let sorted = (wanted ?? orderings.first ?? .alphabetical).sort(published.playlists)
      let ordered = isReversed ? sorted.reversed() : sorted
      return [.array("(oss)", ordered.dropFirst(Int(clamping: index)).prefix(Int(clamping: count)).map(\.value))]
    }
  }
}

extension MPRISPlaylistOrdering {
  /// Sorts playlists that are ordered by name; equal ones stay in that order.
  func sort(_ playlists: [MPRISPlaylist]) -> [MPRISPlaylist] {
    let date: (MPRISPlaylist) -> Duration? =
      switch self {
      case .alphabetical, .user: { _ in nil }
      case .created: \.created
      case .modified: \.modified
      case .played: \.played
      }
    return playlists.sorted { one, other in
      guard let second = date(other) else { return false }
      return date(one).map { $0 < second } ?? true
    }
  }
}

extension MPRISPlaylist? {
  /// The structure `(b(oss))` for clients; without a playlist, it contains `/`, because every object path must be
  /// valid.
  var maybe: DBusValue {
    .structure([.boolean(self != nil), self?.value ?? .structure([.objectPath("/"), .string(""), .string("")])])
  }
}
