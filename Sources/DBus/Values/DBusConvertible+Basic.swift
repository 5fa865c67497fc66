extension Bool: DBusConvertible {
  /// The type `b`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "b") }

  /// Reads a boolean; nil for another type.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asBool) }

  /// The value as a boolean.
  public var dbusValue: DBusValue { .boolean(self) }
}

extension String: DBusConvertible {
  /// The type `s`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "s") }

  /// Reads a string; nil for another type.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asString) }

  /// The value as a string.
  public var dbusValue: DBusValue { .string(self) }
}

extension Double: DBusConvertible {
  /// The type `d`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "d") }

  /// Reads a double; nil for another type.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asDouble) }

  /// The value as a double.
  public var dbusValue: DBusValue { .double(self) }
}

extension DBusConvertible where Self: FixedWidthInteger {
  /// Reads an integer; nil for another type or a number that does not fit.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asInt64.flatMap { Self(exactly: $0) }) }
}

extension UInt8: DBusConvertible {
  /// The type `y`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "y") }

  /// The value as a byte.
  public var dbusValue: DBusValue { .byte(self) }
}

extension Int16: DBusConvertible {
  /// The type `n`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "n") }

  /// The value as a signed 16-bit integer.
  public var dbusValue: DBusValue { .int16(self) }
}

extension UInt16: DBusConvertible {
  /// The type `q`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "q") }

  /// The value as an unsigned 16-bit integer.
  public var dbusValue: DBusValue { .uint16(self) }
}

extension Int32: DBusConvertible {
  /// The type `i`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "i") }

  /// The value as a signed 32-bit integer.
  public var dbusValue: DBusValue { .int32(self) }
}

extension UInt32: DBusConvertible {
  /// The type `u`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "u") }

  /// The value as an unsigned 32-bit integer.
  public var dbusValue: DBusValue { .uint32(self) }
}

extension Int64: DBusConvertible {
  /// The type `x`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "x") }

  /// The value as a signed 64-bit integer.
  public var dbusValue: DBusValue { .int64(self) }
}

extension UInt64: DBusConvertible {
  /// The type `t`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "t") }

  /// Reads an unsigned 64-bit integer; nil for another type or a number that does not fit.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asUInt64) }

  /// The value as an unsigned 64-bit integer.
  public var dbusValue: DBusValue { .uint64(self) }
}

extension ObjectPath: DBusConvertible {
  /// The type `o`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "o") }

  /// Reads an object path; nil for another type.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asObjectPath) }

  /// The value as an object path.
  public var dbusValue: DBusValue { .objectPath(self) }
}

extension DBusSignature: DBusConvertible {
  /// The type `g`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "g") }

  /// Reads a signature; nil for another type.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asSignature) }

  /// The value as a signature.
  public var dbusValue: DBusValue { .signature(self) }
}

extension DBusFileDescriptor: DBusConvertible {
  /// The type `h`.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "h") }

  /// Reads a file descriptor; nil for another type.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asFileDescriptor) }

  /// The value as a file descriptor; it shares the ownership.
  public var dbusValue: DBusValue { .fileDescriptor(self) }
}
