package import DBus

/// A structure that the bus carries as a dictionary, with one row for each entry.
package protocol ValueRecord {
  /// Creates the record that an empty dictionary stands for.
  init()
  static var fields: [ValueField<Self>] { get }
}

extension ValueRecord {
  /// Reads a dictionary; unknown keys and values of other types are ignored.
  package init(_ values: [String: Value]) {
    self.init()
    for field in Self.fields {
      if let value = values[field.key] { field.write(&self, value) }
    }
  }

  /// The entries of the dictionary; unknown values are left out.
  package var values: [(String, Value)] {
    Self.fields.compactMap { field in field.read(self).map { (field.key, $0) } }
  }
}

/// An entry of a dictionary and the stored property behind it.
package struct ValueField<Record>: Sendable {
  package let key: String
  /// Whether the value is a time in microseconds.
  package let isTime: Bool
  package let read: @Sendable (Record) -> Value?
  let write: @Sendable (inout Record, Value) -> Void

  init<Content: ValueConvertible>(_ key: String, _ path: any WritableKeyPath<Record, Content> & Sendable) {
    (self.key, isTime) = (key, false)
    read = { $0[keyPath: path].value }
    write = { if let content = Content.from($1) { $0[keyPath: path] = content } }
  }

  init<Content: ValueConvertible>(
    _ key: String, _ path: any WritableKeyPath<Record, Content?> & Sendable, isTime: Bool = false
  ) {
    (self.key, self.isTime) = (key, isTime)
    read = { $0[keyPath: path]?.value }
    write = { $0[keyPath: path] = Content.from($1) }
  }
}

/// A type with one type of D-Bus.
protocol ValueConvertible: SendableMetatype {
  static func from(_ value: Value) -> Self?
  var value: Value { get }
}

extension String: ValueConvertible {
  static func from(_ value: Value) -> String? { value.asString }
  var value: Value { .string(self) }
}

extension Bool: ValueConvertible {
  static func from(_ value: Value) -> Bool? { value.asBool }
  var value: Value { .boolean(self) }
}

extension Int64: ValueConvertible {
  static func from(_ value: Value) -> Int64? { value.asInt64 }
  var value: Value { .int64(self) }
}

extension Double: ValueConvertible {
  static func from(_ value: Value) -> Double? { value.asDouble }
  var value: Value { .double(self) }
}

extension [String]: ValueConvertible {
  static func from(_ value: Value) -> [String]? { value.asStrings }
  var value: Value { .strings(self) }
}

extension ValueConvertible where Self: RawRepresentable<String> {
  static func from(_ value: Value) -> Self? { value.asString.flatMap { Self(rawValue: $0) } }
  var value: Value { .string(rawValue) }
}
