package import DBus

/// The rows of `org.mpris.MediaPlayer2`: the program around the player.
///
/// `Fullscreen` is left out, as the specification has it for players without a window; `DesktopEntry` is there only for
/// a player that has one.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Media_Player.html>
package struct RootInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2"

  package static let quit = MethodDeclaration("Quit")
  package static let canQuit = Property<PlayerSnapshot>("CanQuit", "b") { .boolean($0.canQuit) }

  let player: any MediaPlayer

  var rows: Interface<PlayerSnapshot> {
    Interface(
      Self.name,
      methods: [
        player.method(MethodDeclaration("Raise")) { snapshot, _ in snapshot.canRaise ? .raise : nil },
        player.method(Self.quit) { snapshot, _ in snapshot.canQuit ? .quit : nil },
      ],
      properties: [
        Self.canQuit,
        Property("CanRaise", "b") { .boolean($0.canRaise) },
        Property("HasTrackList", "b") { [hasTrackList = player is any TrackListPlayer] _ in .boolean(hasTrackList) },
        Property("Identity", "s", changes: .constant) { .string($0.identity) },
      ] + desktopEntry + [
        Property("SupportedUriSchemes", "as", changes: .constant) { .strings($0.supportedURISchemes) },
        Property("SupportedMimeTypes", "as", changes: .constant) { .strings($0.supportedMIMETypes) },
      ])
  }

  private var desktopEntry: [Property<PlayerSnapshot>] {
    guard player.snapshot().desktopEntry != nil else { return [] }
    return [Property("DesktopEntry", "s", changes: .constant) { .string($0.desktopEntry ?? "") }]
  }
}
