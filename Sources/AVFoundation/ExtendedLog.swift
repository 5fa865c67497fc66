import Foundation

/// The W3C Extended Log File Format: directives, and a line of fields for each event.
///
/// <https://www.w3.org/TR/WD-logfile.html>
enum ExtendedLog {
  /// Returns a line; the date is written as date and time in UTC, and an unknown value as a dash.
  static func line(date: Date?, _ fields: [String?]) -> String {
    let format = Date.ISO8601FormatStyle(
      dateSeparator: .dash, dateTimeSeparator: .space, timeSeparator: .colon, includingFractionalSeconds: true,
      timeZone: .gmt
    ).year().month().day().time(includingFractionalSeconds: true)
    let time = date.map { $0.formatted(format) } ?? "- -"
    return ([time] + fields.map { text(of: $0) }).joined(separator: " ")
  }

  /// Returns a text that a reader cannot split: with spaces it is quoted, and its control characters become spaces.
  private static func text(of field: String?) -> String {
    guard let field, !field.isEmpty else { return "-" }
    guard field.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" }) else {
      return field
    }
    let line = String(String.UnicodeScalarView(field.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return "\"\(line.replacing("\"", with: "\"\""))\""
  }

  /// Returns the bytes of a log, whose fields follow a date and a time.
  static func data(fields: String, _ lines: [String]) -> Data {
    let directives = ["#Version: 1.0", "#Fields: date time \(fields)"]
    return Data((directives + lines).map { $0 + "\n" }.joined().utf8)
  }
}
