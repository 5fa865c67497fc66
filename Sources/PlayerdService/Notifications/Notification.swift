import DBus
import MPRISService
import PlayerdSystem

/// The content of a notification.
struct Notification: Equatable, Sendable {
  /// A button.
  enum Action: String, CaseIterable, Sendable {
    case pause, next

    var label: String { self == .pause ? "Pause" : "Next" }
  }

  var title: String
  var artist: String
  var album: String
  var cover: String?

  init(_ track: MPRISMetadata.Fields) {
    // Most servers draw the title even if nothing of it is visible.
    title = [track.title, FileURI.name(of: track.url ?? "")].map(\.bubbleLine).first { !$0.isEmpty } ?? "Unknown title"
    artist = track.artists.joined(separator: ", ").bubbleLine
    album = track.album?.bubbleLine ?? ""
    cover = track.artURL
  }

  /// Returns the arguments of Notify, for a server with these capabilities.
  ///
  /// <https://specifications.freedesktop.org/notification-spec/latest/protocol.html>
  func arguments(replacing id: UInt32, _ capabilities: [String]) -> [DBusValue] {
    let body = joinedTexts([artist, album], by: "\n")
    let actions = capabilities.contains("actions") ? Action.allCases.flatMap { [$0.rawValue, $0.label] } : []
    // GNOME shows no bubble for a low urgency; mako's rules for the normal one need the hint.
    var hints: [(String, DBusValue)] = [
      ("desktop-entry", .string(Names.executable)), ("suppress-sound", .boolean(true)), ("transient", .boolean(true)),
      ("urgency", .byte(1)),
    ]
    if let cover { hints.append(("image-path", .string(cover))) }
    return [
      .string(Names.executable), .uint32(id), .string(Names.executable), .string(title),
      .string(capabilities.contains("body-markup") ? body.markupEscaped : body), .strings(actions), .dictionary(hints),
      .int32(-1),
    ]
  }
}

extension String {
  /// The text as one line of a notification, without control characters; an ellipsis replaces what follows 100 characters.
  ///
  /// It is empty if nothing of the text is visible. Tags are untrusted, and may have 64 KiB; a line of a bubble shows about 50
  /// characters.
  fileprivate var bubbleLine: String {
    // One character may have any number of combining marks, which are drawn over other lines. An emoji of two people has
    // 35 bytes.
    let line = withoutControls.filter { $0.utf8.count <= 64 }.split(separator: " ").joined(separator: " ")
    let isVisible = line.unicodeScalars.lazy.map(\.properties).contains {
      !$0.isWhitespace && !$0.isDefaultIgnorableCodePoint
    }
    guard isVisible else { return "" }
    let start = line.prefix(100)
    return start.endIndex == line.endIndex ? line : start + "…"
  }
}
