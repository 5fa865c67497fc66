import TextCoding

/// A time on the command line: `90`, `90.5`, `1:30`, `1:02:03`, `45s`, `30min`, `1h30m` or `1.5h`.
///
/// A number such as `1.30` or `1.30h` is refused, see ``readings(of:)``.
package struct TimeArgument: Equatable, Sendable {
  package let duration: Duration

  package init?(argument: String) {
    guard Self.readings(of: argument).isEmpty, let duration = Self.clock(argument) ?? Self.units(argument) else {
      return nil
    }
    self.duration = duration
  }

  /// Returns the texts for both meanings of a number with two digits after the point: `1:30` and `1.30s` for `1.30`, `1h30m` and
  /// `1.300h` for `1.30h`; empty for any other text.
  ///
  /// Many people write minutes and seconds with a point. Numbers such as `1.5`, `1.75` and `1.500` have one meaning.
  package static func readings(of argument: String) -> [String] {
    guard let match = argument.wholeMatch(of: #/([0-9]+)\.([0-5][0-9])([hHmM][a-zA-Z]*)?/#) else { return [] }
    let (whole, digits) = (match.1, match.2)
    guard let unit = match.3 else { return ["\(whole):\(digits)", "\(whole).\(digits)s"] }
    return ["\(whole)\(unit)\(digits)" + (unit.lowercased().hasPrefix("h") ? "m" : "s"), "\(whole).\(digits)0\(unit)"]
  }

  /// Parses seconds, or a time with colons.
  private static func clock(_ argument: String) -> Duration? {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last, let seconds = number(last, fractional: true) else {
      return nil
    }
    var total = seconds
    var unit = 60.0
    for part in parts.dropLast().reversed() {
      guard let value = number(part, fractional: false) else { return nil }
      total += value * unit
      unit *= 60
    }
    // With a colon, seconds must be below 60.
    guard parts.count == 1 || seconds < 60, total < 1e9 else { return nil }
    return .seconds(total)
  }

  /// Parses hours, minutes and seconds with their units, in this order; the last number may have a fraction.
  private static func units(_ argument: String) -> Duration? {
    let format =
      #/
      (?:([0-9]{1,4}(?:\.[0-9]+)?)(?:h|hrs?|hours?))?
      (?:([0-9]{1,6}(?:\.[0-9]+)?)(?:m|mins?|minutes?))?
      (?:([0-9]{1,8}(?:\.[0-9]+)?)(?:s|secs?|seconds?))?
      /#.ignoresCase()
    guard !argument.isEmpty, let match = argument.wholeMatch(of: format) else { return nil }
    let texts = [match.1, match.2, match.3]
    guard !texts.compactMap({ $0 }).dropLast().contains(where: { $0.contains(".") }) else { return nil }
    let parts = texts.map { $0.flatMap { Double($0) } ?? 0 }
    return .seconds(parts[0] * 3600 + parts[1] * 60 + parts[2])
  }

  private static func number(_ text: Substring, fractional: Bool) -> Double? {
    let isPlain = text.utf8.allSatisfy { $0.isASCIIDigit || fractional && $0 == UInt8(ascii: ".") }
    guard !text.isEmpty, isPlain, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
