/// The name and the type of a property, declared once for the row that serves it and for the clients that read it.
///
/// ```swift
/// let level = DBusPropertyDeclaration<Double>("Level")
/// ```
public struct DBusPropertyDeclaration<Content: DBusConvertible>: Sendable {
  /// The property's name.
  public let name: MemberName
  let changes: DBusChangeSignal

  /// Declares a property; `changes` is how its server reports changes.
  public init(_ name: MemberName, changes: DBusChangeSignal = .value) {
    self.name = name
    self.changes = changes
  }
}

extension DBusProperty {
  /// A function that sets the new content of a declared property; it throws if the content is not acceptable.
  public typealias ContentSetter<Content> = @Sendable (_ content: Content, _ call: DBusCall) throws(DBusError) -> Void

  /// Creates the row of a declared property; without a setter, the property is read-only.
  public init<Content>(
    _ declaration: DBusPropertyDeclaration<Content>, get: @escaping @Sendable (State) -> Content,
    set: ContentSetter<Content>? = nil
  ) {
    var setter: DBusPropertySetter?
    if let set {
      setter = { value, call throws(DBusError) in
        guard let content = Content(dbusValue: value) else {
          throw .invalidArguments("property \(declaration.name) does not accept this value")
        }
        try set(content, call)
      }
    }
    self.init(
      declaration.name, Content.dbusType, changes: declaration.changes, get: { get($0).dbusValue }, set: setter)
  }
}

extension [String: DBusValue] {
  /// Returns the content of a declared property from values by name; nil if it is missing or has another type.
  public subscript<Content>(property: DBusPropertyDeclaration<Content>) -> Content? {
    self[property.name.rawValue].flatMap { Content(dbusValue: $0) }
  }
}
