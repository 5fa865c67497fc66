import DBus

/// The calls of Playlists, Extras1 and Control1.
extension ModelClient {
  private func onExtras(_ call: ClientCall, _ member: String, _ values: [DBusValue] = []) {
    send("/org/playerd", Self.extras, member, values, made: call)
  }

  private func onControl(_ call: ClientCall, _ member: String, _ values: [DBusValue] = []) {
    send("/org/playerd", Self.control, member, values, made: call)
  }

  func performOnDaemon(_ call: ClientCall) {
    switch call {
    case .playlists(let order, let isReversed, let from, let count):
      send(
        "/org/mpris/MediaPlayer2", Self.playlists, "GetPlaylists",
        [
          .uint32(Self.number(from)), .uint32(Self.number(count)), .string(PlaylistChecks.order(order)),
          .boolean(isReversed),
        ], made: call)
    case .activatePlaylist(let number):
      send(
        "/org/mpris/MediaPlayer2", Self.playlists, "ActivatePlaylist",
        [.objectPath(PlaylistChecks.id(PlaylistChecks.file(number)))], made: call)
    case .sleepTimer(let time, let isAfterTrack):
      onExtras(call, "SetSleepTimer", [.int64(Int64(time) * 1_000), .boolean(isAfterTrack)])
    case .repeatPart(let start, let end):
      onExtras(call, "SetABRepeat", [.int64(Int64(start) * 1_000), .int64(Int64(end) * 1_000)])
    case .stopRepeating: onExtras(call, "ClearABRepeat")
    case .nextChapter: onExtras(call, "NextChapter")
    case .previousChapter: onExtras(call, "PreviousChapter")
    case .stopAfterCurrent(let stops):
      send(
        "/org/playerd", "org.freedesktop.DBus.Properties", "Set",
        [.string(Self.extras), .string("StopAfterCurrent"), .variant(.boolean(stops))], made: call)
    case .consume(let isOn):
      send(
        "/org/playerd", "org.freedesktop.DBus.Properties", "Set",
        [.string(Self.extras), .string("Consume"), .variant(.boolean(isOn))], made: call)
    case .refreshOutputs: onExtras(call, "RefreshAudioOutputs")
    case .chooseOutput(let number): onExtras(call, "SetAudioOutput", [.string(Self.output(number))])
    default: performOnControl(call)
    }
  }

  private func performOnControl(_ call: ClientCall) {
    switch call {
    case .status: onControl(call, "GetStatus")
    case .queue(let from, let count):
      onControl(call, "GetQueue", [.uint32(Self.number(from)), .uint32(Self.number(count))])
    case .removeTracks(let indices):
      onControl(call, "RemoveTracks", [.array("u", indices.map { .uint32(Self.number($0)) })])
    case .moveTrack(let from, let to):
      onControl(call, "MoveTrack", [.uint32(Self.number(from)), .uint32(Self.number(to))])
    case .playTrack(let index): onControl(call, "PlayTrack", [.uint32(Self.number(index))])
    case .clear: onControl(call, "Clear")
    case .playlistNames: onControl(call, "GetPlaylists")
    case .playlistURI(let number):
      onControl(call, "GetPlaylistUri", [.string(PlaylistChecks.name(number))])
    case .setMuted(let isMuted): onControl(call, "SetMuted", [.boolean(isMuted)])
    case .configuration: onControl(call, "GetConfiguration")
    case .recording(let hasNames): onControl(call, "GetRecording", [.boolean(hasNames)])
    case .reload: onControl(call, "Reload")
    case .openAll(let media, let placement, let isPaused):
      onControl(
        call, "Open",
        [
          .strings(media.map { service.uri($0) }),
          .dictionary([
            ("placement", .string(Self.placement(placement))), ("paused", .boolean(isPaused)),
          ]),
        ])
    case .save(let number, let replaces):
      onControl(call, "Save", [.string(PlaylistChecks.name(number)), .boolean(replaces)])
    default: break
    }
  }

  static func placement(_ number: Int) -> String { ["replace", "append", "next", "now", "", "last"][abs(number) % 6] }
  static func output(_ number: Int) -> String { number == 0 ? "" : "output-\(number)" }
  static func number(_ number: Int) -> UInt32 { UInt32(clamping: number) }
}

extension DBusValue {
  /// The playlist in an `(oss)`: its path, and its name and icon.
  var playlist: (String, DBusValue)? {
    guard case .structure(let fields) = self, fields.count == 3, let path = fields[0].asObjectPath else { return nil }
    return (path.rawValue, .structure([fields[1], fields[2]]))
  }

  /// The playlists in an `a(oss)`.
  var playlists: [(String, DBusValue)] {
    guard case .array(_, let elements) = self else { return [] }
    return elements.compactMap(\.playlist)
  }
}
