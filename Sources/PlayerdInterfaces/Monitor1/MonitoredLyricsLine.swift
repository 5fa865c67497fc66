package import DBus

/// A line of the current track's lyrics, as `GetLyrics` of `org.playerd.Monitor1` returns it.
package struct MonitoredLyricsLine: Hashable, DBusConvertible {
  /// In microseconds.
  package var start: Int64
  /// The text; empty for a pause after the line before.
  package var text: String

  package init(start: Int64, text: String) { (self.start, self.text) = (max(0, start), text) }

  package static let dbusType: DBusSignature = "(xs)"

  package init?(dbusValue: DBusValue) {
    guard case .structure(let fields) = dbusValue, fields.count == 2, let start = fields[0].asInt64,
      let text = fields[1].asString
    else { return nil }
    self.init(start: start, text: text)
  }

  package var dbusValue: DBusValue { .structure([.int64(start), .string(text)]) }
}
