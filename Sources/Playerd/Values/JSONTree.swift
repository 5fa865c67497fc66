/// A JSON value of any shape.
enum JSONTree: Codable, Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let object = try? value.decode([String: JSONTree].self) {
      self = .object(object)
    } else if let list = try? value.decode([JSONTree].self) {
      self = .list(list)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let truth = try? value.decode(Bool.self) {
      self = .boolean(truth)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let integer = try? value.decode(UInt64.self) {
      self = .unsigned(integer)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let truth): try container.encode(truth)
    case .integer(let integer): try container.encode(integer)
    case .unsigned(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }

  /// Returns the value with other texts; `change` gets each text with the nearest key, except keys that begin with an
  /// underscore, which Swift makes for values without a label.
  func mapTexts(key: String = "", _ change: (_ key: String, _ text: String) -> String) -> JSONTree {
    switch self {
    case .text(let text): .text(change(key, text))
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
