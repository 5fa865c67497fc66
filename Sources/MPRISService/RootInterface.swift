package import DBus

/// The rows of `org.mpris.MediaPlayer2`: the application.
///
/// `Fullscreen` and `CanSetFullscreen` are optional, and present only for an ``MPRISWindowPlayer``. `Raise` and `CanRaise` are
/// always present; without a window, `Raise` does nothing. `DesktopEntry` is present only for a player that has one.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Media_Player.html>
package struct RootInterface {
  package static let name: InterfaceName = "org.mpris.MediaPlayer2"

  package static let quit = DBusMethodDeclaration("Quit")
  package static let raise = DBusMethodDeclaration("Raise")
  package typealias Row = PlayerInterface.Row

  package static let identity = Row("Identity", "s", changes: .constant) { .string($0.identity) }
  package static let canQuit = Row("CanQuit", "b") { .boolean($0.canQuit) }

  package static let canRaise = Row("CanRaise", "b") { .boolean($0.canRaise) }

  package static let canSetFullscreen = Row("CanSetFullscreen", "b") { .boolean($0.canSetFullscreen) }
  package static let fullscreen = Row("Fullscreen", "b") { .boolean($0.isFullscreen) }

  let player: any MPRISPlayer
  private var window: (any MPRISWindowPlayer)? { player as? any MPRISWindowPlayer }

  var rows: DBusInterface<MPRISSnapshot> {
    DBusInterface(
      Self.name,
      methods: [raise, player.method(Self.quit) { $0.canQuit ? .quit : nil }],
      properties: [
        Self.canQuit
      ] + windowProperties + [
        DBusProperty("HasTrackList", "b") { [hasTrackList = player is any MPRISTrackListPlayer] _ in
          .boolean(hasTrackList)
        },
        Self.identity,
      ] + desktopEntry + [
        DBusProperty("SupportedUriSchemes", "as", changes: .constant) { .strings($0.supportedURISchemes) },
        DBusProperty("SupportedMimeTypes", "as", changes: .constant) { .strings($0.supportedMIMETypes) },
      ])
  }

  private var raise: DBusMethod {
    DBusMethod(Self.raise) { [player, window] _ throws(DBusError) in
      if let window, player.snapshot().canRaise {
        try refusing { () throws(MPRISCommandError) in try window.perform(.raise) }
      }
      return []
    }
  }

  private var windowProperties: [Row] {
    guard let window else { return [DBusProperty("CanRaise", "b") { _ in .boolean(false) }] }
    return [
      Self.canRaise,
      Self.fullscreen.writable { value, _ throws(DBusError) in
        let snapshot = window.snapshot()
        guard let isOn = value.asBool, snapshot.canSetFullscreen, isOn != snapshot.isFullscreen else { return }
        try refusing { () throws(MPRISCommandError) in try window.perform(.setFullscreen(isOn)) }
      },
      Self.canSetFullscreen,
    ]
  }

  private var desktopEntry: [Row] {
    guard player.snapshot().desktopEntry != nil else { return [] }
    return [DBusProperty("DesktopEntry", "s", changes: .constant) { .string($0.desktopEntry ?? "") }]
  }
}
