import PlayerdInterfaces
import PlayerdSystem

extension SavedPlace {
  /// The name of the file, after the folder of its book: `Moby Dick: 03 The Spouter-Inn.mp3`.
  package var name: String {
    joinedTexts([folder.map { FileURI.name(of: $0) }, FileURI.name(of: uri)], by: ": ")
  }

  /// Formats `2  Moby Dick: 03 The Spouter-Inn.mp3  12:34 / 45:10  3 days ago` with the number padded to `width`.
  package func line(number: Int, width: Int) -> String {
    let digits = "\(number)"
    let padding = String(repeating: " ", count: max(0, width - digits.count))
    let time = ClockTime.text(position ?? 0, of: duration)
    return joinedTexts(["\(padding)\(digits)", name, time, age.map(Self.text(ofAge:))], by: "  ")
  }

  /// Formats an age in microseconds: `just now`, `5 min ago`, `3 h ago` or `2 days ago`.
  static func text(ofAge age: Int64) -> String {
    switch age / 1_000_000 {
    case ..<60: "just now"
    case let seconds where seconds < 3_600: "\(seconds / 60) min ago"
    case let seconds where seconds < 86_400: "\(seconds / 3_600) h ago"
    case let seconds: "\(counted(seconds / 86_400, "day")) ago"
    }
  }

  /// One JSON object: times in seconds, unknown values null.
  package var json: String { jsonLine(self) }
}
