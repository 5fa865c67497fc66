import ArgumentParser
import TextCoding

/// A time on the command line: `90`, `90.5`, `1:30` or `1:02:03`.
struct TimeArgument: ExpressibleByArgument, Equatable {
  let duration: Duration

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last, let seconds = Self.number(last, fractional: true) else {
      return nil
    }
    var total = seconds
    var unit = 60.0
    for part in parts.dropLast().reversed() {
      guard let value = Self.number(part, fractional: false) else { return nil }
      total += value * unit
      unit *= 60
    }
    // With a colon, seconds must be below 60.
    guard parts.count == 1 || seconds < 60, total < 1e9 else { return nil }
    duration = .seconds(total)
  }

  private static func number(_ text: Substring, fractional: Bool) -> Double? {
    let isPlain = text.utf8.allSatisfy { $0.isASCIIDigit || fractional && $0 == UInt8(ascii: ".") }
    guard !text.isEmpty, isPlain, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
