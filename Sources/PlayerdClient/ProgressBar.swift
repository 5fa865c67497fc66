import PlayerdSystem

/// A bar for the position in a track, with marks at the starts of its chapters.
struct ProgressBar {
  /// The usual widths of a bar, in columns.
  static let (shortest, longest) = (10, 40)

  /// Microseconds.
  var position: Int64
  var duration: Int64
  var marks: [Int64] = []

  /// Returns the bar; without a width or a duration, an empty text.
  func text(width: Int) -> String {
    let parts = parts(width: width)
    return parts.done + parts.rest
  }

  /// Returns the bar with its part before the position in a style, and the rest dimmed.
  func styled(_ style: StyledText.Style, width: Int) -> StyledText {
    let parts = parts(width: width)
    return StyledText(parts.done, style) + StyledText(parts.rest, .dim)
  }

  /// Returns the bar before and after the position.
  private func parts(width: Int) -> (done: String, rest: String) {
    guard width > 0, duration > 0 else { return ("", "") }
    func column(_ time: Int64) -> Int { Int(Double(width) * min(1, max(0, Double(time) / Double(duration)))) }
    let done = column(position)
    let marked = Set(marks.filter { $0 > 0 && $0 < duration }.map(column))
    return (
      String((0..<done).map { marked.contains($0) ? "┿" : "━" }),
      String((done..<width).map { marked.contains($0) ? "┼" : "─" })
    )
  }
}
