/// Typed access for handlers; each property is nil if the value has another type.
extension DBusValue {
  /// The text of a string; nil for a path or signature.
  public var asString: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean.
  public var asBool: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The object path.
  public var asObjectPath: ObjectPath? { if case .objectPath(let path) = self { path } else { nil } }

  /// The file descriptor; closed when the last reference is released.
  public var asFileDescriptor: DBusFileDescriptor? {
    if case .fileDescriptor(let descriptor) = self { descriptor } else { nil }
  }

  /// The signature; nil for another type.
  public var asSignature: DBusSignature? { if case .signature(let signature) = self { signature } else { nil } }

  /// The content of a variant.
  public var asVariant: DBusValue? { if case .variant(let content) = self { content } else { nil } }

  /// The elements of an array of strings.
  public var asStrings: [String]? { elements(of: .string, \.asString) }

  /// The elements of an array of object paths.
  public var asObjectPaths: [ObjectPath]? { elements(of: .objectPath, \.asObjectPath) }

  /// The entries of an `a{sv}` without their variants; for a repeated key, the last value.
  public var asDictionary: [String: DBusValue]? {
    guard case .array(.entry, let entries) = self else { return nil }
    var dictionary: [String: DBusValue] = [:]
    for case .dictionaryEntry(.string(let key), .variant(let value)) in entries { dictionary[key] = value }
    return dictionary
  }

  /// The value of any integer, or of an integral double, that fits into `Int64`.
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

  /// The value of any number, rounded to the nearest double.
  public var asDouble: Double? {
    switch self {
    case .double(let number): number
    case .uint64(let number): Double(number)
    default: asInt64.map { Double($0) }
    }
  }

  /// Converts a number to another numeric type; nil if it does not fit or if either type is not numeric.
  func number(as type: DBusSignature) -> DBusValue? {
    let types: [any DBusConvertible.Type] = [
      UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self, Int64.self, UInt64.self, Double.self,
    ]
    return types.first { $0.dbusType == type }?.init(dbusValue: self)?.dbusValue
  }

  /// The value of any integer, or of an integral double, that fits into `UInt64`.
  public var asUInt64: UInt64? {
    switch self {
    case .uint64(let number): number
    case .double(let number): UInt64(exactly: number)
    default: asInt64.flatMap { UInt64(exactly: $0) }
    }
  }

  private func elements<Element>(of type: DBusSignature, _ read: (DBusValue) -> Element?) -> [Element]? {
    guard case .array(type, let elements) = self else { return nil }
    return elements.compactMap(read)
  }
}
