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

  /// Rewrites `-10` as `10-`, because the parser takes arguments with a leading dash as options.
  static func withTrailingSigns(_ arguments: [String]) -> [String] {
    // The option for the instance may precede the command.
    var rest = arguments[...]
    if rest.first == "--instance" {
      rest = rest.dropFirst(2)
    } else if rest.first?.hasPrefix("--instance=") == true {
      rest = rest.dropFirst()
    }
    guard let command = rest.first, ["seek", "volume"].contains(command) else { return arguments }
    return arguments[..<rest.startIndex]
      + rest.map { argument in
        guard argument.first == "-", let digit = argument.dropFirst().first, digit.isASCII, digit.isNumber else {
          return argument
        }
        return argument.dropFirst() + "-"
      }
  }
}
