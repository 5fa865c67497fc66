/// What handlers read; every reader is nil when the value is of another type.
extension Value {
  /// The text of a string, not of a path or signature.
  public var asString: String? { if case .string(let text) = self { text } else { nil } }

  /// The truth of a boolean.
  public var asBool: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The path of an object.
  public var asObjectPath: ObjectPath? { if case .objectPath(let path) = self { path } else { nil } }

  /// A file descriptor, which is closed when nobody refers to it any more.
  public var asFileDescriptor: FileDescriptor? {
    if case .fileDescriptor(let descriptor) = self { descriptor } else { nil }
  }

  /// What a variant holds.
  public var asVariant: Value? { if case .variant(let content) = self { content } else { nil } }

  /// The elements of an array of strings.
  public var asStrings: [String]? { elements(of: .string, \.asString) }

  /// The elements of an array of object paths.
  public var asObjectPaths: [ObjectPath]? { elements(of: .objectPath, \.asObjectPath) }

  /// The entries of an `a{sv}`, variants unwrapped; of a repeated key the last value.
  public var asDictionary: [String: Value]? {
    guard case .array(.entry, let entries) = self else { return nil }
    var dictionary: [String: Value] = [:]
    for case .dictionaryEntry(.string(let key), .variant(let value)) in entries { dictionary[key] = value }
    return dictionary
  }

  /// Any integer that fits, and a double that is integral and fits.
  public var asInt64: Int64? {
    switch self {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// Any number, rounded to the nearest double.
  public var asDouble: Double? {
    switch self {
    case .double(let number): number
    case .uint64(let number): Double(number)
    default: asInt64.map { Double($0) }
    }
  }

  /// The same number in another numeric type; nil when it does not fit or either is no number.
  func number(as type: Signature) -> Value? {
    switch type.rawValue {
    case "y": asInt64.flatMap { UInt8(exactly: $0) }.map { .byte($0) }
    case "n": asInt64.flatMap { Int16(exactly: $0) }.map { .int16($0) }
    case "q": asInt64.flatMap { UInt16(exactly: $0) }.map { .uint16($0) }
    case "i": asInt64.flatMap { Int32(exactly: $0) }.map { .int32($0) }
    case "u": asInt64.flatMap { UInt32(exactly: $0) }.map { .uint32($0) }
    case "x": asInt64.map { .int64($0) }
    case "t": asUInt64.map { .uint64($0) }
    case "d": asDouble.map { .double($0) }
    default: nil
    }
  }

  private var asUInt64: UInt64? {
    switch self {
    case .uint64(let number): number
    case .double(let number): UInt64(exactly: number)
    default: asInt64.flatMap { UInt64(exactly: $0) }
    }
  }

  private func elements<Element>(of type: Signature, _ read: (Value) -> Element?) -> [Element]? {
    guard case .array(type, let elements) = self else { return nil }
    return elements.compactMap(read)
  }
}
