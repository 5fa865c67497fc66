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
  let key: String
  let read: @Sendable (Record) -> Value?
  let write: @Sendable (inout Record, Value) -> Void

  init<Content: ValueConvertible>(_ key: String, _ path: any WritableKeyPath<Record, Content> & Sendable) {
    self.key = key
    read = { $0[keyPath: path].value }
    write = { if let content = Content($1) { $0[keyPath: path] = content } }
  }

  init<Content: ValueConvertible>(_ key: String, _ path: any WritableKeyPath<Record, Content?> & Sendable) {
    self.key = key
    read = { $0[keyPath: path]?.value }
    write = { $0[keyPath: path] = Content($1) }
  }
}

/// A type with one type of D-Bus.
protocol ValueConvertible: SendableMetatype {
  init?(_ value: Value)
  var value: Value { get }
}

extension String: ValueConvertible {
  init?(_ value: Value) {
    guard let text = value.asString else { return nil }
    self = text
  }
  var value: Value { .string(self) }
}

extension Bool: ValueConvertible {
  init?(_ value: Value) {
    guard let truth = value.asBool else { return nil }
    self = truth
  }
  var value: Value { .boolean(self) }
}

extension Int64: ValueConvertible {
  init?(_ value: Value) {
    guard let number = value.asInt64 else { return nil }
    self = number
  }
  var value: Value { .int64(self) }
}

extension Double: ValueConvertible {
  init?(_ value: Value) {
    guard let number = value.asDouble else { return nil }
    self = number
  }
  var value: Value { .double(self) }
}

extension [String]: ValueConvertible {
  init?(_ value: Value) {
    guard let texts = value.asStrings else { return nil }
    self = texts
  }
  var value: Value { .strings(self) }
}

extension ValueConvertible where Self: RawRepresentable<String> {
  init?(_ value: Value) {
    guard let text = value.asString else { return nil }
    self.init(rawValue: text)
  }
  var value: Value { .string(rawValue) }
}
