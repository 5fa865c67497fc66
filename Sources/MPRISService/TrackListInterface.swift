package import DBus

/// The rows of `org.mpris.MediaPlayer2.TrackList`: the tracks around the current one.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html>
package struct TrackListInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2.TrackList"
  static let replaced = DBusSignal("TrackListReplaced", ["Tracks": "ao", "CurrentTrack": "o"])
  static let added = DBusSignal("TrackAdded", ["Metadata": "a{sv}", "AfterTrack": "o"])
  static let removed = DBusSignal("TrackRemoved", ["TrackId": "o"])
  static let metadataChanged = DBusSignal("TrackMetadataChanged", ["TrackId": "o", "Metadata": "a{sv}"])

  let player: any MPRISTrackListPlayer
  let published: PublishedTrackList

  var rows: DBusInterface<MPRISSnapshot> {
    DBusInterface(
      Self.name, methods: [getTracksMetadata] + edits,
      properties: [
        DBusProperty(
          "Tracks", "ao", changes: .invalidates, differs: { $0.trackListRevision != $1.trackListRevision },
          get: { [published] snapshot in .objectPaths(published.readable(showing: snapshot.track).map(\.path)) }),
        DBusProperty("CanEditTracks", "b") { .boolean($0.canEditTracks) },
      ],
      signals: [Self.replaced, Self.added, Self.removed, Self.metadataChanged])
  }

  private var getTracksMetadata: DBusMethod {
    DBusMethod("GetTracksMetadata", in: ["TrackIds": "ao"], out: ["Metadata": "aa{sv}"]) {
      [published, prefix = player.trackPathPrefix] call throws(DBusError) in
      var seen: Set<MPRISTrackID> = []
      let tracks = (call.arguments.first?.asObjectPaths ?? []).compactMap { MPRISTrackID(path: $0, in: prefix) }
      // A track that is requested a thousand times is returned once, so that a short call cannot cause a huge reply.
      let metadata = published.metadata(of: tracks.filter { seen.insert($0).inserted })
      return [.array("a{sv}", metadata.map(\.value))]
    }
  }

  private var edits: [DBusMethod] {
    [
      DBusMethod(DBusMethodDeclaration("AddTrack", in: ["Uri": "s", "AfterTrack": "o", "SetAsCurrent": "b"])) {
        [player] (uri: String, after: ObjectPath, makesCurrent: Bool) throws(DBusError) in
        try player.edit(player.snapshot().forAddTrack(uri, after: player.track(after), makesCurrent: makesCurrent))
      },
      DBusMethod(DBusMethodDeclaration("RemoveTrack", in: ["TrackId": "o"])) {
        [player] (track: ObjectPath) throws(DBusError) in
        try player.edit(player.snapshot().forRemoveTrack(player.track(track)))
      },
      DBusMethod(DBusMethodDeclaration("GoTo", in: ["TrackId": "o"])) {
        [player] (track: ObjectPath) throws(DBusError) in
        try player.edit(player.snapshot().forGoTo(player.track(track)))
      },
    ]
  }
}

extension MPRISTrackListPlayer {
  fileprivate func track(_ path: ObjectPath) -> MPRISTrackID? { MPRISTrackID(path: path, in: trackPathPrefix) }

  fileprivate func edit(_ command: MPRISTrackListCommand?) throws(DBusError) {
    if let command { try refusing { () throws(MPRISCommandError) in try perform(command) } }
  }
}

/// The rules for edits: each turns a request into a command; nil means no operation.
extension MPRISSnapshot {
  func forAddTrack(_ uri: String, after track: MPRISTrackID?, makesCurrent: Bool) throws(DBusError)
    -> MPRISTrackListCommand?
  {
    let uri = try openable(uri)
    guard canEditTracks else { return nil }
    let position: MPRISTrackPosition =
      switch track {
      case .noTrack?: .start
      case let track?: .after(track)
      case nil: .end
      }
    return .add(uri, at: position, makesCurrent: makesCurrent)
  }

  func forRemoveTrack(_ track: MPRISTrackID?) -> MPRISTrackListCommand? {
    guard canEditTracks, let track, track != .noTrack else { return nil }
    return .remove(track)
  }

  func forGoTo(_ track: MPRISTrackID?) -> MPRISTrackListCommand? {
    guard let track, track != .noTrack else { return nil }
    return .goTo(track)
  }
}
