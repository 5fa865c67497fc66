/// A line of a terminal.
struct ScreenRow: Equatable, Sendable {
  enum Style: Sendable {
    case plain, bold, dim, reverse
  }

  var text: String
  var style = Style.plain
}

/// A bar for the position in a track, with marks at the starts of its chapters.
struct ProgressBar {
  /// Microseconds.
  var position: Int64
  var duration: Int64
  var marks: [Int64] = []

  /// Returns the bar; without a width or a duration, an empty text.
  func text(width: Int) -> String {
    guard width > 0, duration > 0 else { return "" }
    func column(_ time: Int64) -> Int { Int(Double(width) * min(1, max(0, Double(time) / Double(duration)))) }
    let done = column(position)
    let marked = Set(marks.filter { $0 > 0 && $0 < duration }.map(column))
    return String(
      (0..<width).map { ($0 < done) ? (marked.contains($0) ? "┿" : "━") : (marked.contains($0) ? "┼" : "─") })
  }
}
