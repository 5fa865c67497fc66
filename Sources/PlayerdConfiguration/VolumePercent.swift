import PlayerdSystem
import TextCoding

/// A volume in percent, as the command line and the configuration have it.
///
/// A fraction such as `0.5` is refused, because it can mean 50 percent, as in playerctl, or half a percent. With `%`, a
/// number is always in percent: `0.5%`.
package struct VolumePercent: Equatable {
  package let percent: Double
  /// Whether it was written as a fraction; the percentage is then the value that was probably meant.
  package let isFraction: Bool

  /// The volume on the scale of MPRIS, where 1 is 100 percent.
  package var level: Double { percent / 100 }

  private init(percent: Double, isFraction: Bool) { (self.percent, self.isFraction) = (percent, isFraction) }

  /// Reads a number; a number that is not whole and below 4, the highest amplification, is a fraction.
  init(_ number: Double) { self.init(number, isWhole: number == number.rounded()) }

  private init(_ number: Double, isWhole: Bool) {
    let isFraction = number < 4 && !isWhole
    // Without the error of binary fractions: 0.07 is 7 %.
    self.init(percent: isFraction ? (number * 1e6).rounded() / 1e4 : number, isFraction: isFraction)
  }

  /// Parses `50`, `50%`, and the fractions `0.5` and `1.0`; nil for any other text.
  package init?(_ text: some StringProtocol) {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let number = Double(digits),
      number.isFinite
    else { return nil }
    if text.hasSuffix("%") {
      self.init(percent: number, isFraction: false)
    } else {
      self.init(number, isWhole: !digits.utf8.contains(UInt8(ascii: ".")))
    }
  }

  /// Reads the value of a key; nil for any other value.
  init?(_ value: ConfigurationValue) {
    switch value {
    case .number(let number) where number.isFinite: self.init(number)
    case .text(let text):
      guard let volume = Self(text) else { return nil }
      self = volume
    default: return nil
    }
  }

  /// Returns the value of a key for a volume on the scale of MPRIS; it is read back unchanged.
  package static func value(of level: Double) -> ConfigurationValue {
    let percent = (level * 1e6).rounded() / 1e4
    return Self(percent).isFraction ? .text(Self.text(percent) + "%") : .number(percent)
  }

  /// The percentage as it is typed.
  package var text: String { Self.text(percent) }

  private static func text(_ number: Double) -> String { number.plainText }
}
