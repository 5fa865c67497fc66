import TextCoding

/// A quantity with an optional sign before it (`-10`, as in mpv) or after it (`10-`, as in playerctl).
struct SignedArgument {
  /// 1 or -1; nil without a sign.
  let sign: Int?
  let magnitude: String

  init(sign: Int?, magnitude: String) { (self.sign, self.magnitude) = (sign, magnitude) }

  init(_ argument: String) {
    var rest = Substring(argument)
    switch (rest.first, rest.last) {
    case ("+", _): (sign, rest) = (1, rest.dropFirst())
    case ("-", _), (Self.minus, _): (sign, rest) = (-1, rest.dropFirst())
    case (_, "+"): (sign, rest) = (1, rest.dropLast())
    case (_, "-"): (sign, rest) = (-1, rest.dropLast())
    default: sign = nil
    }
    magnitude = String(rest)
  }

  /// The quantity with its sign before it.
  var text: String { (sign.map { $0 < 0 ? "-" : "+" } ?? "") + magnitude }

  /// Parses a whole number with a sign before it, such as `+1`; nil for any other text.
  static func distance(_ argument: String) -> Int64? {
    let change = SignedArgument(argument)
    guard let sign = change.sign, argument.last == change.magnitude.last, let number = wholeNumber(change.magnitude)
    else { return nil }
    return Int64(sign) * number
  }

  /// Parses a whole number without a sign; nil for any other text.
  static func wholeNumber(_ text: String) -> Int64? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
  }

  /// The minus sign of typography, U+2212; it begins no option.
  private static let minus: Character = "−"

  /// Rewrites `-10` with ``minus``, because the parser takes an argument with a leading dash as an option; other arguments
  /// stay as they are.
  static func withMinus(_ argument: String) -> String {
    guard argument.first == "-", let digit = argument.dropFirst().first, digit.isASCII, digit.isNumber else {
      return argument
    }
    return "\(minus)\(argument.dropFirst())"
  }
}
