import Playback

/// Encodes `Codable` values to a ``WireValue``.
struct WireEncoder: Encoder {
  /// A value that is being encoded; containers of `Codable` are references to it.
  fileprivate final class Node {
    enum Content {
      case value(WireValue)
      case list([Node])
      case record([String: Node])
    }

    var content = Content.value(.null)

    func child(_ name: String) -> Node {
      var fields: [String: Node] = [:]
      if case .record(let present) = content { fields = present }
      // Releases the other reference, so that the dictionary is not copied.
      content = .value(.null)
      let child = fields[name] ?? Node()
      fields[name] = child
      content = .record(fields)
      return child
    }

    func append() -> Node {
      var nodes: [Node] = []
      if case .list(let present) = content { nodes = present }
      content = .value(.null)
      let child = Node()
      nodes.append(child)
      content = .list(nodes)
      return child
    }

    func finished(depth: Int, count: inout Int) throws -> WireValue {
      count += 1
      guard depth < WireValue.depthLimit, count <= WireValue.countLimit else {
        throw WireError("it has too many values")
      }
      switch content {
      case .value(let value): return value
      case .list(let nodes): return .list(try nodes.map { try $0.finished(depth: depth + 1, count: &count) })
      case .record(let fields):
        return .record(try fields.mapValues { try $0.finished(depth: depth + 1, count: &count) })
      }
    }
  }

  fileprivate let node: Node
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Returns the value of an encoded message.
  static func encode(_ value: some Encodable) throws -> WireValue {
    let node = Node()
    try encode(value, to: node)
    var count = 0
    return try node.finished(depth: 0, count: &count)
  }

  fileprivate static func encode<Value: Encodable>(_ value: Value, to node: Node) throws {
    if let value = WireValue(plain: value) {
      node.content = .value(value)
    } else {
      try value.encode(to: WireEncoder(node: node))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .value = node.content { node.content = .record([:]) }
    return KeyedEncodingContainer(Fields(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .value = node.content { node.content = .list([]) }
    return Elements(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }

  private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey] = []

    mutating func encodeNil(forKey key: Key) { node.child(key.stringValue).content = .value(.null) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try WireEncoder.encode(value, to: node.child(key.stringValue))
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { WireEncoder(node: node.child(key.stringValue)).container(keyedBy: type) }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      WireEncoder(node: node.child(key.stringValue)).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { WireEncoder(node: node.child("super")) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { WireEncoder(node: node.child(key.stringValue)) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey] = []
    var count: Int { if case .list(let nodes) = node.content { nodes.count } else { 0 } }

    mutating func encodeNil() { node.append().content = .value(.null) }
    mutating func encode<T: Encodable>(_ value: T) throws { try WireEncoder.encode(value, to: node.append()) }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      WireEncoder(node: node.append()).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      WireEncoder(node: node.append()).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { WireEncoder(node: node.append()) }
  }

  private struct Single: SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey] = []

    mutating func encodeNil() { node.content = .value(.null) }
    mutating func encode<T: Encodable>(_ value: T) throws { try WireEncoder.encode(value, to: node) }
  }
}

extension WireValue {
  /// Creates the value of a type that is not encoded by its own `encode(to:)`; nil for any other.
  fileprivate init?<Value>(plain value: Value) {
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as String: self = .text(value)
    case let value as Duration: self = Self.duration(value)
    case let value as Double: self = Self.clamped(value)
    case let value as Float: self = Self.clamped(Double(value))
    case let value as any FixedWidthInteger: self = .integer(Self.clamped(Int64(clamping: value)))
    default:
      // A cast would succeed for any empty array.
      guard Value.self == [UInt8].self, let value = value as? [UInt8] else { return nil }
      self = .bytes(value)
    }
  }

  private static func clamped(_ value: Int64) -> Int64 { min(max(-magnitudeLimit, value), magnitudeLimit) }

  private static func clamped(_ value: Double) -> WireValue {
    let limit = Double(magnitudeLimit)
    return .number(value.isNaN ? 0 : min(max(-limit, value), limit))
  }

  /// The seconds and attoseconds of a duration, each with its sign.
  private static func duration(_ value: Duration) -> WireValue {
    let (seconds, attoseconds) = value.limited.components
    // Attoseconds have 60 bits: the nanoseconds, and the rest.
    return .list([
      .integer(seconds), .integer(attoseconds / 1_000_000_000), .integer(attoseconds % 1_000_000_000),
    ])
  }
}
