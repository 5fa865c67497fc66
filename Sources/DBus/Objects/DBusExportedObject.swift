/// A handle of an exported object, whose properties are read from states of one type.
public struct DBusExportedObject<State: Sendable>: Sendable {
  /// The path of the object.
  public let path: ObjectPath
}
