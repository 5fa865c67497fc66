/// A quantity with an optional sign before it (`-10`, as in mpv) or after it (`10-`, as in playerctl).
struct SignedArgument {
  /// 1 or -1; nil without a sign.
  let sign: Int?
  let magnitude: String

  init(_ argument: String) {
    var rest = Substring(argument)
    switch (rest.first, rest.last) {
    case ("+", _): (sign, rest) = (1, rest.dropFirst())
    case ("-", _): (sign, rest) = (-1, rest.dropFirst())
    case (_, "+"): (sign, rest) = (1, rest.dropLast())
    case (_, "-"): (sign, rest) = (-1, rest.dropLast())
    default: sign = nil
    }
    magnitude = String(rest)
  }

  /// Rewrites `-10` as `10-`; other arguments stay as they are.
  static func withTrailingSign(_ argument: String) -> String {
    guard argument.first == "-", let digit = argument.dropFirst().first, digit.isASCII, digit.isNumber else {
      return argument
    }
    return argument.dropFirst() + "-"
  }
}
