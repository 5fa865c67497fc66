import PlayerdInterfaces
import PlayerdSystem

extension QueuedTrack {
  /// The number of the track on the command line, from 1.
  package var number: Int64 { index + 1 }

  /// `Title — Artist`, or the name of the file.
  package var name: String { TrackTitle.text(title, artist, uri: uri) }

  /// Formats `> 2  Title — Artist  3:45` with the number padded to `width`.
  ///
  /// The arrow marks the current track; `!` and the reason mark a failed one.
  package func line(width: Int) -> String {
    let digits = "\(number)"
    let padding = String(repeating: " ", count: max(0, width - digits.count))
    let time = duration.map { "  " + ClockTime.text($0) } ?? ""
    let failure = errorMessage.map { "  failed: \($0)" } ?? ""
    let mark = isCurrent ? ">" : errorMessage == nil ? " " : "!"
    return "\(mark) \(padding)\(digits)  \(name)\(time)\(failure)"
  }

  /// One JSON object: times in seconds, unknown values null.
  package var json: String { jsonLine(self) }
}
