/// Checks a value before it reaches libdbus, which aborts on violations. This code is pure Swift.
extension DBusValue {
  /// The limit of bytes in one message: half of the D-Bus limit, so that headers and padding always fit.
  ///
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-messages>
  static let largestEncoding = 64 << 20

  /// The deepest nesting of containers in one message.
  static let deepestNesting = 64

  /// Checks that the value is well-formed and has a type, and returns an upper estimate of its size in bytes.
  ///
  /// - Throws: `InvalidArgs` for another type, an array with an element of another type, an empty structure, or a
  ///   dictionary entry outside an array; `LimitsExceeded` for a value that is nested too deeply or too large.
  func encodedSize(as type: DBusSignature, depth: Int = 0) throws(DBusError) -> Int {
    guard isOfType(type) else {
      throw .invalidArguments("a value of type '\(signature)' where '\(type)' is expected")
    }
    return try encodedSize(depth, isElement: true)
  }

  /// Checks a value of any type; a dictionary entry must be the element of an array.
  private func encodedSize(_ depth: Int = 0, isElement: Bool = false) throws(DBusError) -> Int {
    guard depth <= Self.deepestNesting else { throw .limitsExceeded("the value is nested too deeply") }
    var size: Int
    switch self {
    case .string(let text): size = 8 + text.utf8.count
    case .objectPath(let path): size = 8 + path.rawValue.utf8.count
    case .signature(let signature):
      guard !signature.isEntry else { throw .invalidArguments("'\(signature)' is valid only as an element type") }
      size = 8 + signature.rawValue.utf8.count
    case .array(let element, let elements):
      guard element.isElement else { throw .invalidArguments("'\(element)' is not a single element type") }
      size = 16
      for value in elements { size += try value.encodedSize(as: element, depth: depth + 1) }
    case .structure(let fields):
      guard !fields.isEmpty else { throw .invalidArguments("a structure without fields") }
      size = 8
      for value in fields { size += try value.encodedSize(depth + 1) }
    case .dictionaryEntry(let key, let value):
      guard isElement else { throw .invalidArguments("a dictionary entry outside an array") }
      guard key.isBasic else { throw .invalidArguments("a dictionary's key of type '\(key.signature)'") }
      size = try 8 + key.encodedSize(depth + 1) + value.encodedSize(depth + 1)
    case .variant(let content):
      let type = content.signature
      guard content.isBasic || type.isSingle else {
        throw .invalidArguments("a variant cannot hold '\(type)', which is not one complete type")
      }
      size = try 16 + type.rawValue.utf8.count + content.encodedSize(depth + 1)
    default: size = 8
    }
    guard size <= Self.largestEncoding else { throw .limitsExceeded("the value exceeds the size limit of a message") }
    return size
  }

  /// Checks that values are well-formed and match a signature; without one, that their own types form a signature.
  static func check(_ values: [DBusValue], as expected: DBusSignature? = nil) throws(DBusError) {
    let received = DBusSignature(of: values)
    if expected == nil { _ = try DBusSignature(received.rawValue) }
    let expected = expected ?? received
    guard received == expected else {
      throw .invalidArguments("values of types '\(received)' where '\(expected)' are expected")
    }
    var size = 0
    for value in values {
      size += try value.encodedSize()
      guard size <= largestEncoding else { throw .limitsExceeded("the values exceed the size limit of a message") }
    }
  }

  private var isBasic: Bool {
    switch self {
    case .array, .structure, .dictionaryEntry, .variant: false
    default: true
    }
  }

  private func isOfType(_ type: DBusSignature) -> Bool {
    switch self {
    case .array(let element, _):
      type.rawValue.utf8.first == typeCode && type.rawValue.utf8.dropFirst().elementsEqual(element.rawValue.utf8)
    case .structure, .dictionaryEntry: signature == type
    default: type.rawValue.utf8.count == 1 && type.rawValue.utf8.first == typeCode
    }
  }
}

extension DBusSignature {
  fileprivate var isEntry: Bool { rawValue.utf8.first == UInt8(ascii: "{") }

  /// Whether this type is valid as an array element; the common types need no parsing.
  fileprivate var isElement: Bool {
    rawValue.utf8.count == 1 || self == .entry || DBusSignature(unchecked: "a" + rawValue).isSingle
  }
}
