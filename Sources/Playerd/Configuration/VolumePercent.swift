import TextCoding

/// A volume in percent, as the command line and the configuration have it.
///
/// A fraction, as in earlier versions, is still accepted: 1, a number below 1, and a number up to 4 that is not whole.
/// With `%`, a number is always in percent: `1%`.
struct VolumePercent: Equatable {
  let percent: Double
  /// Whether it was written as a fraction.
  let isFraction: Bool

  /// The volume on the scale of MPRIS.
  var fraction: Double { percent / 100 }

  private init(percent: Double, isFraction: Bool) { (self.percent, self.isFraction) = (percent, isFraction) }

  /// Reads a number; up to `limit`, each number is a fraction, and up to 4 each one that is not whole.
  init(_ number: Double, fractionsUpTo limit: Double = 1) {
    let isFraction = number > 0 && number <= limit || number <= 4 && number != number.rounded()
    // Without the error of binary fractions: 0.07 is 7 %.
    self.init(percent: isFraction ? (number * 1e6).rounded() / 1e4 : number, isFraction: isFraction)
  }

  /// Parses `50`, `50%` and `0.5`; nil for any other text.
  init?(_ text: some StringProtocol, fractionsUpTo limit: Double = 1) {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let number = Double(digits),
      number.isFinite
    else { return nil }
    if text.hasSuffix("%") {
      self.init(percent: number, isFraction: false)
    } else {
      self.init(number, fractionsUpTo: limit)
    }
  }

  /// Reads the value of a key; nil for any other value.
  init?(_ value: ConfigurationValue, fractionsUpTo limit: Double = 1) {
    switch value {
    case .number(let number) where number.isFinite: self.init(number, fractionsUpTo: limit)
    case .text(let text):
      guard let volume = Self(text, fractionsUpTo: limit) else { return nil }
      self = volume
    default: return nil
    }
  }

  /// Returns the value of a key for a volume on the scale of MPRIS; it is read back unchanged.
  static func value(of fraction: Double) -> ConfigurationValue {
    let percent = (fraction * 1e6).rounded() / 1e4
    return Self(percent).isFraction ? .text(Self.text(percent) + "%") : .number(percent)
  }

  /// The sentence about a fraction, for the user; nil for a percentage.
  var note: String? {
    isFraction
      ? "a fraction is read as \(Self.text(percent)) %; write the percentage, because later versions read percent only"
      : nil
  }

  private static func text(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
}
