/// Declared properties: reading, setting and observing.
extension DBusProxy {
  /// Returns the content of a property.
  ///
  /// - Throws: The error of the peer; `Failed` if the value has another type than declared.
  public func get<Content>(_ property: DBusPropertyDeclaration<Content>) async throws(DBusError) -> Content {
    let value = try await value(of: property.name)
    guard let content = value.flatMap({ Content(dbusValue: $0) }) else {
      throw .failed("property \(property.name) of \(owner) does not have type '\(Content.dbusType)'")
    }
    return content
  }

  /// Sets a property.
  public func set<Content>(
    _ property: DBusPropertyDeclaration<Content>, to content: Content
  ) async throws(DBusError) {
    try await setValue(of: property.name, to: content.dbusValue)
  }

  /// Returns a stream of the values of all properties by name: the values now, and after each change.
  ///
  /// The values are nil while the bus name is unowned; they are read again from each new owner. A property that a signal
  /// invalidates without its value is read again too. For a unique name, the stream finishes when this connection leaves the
  /// bus. If an owner does not have the object, the values are empty. The stream keeps only the newest values.
  ///
  /// This never starts a service.
  /// - Throws: The errors of the subscription, and of the first reading if the name is owned.
  public func propertyChanges() async throws(DBusError) -> AsyncStream<[String: DBusValue]?> {
    // The subscription comes first, so that no change after the first values is missed.
    let signals = try await connection.signals(
      matching: DBusMatchRule(
        sender: owner, path: path, interface: .properties, member: StandardMethod.propertiesChanged.name,
        firstArgument: name.rawValue),
      reportsOwner: true)
    let first = try await connection.ownerReply(for: owner)
    var initial: DBusPropertyCache?
    if let present = first.owner { initial = try await DBusPropertyCache(reading: self.of(present)) }
    return connection.stream(keeping: 1) { [initial] states in
      var cache = initial
      states.yield(cache?.values)
      for await signal in signals {
        let last = cache?.values
        if signal.nameWithNewOwner != owner.rawValue {
          await cache?.apply(signal)
        } else if signal.arrival > first.arrival {
          cache = nil
          if let present = signal.newOwner {
            // Fails if the owner has no such object or has left; the latter ends with another signal.
            let proxy = self.of(present)
            cache = (try? await DBusPropertyCache(reading: proxy)) ?? DBusPropertyCache(unread: proxy)
          }
        }
        if cache?.values != last { states.yield(cache?.values) }
      }
    }
  }

  /// Returns a stream of the content of a property: the content now, and after each change.
  ///
  /// The content is nil while the bus name is unowned, and if the value has another type than declared. The stream keeps
  /// only the newest content; ``propertyChanges()`` describes the rest.
  public func contents<Content: Equatable>(
    of property: DBusPropertyDeclaration<Content>
  ) async throws(DBusError) -> AsyncStream<Content?> {
    let states = try await propertyChanges()
    return connection.stream(keeping: 1) { contents in
      var last: Content??
      for await values in states {
        let content = values?[property]
        guard last != .some(content) else { continue }
        last = .some(content)
        contents.yield(content)
      }
    }
  }

  /// Returns the same interface of another connection.
  private func of(_ owner: BusName) -> DBusProxy { DBusProxy(name, at: path, of: owner, on: connection) }
}
