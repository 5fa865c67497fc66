/// The lines of a list that are shown: those around one line, until the user scrolls or clicks.
struct ListWindow: Equatable, Sendable {
  /// The first shown line; nil to show the lines around the focus.
  private var first: Int64?

  /// Whether the lines around the focus are shown.
  var isCentred: Bool { first == nil }

  /// Returns the lines that are shown in a number of rows, of a list of `total` lines.
  func shown(in rows: Int, of total: Int64, around focus: Int64) -> Range<Int64> {
    let count = min(Int64(max(0, rows)), max(0, total))
    let wanted = first ?? min(max(0, focus), max(0, total - 1)) - count / 2
    let start = min(max(0, wanted), total - count)
    return start..<start + count
  }

  /// Shows the lines from another one on, whatever the focus is.
  mutating func scroll(to first: Int64) { self.first = first }

  /// Shows the lines around the focus again.
  mutating func centre() { first = nil }
}
