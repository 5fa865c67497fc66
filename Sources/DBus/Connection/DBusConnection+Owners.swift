import EventLoop

/// Finds the owners of names.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-name-owner-changed>
extension DBusConnection {
  /// Returns the unique name of the connection that owns a name; nil if the name is unowned or the bus is lost.
  ///
  /// This query never starts a service.
  public func owner(of name: BusName) async -> BusName? { try? await ownerReply(for: name).owner }

  /// Returns a stream of a name's owner: the owner now, and after each change; nil while the name is unowned.
  ///
  /// No change is missed or reported twice, except that a stream that is not read keeps the newest 64 owners. The stream
  /// finishes when the connection closes.
  /// - Throws: The errors of ``signals(matching:)``.
  public func owners(of name: BusName) async throws(DBusError) -> AsyncStream<BusName?> {
    let changes = try await signals(matching: .ownerChanges(of: name))
    let first = try await ownerReply(for: name)
    return stream(keeping: 64) { owners in
      var last = first.owner
      owners.yield(last)
      // The first owner already contains the changes that arrived before it.
      for await change in changes where change.arrival > first.arrival && change.newOwner != last {
        last = change.newOwner
        owners.yield(last)
      }
    }
  }

  /// Returns a stream of the changes of a name's owner; ``DBusSignalMessage/newOwner`` is the owner after each change.
  ///
  /// - Throws: The errors of ``signals(matching:)``.
  public func ownerChanges(of name: BusName) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(matching: .ownerChanges(of: name))
  }

  /// Returns a stream of the changes of the owners of all names that begin with a name and a dot, and of the name itself.
  ///
  /// The first argument of each signal is the name.
  ///
  /// - Throws: The errors of ``signals(matching:)``.
  public func ownerChanges(below name: BusName) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(
      matching: DBusMatchRule(
        sender: .bus, interface: .bus, member: DBusMatchRule.ownerChanged, firstArgumentNamespace: name))
  }

  /// Returns when a name is unowned, this connection closes, or the task is cancelled.
  ///
  /// It returns at once if the name is unowned. If the owner cannot be observed because of a limit, it does not return
  /// when the name is released.
  public func untilGone(_ name: BusName) async {
    while !Task.isCancelled {
      do {
        for await owner in try await owners(of: name) where owner == nil { return }
        return
      } catch DBusError.noReply("") {
        // The time-out has passed, but the bus may only be slow, and the owner is alive.
      } catch {
        return await closed()
      }
    }
  }

  /// Returns the owner of a name and the number of the reply among the received messages; nil if the name is unowned.
  package func ownerReply(for name: BusName) async throws(DBusError) -> (owner: BusName?, arrival: UInt64) {
    let outcome = try await outcome(on: .bus, at: .bus, of: .bus, "GetNameOwner", [.string(name.rawValue)])
    do {
      return (try outcome.result.get().first?.asString.map { BusName(unchecked: $0) }, outcome.arrival)
    } catch DBusError.nameHasNoOwner("") {
      return (nil, outcome.arrival)
    }
  }

  /// Returns a stream that a task on this connection's thread feeds; the task is cancelled when the stream ends.
  package nonisolated func stream<Element: Sendable>(
    keeping depth: Int, _ feed: @escaping @Sendable (AsyncStream<Element>.Continuation) async -> Void
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(depth))
    let task = Task(executorPreference: taskExecutor) {
      await feed(continuation)
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
