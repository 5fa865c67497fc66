import Foundation

/// The W3C Extended Log File Format: directives, and a line of fields for each event.
///
/// <https://www.w3.org/TR/WD-logfile.html>
enum ExtendedLog {
  static let encoding = String.Encoding.utf8

  /// The value of a field; an unknown one is a dash.
  enum Field {
    case text(String?)
    case number(Int)
    /// A number that is unknown if it is negative.
    case count(Int)
    case seconds(Double)

    var text: String {
      switch self {
      case .text(let text?) where !text.isEmpty: quoted(text)
      case .number(let number): "\(number)"
      case .count(let number) where number >= 0: "\(number)"
      case .seconds(let number) where number >= 0: "\(number)"
      default: "-"
      }
    }

    /// Returns a text that a reader cannot split: with spaces it is quoted, and its control characters become spaces.
    private func quoted(_ text: String) -> String {
      guard text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" }) else {
        return text
      }
      let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
      return "\"\(line.replacing("\"", with: "\"\""))\""
    }
  }

  /// Returns a line; the date is written as date and time in UTC.
  static func line(date: Date?, _ fields: [Field]) -> String {
    let format = Date.ISO8601FormatStyle(
      dateSeparator: .dash, dateTimeSeparator: .space, timeSeparator: .colon, includingFractionalSeconds: true,
      timeZone: .gmt
    ).year().month().day().time(includingFractionalSeconds: true)
    let time = date.map { $0.formatted(format) } ?? "- -"
    return ([time] + fields.map(\.text)).joined(separator: " ")
  }

  /// Returns the bytes of a log, whose fields follow a date and a time.
  static func data(fields: String, _ lines: [String]) -> Data {
    let directives = ["#Version: 1.0", "#Fields: date time \(fields)"]
    return Data((directives + lines).map { $0 + "\n" }.joined().utf8)
  }
}
