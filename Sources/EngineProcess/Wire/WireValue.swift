/// A value of a message: a small set of types, to which `Codable` values are encoded.
///
/// A value is read from bytes of an untrusted process. Reading checks every length, the depth and the number of values, so
/// the sender cannot exhaust the stack or the memory of the reader.
enum WireValue: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case bytes([UInt8])
  case list([WireValue])
  case record([String: WireValue])

  /// The greatest depth of lists and records within each other.
  static let depthLimit = 24
  /// The greatest number of values in a message.
  static let countLimit = 200_000
  /// The greatest magnitude of an integer or a number: the sender clamps larger values, and the receiver refuses them.
  ///
  /// A `Double` represents each integer up to it, and a sum or product of a few does not overflow.
  static let magnitudeLimit: Int64 = 1 << 53

  fileprivate enum Tag: UInt8 {
    case null, no, yes, integer, number, text, bytes, list, record
  }
}

/// The error of a message that cannot be used.
struct WireError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

// MARK: - Writing

extension WireValue {
  /// Appends the value to bytes.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(Tag.null.rawValue)
    case .bool(let value): bytes.append((value ? Tag.yes : .no).rawValue)
    case .integer(let value):
      bytes.append(Tag.integer.rawValue)
      Self.write(UInt64(bitPattern: value), to: &bytes)
    case .number(let value):
      bytes.append(Tag.number.rawValue)
      Self.write(value.bitPattern, to: &bytes)
    case .text(let value):
      bytes.append(Tag.text.rawValue)
      Self.write(value, to: &bytes)
    case .bytes(let value):
      bytes.append(Tag.bytes.rawValue)
      Self.write(UInt32(truncatingIfNeeded: value.count), to: &bytes)
      bytes += value
    case .list(let values):
      bytes.append(Tag.list.rawValue)
      Self.write(UInt32(truncatingIfNeeded: values.count), to: &bytes)
      for value in values { value.write(to: &bytes) }
    case .record(let fields):
      bytes.append(Tag.record.rawValue)
      Self.write(UInt32(truncatingIfNeeded: fields.count), to: &bytes)
      for (name, value) in fields {
        Self.write(name, to: &bytes)
        value.write(to: &bytes)
      }
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    write(UInt32(truncatingIfNeeded: text.utf8.count), to: &bytes)
    bytes += text.utf8
  }

  private static func write(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}

// MARK: - Reading

extension WireValue {
  /// Reads a value that takes all of the bytes.
  init(_ bytes: [UInt8]) throws(WireError) {
    var reader = WireReader(bytes: bytes)
    self = try reader.value(depth: 0)
    guard reader.isAtEnd else { throw WireError("bytes follow the value") }
  }
}

private struct WireReader {
  let bytes: [UInt8]
  private var place = 0
  private var count = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func value(depth: Int) throws(WireError) -> WireValue {
    guard depth < WireValue.depthLimit else { throw WireError("values are nested too deeply") }
    count += 1
    guard count <= WireValue.countLimit else { throw WireError("there are too many values") }
    guard let tag = try take(1).first.flatMap(WireValue.Tag.init(rawValue:)) else { throw WireError("an unknown type") }
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .integer:
      let value = Int64(bitPattern: try integer())
      guard value.magnitude <= WireValue.magnitudeLimit.magnitude else { throw WireError("an integer is too large") }
      return .integer(value)
    case .number:
      let value = Double(bitPattern: try integer())
      guard value.magnitude <= Double(WireValue.magnitudeLimit) else { throw WireError("a number is too large") }
      return .number(value)
    case .text: return .text(try text())
    case .bytes: return .bytes(Array(try take(try length())))
    case .list:
      let length = try length()
      var values: [WireValue] = []
      for _ in 0..<length { values.append(try value(depth: depth + 1)) }
      return .list(values)
    case .record:
      let length = try length()
      var fields: [String: WireValue] = [:]
      for _ in 0..<length {
        let name = try text()
        guard fields.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
          throw WireError("a field occurs twice")
        }
      }
      return .record(fields)
    }
  }

  /// Reads a length, which is at most the number of the bytes that follow: each value takes at least one.
  private mutating func length() throws(WireError) -> Int {
    let length: UInt32 = try integer()
    guard length <= bytes.count - place else { throw WireError("it is incomplete") }
    return Int(length)
  }

  private mutating func text() throws(WireError) -> String {
    guard let text = String(validating: try take(try length()), as: UTF8.self) else { throw WireError("invalid UTF-8") }
    return text
  }

  private mutating func integer<Value: FixedWidthInteger>() throws(WireError) -> Value {
    try take(Value.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  private mutating func take(_ length: Int) throws(WireError) -> ArraySlice<UInt8> {
    guard length <= bytes.count - place else { throw WireError("it is incomplete") }
    defer { place += length }
    return bytes[place..<place + length]
  }
}
