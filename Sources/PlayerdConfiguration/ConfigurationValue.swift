package import Playback
import PlayerdSystem

/// The value of a key in a file, a variable or an option.
package enum ConfigurationValue: Equatable, Sendable {
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([String])

  /// Returns the value of the key `shuffle`.
  package static func shuffle(_ mode: Player.ShuffleMode) -> ConfigurationValue {
    mode == .albums ? .text(mode.rawValue) : .boolean(mode == .tracks)
  }

  /// The TOML representation.
  package var toml: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .text(let text): Self.quoted(text)
    case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.isControl:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// The type and range of the values of a key.
package enum ConfigurationKind: Equatable, Sendable {
  case boolean
  /// A truth value or a word.
  case booleanOr(String)
  case number(ClosedRange<Double>)
  /// A volume.
  case percent(ClosedRange<Double>)
  case choice([String])
  case text
  /// In a variable, the elements are separated by commas.
  case list

  /// The possible values in words, for the manual and for errors.
  var description: String {
    switch self {
    case .boolean: "true or false"
    case .booleanOr(let word): "true, false or \(word)"
    case .number(let range), .percent(let range): "\(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
    case .choice(let choices): choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
    case .text: "a string"
    case .list: "a list of strings"
    }
  }

  /// Whether a word in quotes can be a value.
  var acceptsWords: Bool {
    switch self {
    case .boolean, .number, .percent: false
    default: true
    }
  }

  private static func plain(_ number: Double) -> String { ConfigurationValue.number(number).toml }

  /// Parses the text of an environment variable; nil if it is not of this kind.
  func value(of text: String) -> ConfigurationValue? {
    switch self {
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "on", "1": .boolean(true)
      case "false", "no", "off", "0": .boolean(false)
      default: nil
      }
    case .booleanOr: Self.boolean.value(of: text) ?? .text(text)
    case .number: Double(text).map { .number($0) }
    case .percent, .choice, .text: .text(text)
    case .list: .list(text.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty })
    }
  }

  /// Returns the reason why a value is rejected; nil if it is valid.
  func objection(to value: ConfigurationValue) -> String? {
    switch (self, value) {
    case (.boolean, .boolean), (.booleanOr, .boolean), (.text, .text), (.list, .list): nil
    case (.booleanOr(let word), .text(let text)) where text == word: nil
    case (.number(let range), .number(let number)) where range.contains(number): nil
    case (.percent(let range), _): Self.objection(to: value, outside: range)
    case (.choice(let choices), .text(let text)) where choices.contains(text): nil
    default: "invalid value \(value.toml); expected \(description)"
    }
  }

  /// Returns the reason why a volume is rejected; nil if it is in the range, in percent.
  private static func objection(to value: ConfigurationValue, outside range: ClosedRange<Double>) -> String? {
    let volume = VolumePercent(value)
    if let volume, !volume.isFraction, range.contains(volume.percent) { return nil }
    if let volume, volume.isFraction, range.contains(volume.percent) {
      return "\(value.toml) is a fraction; write \(volume.text), because volumes are in percent"
    }
    return "invalid value \(value.toml); expected \(Self.percent(range).description)"
  }
}
