/// A Swift type that maps to one D-Bus type.
///
/// Integers, `Double`, `Bool`, `String`, ``ObjectPath``, ``DBusFileDescriptor``, and arrays and dictionaries of these conform.
/// A ``DBusValue`` maps to a variant, so `[String: DBusValue]` is `a{sv}`. An enumeration whose raw type conforms only
/// declares the conformance; a structure implements the three requirements.
public protocol DBusConvertible: Sendable, SendableMetatype {
  /// The type on the bus, one complete type.
  static var dbusType: DBusSignature { get }

  /// Reads a value; nil if it has another type. A number of another type is converted if it fits.
  init?(dbusValue: DBusValue)

  /// The value for a message, of the type ``dbusType``.
  var dbusValue: DBusValue { get }
}

extension DBusConvertible {
  /// Creates the content of a value that has been read; nil for nil.
  init?(read content: Self?) {
    guard let content else { return nil }
    self = content
  }
}

extension DBusConvertible where Self: RawRepresentable, RawValue: DBusConvertible {
  /// The type of the raw value.
  public static var dbusType: DBusSignature { RawValue.dbusType }

  /// Reads a raw value; nil for an unknown one.
  public init?(dbusValue: DBusValue) {
    self.init(read: RawValue(dbusValue: dbusValue).flatMap { Self(rawValue: $0) })
  }

  /// The raw value.
  public var dbusValue: DBusValue { rawValue.dbusValue }
}

extension DBusValue: DBusConvertible {
  /// The type variant.
  public static var dbusType: DBusSignature { .variant }

  /// Reads the content of a variant; nil for another value.
  public init?(dbusValue: DBusValue) { self.init(read: dbusValue.asVariant) }

  /// A variant with this value.
  public var dbusValue: DBusValue { .variant(self) }
}

extension Array: DBusConvertible where Element: DBusConvertible {
  /// An array of the element's type.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "a\(Element.dbusType)") }

  /// Reads an array; nil if an element has another type.
  public init?(dbusValue: DBusValue) {
    guard case .array(_, let values) = dbusValue else { return nil }
    self = []
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(dbusValue: value) else { return nil }
      append(element)
    }
  }

  /// An array of the elements' values.
  public var dbusValue: DBusValue { .array(Element.dbusType, map(\.dbusValue)) }
}

extension Dictionary: DBusConvertible where Key: DBusConvertible, Value: DBusConvertible {
  /// A dictionary of these types; the type of the key must be basic.
  public static var dbusType: DBusSignature { DBusSignature(unchecked: "a\(entryType)") }

  private static var entryType: DBusSignature { DBusSignature(unchecked: "{\(Key.dbusType)\(Value.dbusType)}") }

  /// Reads a dictionary; nil if a key or value has another type.
  ///
  /// Of a repeated key, the last value counts.
  public init?(dbusValue: DBusValue) {
    guard case .array(_, let entries) = dbusValue else { return nil }
    self = [:]
    for entry in entries {
      guard case .dictionaryEntry(let key, let value) = entry, let key = Key(dbusValue: key),
        let value = Value(dbusValue: value)
      else { return nil }
      self[key] = value
    }
  }

  /// The entries, in no particular order.
  public var dbusValue: DBusValue {
    .array(Self.entryType, map { .dictionaryEntry($0.key.dbusValue, $0.value.dbusValue) })
  }
}
