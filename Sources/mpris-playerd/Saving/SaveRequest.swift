import DBus

/// What somebody wants saved; the reply brings the path of the file.
struct SaveRequest: Sendable {
  let name: PlaylistName
  let replaces: Bool
  let reply: @Sendable (Result<String, DBusError>) -> Void
}
