import PlayerdSystem

/// A bar for the position in a track, with marks at the starts of its chapters, and dots where a stream is not loaded.
struct ProgressBar {
  /// The usual widths of a bar, in columns.
  static let (shortest, longest) = (10, 40)

  /// Microseconds.
  var position: Int64
  var duration: Int64
  var marks: [Int64] = []
  /// The loaded parts; nil if the whole track is there.
  var loaded: [ClosedRange<Int64>]?

  /// Returns the bar; without a width or a duration, an empty text.
  func text(width: Int) -> String {
    let parts = parts(width: width)
    return parts.done + parts.rest
  }

  /// Returns the time at which a column of a bar with this width is the first one after the position; nil outside of the bar.
  func time(inColumn column: Int, width: Int) -> Int64? {
    guard (0..<width).contains(column), duration > 0 else { return nil }
    let time = (Double(duration) * Double(column) / Double(width)).rounded(.up)
    return min(Int64(exactly: time) ?? duration, duration)
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
    let parts = loaded?.map { column($0.lowerBound)...column($0.upperBound) }
    let isLoaded = { (column: Int) in parts?.contains { $0.contains(column) } ?? true }
    return (
      String((0..<done).map { marked.contains($0) ? "┿" : "━" }),
      String((done..<width).map { marked.contains($0) ? "┼" : isLoaded($0) ? "─" : "·" })
    )
  }
}
