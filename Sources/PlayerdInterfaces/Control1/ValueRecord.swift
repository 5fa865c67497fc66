package import DBus

/// A structure that is sent as a dictionary, with one field for each entry.
package protocol ValueRecord: DBusConvertible {
  /// Creates the record for an empty dictionary.
  init()
  static var fields: [ValueField<Self>] { get }
}

extension ValueRecord {
  /// Reads a dictionary; unknown keys, values of other types, and counts and indices beyond 32 bits are ignored.
  package init(_ values: [String: DBusValue]) {
    self.init()
    for field in Self.fields {
      guard let value = values[field.key] else { continue }
      // Any program can own the daemon's name; its numbers must not overflow.
      if !field.isTime, let number = value.asInt64, UInt32(exactly: number) == nil { continue }
      field.write(&self, value)
    }
  }

  package static var dbusType: DBusSignature { "a{sv}" }

  package init?(dbusValue: DBusValue) {
    guard let values = dbusValue.asDictionary else { return nil }
    self.init(values)
  }

  package var dbusValue: DBusValue { .dictionary(values) }

  /// The entries of the dictionary; unknown values are omitted.
  package var values: [(String, DBusValue)] {
    Self.fields.compactMap { field in field.read(self).map { (field.key, $0) } }
  }
}

/// An entry of a dictionary and its stored property.
package struct ValueField<Record>: Sendable {
  package let key: String
  /// Whether the value is a time in microseconds.
  package let isTime: Bool
  package let read: @Sendable (Record) -> DBusValue?
  let write: @Sendable (inout Record, DBusValue) -> Void

  init<Content: DBusConvertible>(_ key: String, _ path: any WritableKeyPath<Record, Content> & Sendable) {
    (self.key, isTime) = (key, false)
    read = { $0[keyPath: path].dbusValue }
    write = { if let content = Content(dbusValue: $1) { $0[keyPath: path] = content } }
  }

  init<Content: DBusConvertible>(
    _ key: String, _ path: any WritableKeyPath<Record, Content?> & Sendable, isTime: Bool = false
  ) {
    (self.key, self.isTime) = (key, isTime)
    read = { $0[keyPath: path]?.dbusValue }
    write = { $0[keyPath: path] = Content(dbusValue: $1) }
  }
}
