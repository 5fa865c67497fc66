/// Times in the format of clocks.
enum ClockTime {
  /// Formats microseconds as `m:ss` or `h:mm:ss`; if `fractional`, with the fraction of the second unless it is zero.
  static func text(_ microseconds: Int64, fractional: Bool = false) -> String {
    let time = max(0, microseconds)
    let seconds = time / 1_000_000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    var text = hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    let fraction = time % 1_000_000
    if fractional, fraction > 0 {
      var digits = String(String(1_000_000 + fraction).dropFirst())
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
