package import DBus

/// A chapter of the current track, as `Chapters` of `org.playerd.Monitor1` has it.
package struct MonitoredChapter: Hashable, DBusConvertible {
  /// In microseconds.
  package var start: Int64
  /// In microseconds; 0 while unknown.
  package var duration: Int64
  package var title: String

  package static let dbusType: DBusSignature = "(xxs)"

  package init?(dbusValue: DBusValue) {
    guard case .structure(let fields) = dbusValue, fields.count == 3, let start = fields[0].asInt64,
      let duration = fields[1].asInt64, let title = fields[2].asString
    else { return nil }
    (self.start, self.duration, self.title) = (max(0, start), max(0, duration), title)
  }

  package var dbusValue: DBusValue { .structure([.int64(start), .int64(duration), .string(title)]) }
}
