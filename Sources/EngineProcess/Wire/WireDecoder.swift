import Playback

/// Decodes `Codable` values from a ``WireValue``; a value of another type, or a missing one, is an error.
struct WireDecoder: Decoder {
  fileprivate let value: WireValue
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Returns the message that a value encodes.
  static func decode<Value: Decodable>(_ type: Value.Type, from value: WireValue) throws -> Value {
    if let plain = try value.plain(type) { return plain }
    return try Value(from: WireDecoder(value: value))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .record(let fields) = value else { throw WireError("a record is expected") }
    return KeyedDecodingContainer(Fields(fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = value else { throw WireError("a list is expected") }
    return Elements(values: values)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(value: value) }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: WireValue]
    let codingPath: [any CodingKey] = []
    var allKeys: [Key] { fields.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
    private func field(_ key: Key) throws -> WireValue {
      guard let value = fields[key.stringValue] else { throw WireError("the field \(key.stringValue) is missing") }
      return value
    }
    func decodeNil(forKey key: Key) throws -> Bool { try field(key) == .null }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try WireDecoder.decode(type, from: field(key))
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try WireDecoder(value: field(key)).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try WireDecoder(value: field(key)).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { WireDecoder(value: fields["super"] ?? .null) }
    func superDecoder(forKey key: Key) throws -> any Decoder { WireDecoder(value: try field(key)) }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let values: [WireValue]
    let codingPath: [any CodingKey] = []
    var currentIndex = 0
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(values: [WireValue]) { self.values = values }

    private mutating func next() throws -> WireValue {
      guard !isAtEnd else { throw WireError("a list is too short") }
      defer { currentIndex += 1 }
      return values[currentIndex]
    }
    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd else { throw WireError("a list is too short") }
      guard values[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try WireDecoder.decode(type, from: next()) }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try WireDecoder(value: next()).container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try WireDecoder(value: next()).unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { WireDecoder(value: try next()) }
  }

  private struct Single: SingleValueDecodingContainer {
    let value: WireValue
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { value == .null }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try WireDecoder.decode(type, from: value) }
  }
}

extension WireValue {
  /// Returns the value as a type that is not decoded by its own `init(from:)`; nil for any other type.
  fileprivate func plain<Value>(_ type: Value.Type) throws -> Value? {
    let plain: Any
    switch type {
    case is Bool.Type:
      guard case .bool(let value) = self else { throw WireError("a Boolean is expected") }
      plain = value
    case is String.Type:
      guard case .text(let value) = self else { throw WireError("a text is expected") }
      plain = value
    case is Double.Type:
      guard case .number(let value) = self else { throw WireError("a number is expected") }
      plain = value
    case is Duration.Type: plain = try duration()
    case is [UInt8].Type:
      guard case .bytes(let value) = self else { throw WireError("bytes are expected") }
      plain = value
    case let type as any FixedWidthInteger.Type:
      guard case .integer(let value) = self, let number = Self.integer(value, type) else {
        throw WireError("an integer is expected")
      }
      plain = number
    default: return nil
    }
    return plain as? Value
  }

  private static func integer<Value: FixedWidthInteger>(_ value: Int64, _ type: Value.Type) -> Any? {
    Value(exactly: value)
  }

  private func duration() throws(WireError) -> Duration {
    guard case .list(let parts) = self, parts.count == 3, case .integer(let seconds) = parts[0],
      case .integer(let nanoseconds) = parts[1], case .integer(let rest) = parts[2],
      nanoseconds.magnitude < 1_000_000_000, rest.magnitude < 1_000_000_000
    else { throw WireError("a duration is expected") }
    let value = Duration(
      secondsComponent: seconds, attosecondsComponent: nanoseconds * 1_000_000_000 + rest)
    guard value == value.limited else { throw WireError("a duration is too long") }
    return value
  }
}
