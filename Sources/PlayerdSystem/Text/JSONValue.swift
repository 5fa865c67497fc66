import FoundationEssentials

/// A JSON value.
package enum JSONValue: Codable, Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Creates a string; null if unknown.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// Creates a number of seconds from microseconds; null if unknown.
  package init(microseconds: Int64?) { self = microseconds.map { .number(Double($0) / 1e6) } ?? .null }

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    func read<Content: Decodable>(_ make: (Content) -> JSONValue) -> JSONValue? {
      (try? value.decode(Content.self)).map(make)
    }
    self =
      try value.decodeNil()
      ? .null
      : read(Self.object) ?? read(Self.list) ?? read(Self.string) ?? read(Self.boolean) ?? read(Self.integer)
        ?? read(Self.unsigned) ?? .number(value.decode(Double.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let truth): try container.encode(truth)
    case .integer(let integer): try container.encode(integer)
    case .unsigned(let integer): try container.encode(integer)
    // JSON does not support infinities.
    case .number(let number): if number.isFinite { try container.encode(number) } else { try container.encodeNil() }
    case .string(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }

  /// Returns the value with other texts; `change` gets each text with the nearest key, except keys that begin with an
  /// underscore, which Swift makes for values without a label.
  package func mapTexts(key: String = "", _ change: (_ key: String, _ text: String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(change(key, text))
    case .list(let list): .list(list.map { $0.mapTexts(key: key, change) })
    case .object(let object):
      .object(
        Dictionary(
          uniqueKeysWithValues: object.map { name, value in
            (name, value.mapTexts(key: name.hasPrefix("_") ? key : name, change))
          }))
    case .null, .boolean, .integer, .unsigned, .number: self
    }
  }
}

/// Encodes a JSON object on one line, its members sorted by name.
package func jsonLine(_ members: [String: JSONValue]) -> String {
  // Every case of JSONValue can be encoded.
  jsonLine(encoding: members) ?? "{}"
}

/// Encodes a value as JSON on one line, the members of objects sorted by name; nil if JSON does not support it.
///
/// The line contains no control character and no mark of the text direction: they are escaped.
package func jsonLine(encoding value: some Encodable) -> String? {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return nil }
  let text = String(decoding: data, as: UTF8.self)
  guard text.unicodeScalars.contains(where: \.isControl) else { return text }
  // The encoder escapes only those below U+0020; all of these have four digits.
  return text.unicodeScalars.reduce(into: "") { line, scalar in
    guard scalar.isControl else { return line.unicodeScalars.append(scalar) }
    let digits = String(scalar.value, radix: 16)
    line += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
