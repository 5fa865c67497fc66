/// A line of a terminal.
struct ScreenRow: Equatable, Sendable {
  enum Style: Sendable {
    case plain, bold, dim, reverse
  }

  var text: String
  var style = Style.plain
}
