package import DBus

/// The rows of `org.mpris.MediaPlayer2.TrackList`: the tracks around the one that plays.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html>
package struct TrackListInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2.TrackList"
  static let replaced: MemberName = "TrackListReplaced"
  static let added: MemberName = "TrackAdded"
  static let removed: MemberName = "TrackRemoved"
  static let metadataChanged: MemberName = "TrackMetadataChanged"

  let player: any TrackListPlayer
  let board: TrackListBoard

  var rows: Interface<PlayerSnapshot> {
    Interface(
      Self.name, methods: [getTracksMetadata] + edits,
      properties: [
        Property(
          "Tracks", "ao", changes: .invalidates, differs: { $0.trackListRevision != $1.trackListRevision },
          get: { [board] snapshot in .objectPaths(board.readable(showing: snapshot.track).map(\.path)) }),
        Property("CanEditTracks", "b") { .boolean($0.canEditTracks) },
      ],
      signals: [
        Signal(Self.replaced, ["Tracks": "ao", "CurrentTrack": "o"]),
        Signal(Self.added, ["Metadata": "a{sv}", "AfterTrack": "o"]),
        Signal(Self.removed, ["TrackId": "o"]),
        Signal(Self.metadataChanged, ["TrackId": "o", "Metadata": "a{sv}"]),
      ])
  }

  private var getTracksMetadata: Method {
    Method("GetTracksMetadata", in: ["TrackIds": "ao"], out: ["Metadata": "aa{sv}"]) {
      [board, prefix = player.trackPathPrefix] call throws(DBusError) in
      var asked: Set<TrackID> = []
      let tracks = (call.arguments.first?.asObjectPaths ?? []).compactMap { TrackID(path: $0, in: prefix) }
      // A track that is asked for a thousand times is answered once, so that a short call has no endless answer.
      let metadata = board.metadata(of: tracks.filter { asked.insert($0).inserted })
      return [.array("a{sv}", metadata.map(\.value))]
    }
  }

  private var edits: [Method] {
    [
      player.method(
        "AddTrack", in: ["Uri": "s", "AfterTrack": "o", "SetAsCurrent": "b"]
      ) { snapshot, arguments, track throws(DBusError) in
        guard arguments.count == 3, let makesCurrent = arguments[2].asBool else { return nil }
        return try snapshot.forAddTrack(arguments[0].asString ?? "", after: track(1), makesCurrent: makesCurrent)
      },
      player.method("RemoveTrack", in: ["TrackId": "o"]) { snapshot, _, track in
        snapshot.forRemoveTrack(track(0))
      },
      player.method("GoTo", in: ["TrackId": "o"]) { snapshot, _, track in
        snapshot.forGoTo(track(0))
      },
    ]
  }
}

extension TrackListPlayer {
  /// Makes a row of a rule, which gets the arguments, and what reads one of them as the path of a track.
  fileprivate func method(
    _ name: MemberName, in input: Arguments,
    _ rule: @escaping @Sendable (PlayerSnapshot, [Value], (Int) -> TrackID?) throws(DBusError) -> TrackListCommand?
  ) -> Method {
    Method(name, in: input) { call throws(DBusError) in
      let command = try rule(snapshot(), call.arguments) { index in
        call.arguments.dropFirst(index).first?.asObjectPath.flatMap { TrackID(path: $0, in: trackPathPrefix) }
      }
      if let command { try refusing { () throws(CommandError) in try perform(command) } }
      return []
    }
  }
}

/// The rules for edits: each turns the request into the command it means, nil for nothing.
extension PlayerSnapshot {
  func forAddTrack(_ uri: String, after track: TrackID?, makesCurrent: Bool) throws(DBusError) -> TrackListCommand? {
    let uri = try openable(uri)
    guard canEditTracks else { return nil }
    let place: TrackPlace =
      switch track {
      case .noTrack?: .start
      case let track?: .after(track)
      case nil: .end
      }
    return .add(uri, at: place, makesCurrent: makesCurrent)
  }

  func forRemoveTrack(_ track: TrackID?) -> TrackListCommand? {
    guard canEditTracks, let track, track != .noTrack else { return nil }
    return .remove(track)
  }

  func forGoTo(_ track: TrackID?) -> TrackListCommand? {
    guard let track, track != .noTrack else { return nil }
    return .goTo(track)
  }
}
