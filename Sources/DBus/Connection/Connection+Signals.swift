import EventLoop

extension Connection {
  /// Subscribes to signals until the stream is dropped, its task is cancelled or the connection closes.
  ///
  /// What is nil may be anything; one stream keeps the order of all that it brings. A well-known sender is followed from
  /// owner to owner. A stream that nobody reads keeps the newest 1024 signals. With `firstArgument` only the signals
  /// whose first argument is this bus name come; the bus sends no others.
  /// - Throws: What AddMatch throws; `LimitsExceeded` with 1024 streams; `Disconnected`.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-add-match>
  public func signals(
    from sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil,
    firstArgument: BusName? = nil
  ) async throws(DBusError) -> AsyncStream<SignalMessage> {
    guard !subscriptions.isFull else { throw .limitsExceeded("\(Subscriptions.most) streams of signals are open") }
    let rule = MatchRule(
      sender: sender, path: path, interface: interface, member: member, firstArgument: firstArgument)
    let (stream, continuation) = AsyncStream.makeStream(
      of: SignalMessage.self, bufferingPolicy: .bufferingNewest(Subscriptions.depth))
    let id = subscriptions.insert(rule, continuation)
    do {
      if let ownerRule = rule.ownerRule { _ = try await bus("AddMatch", [.string(ownerRule.text)]) }
      _ = try await bus("AddMatch", [.string(rule.text)])
      if rule.ownerRule != nil, let sender { subscriptions.setOwner(await owner(of: sender), of: id) }
    } catch {
      unsubscribe(id)
      throw error
    }
    continuation.onTermination = { _ in
      self.loop.submit { self.assumeIsolated { $0.unsubscribe(id) } }
    }
    return stream
  }

  /// The unique name of the connection that owns a name now; nil when nobody does, or the bus is gone.
  ///
  /// Asking starts nothing that could own it.
  public func owner(of name: BusName) async -> BusName? {
    // Nobody owning the name is no error here: its owner is told when it comes.
    guard let reply = try? await bus("GetNameOwner", [.string(name.rawValue)]) else { return nil }
    return reply.first?.asString.map { BusName(unchecked: $0) }
  }

  private func unsubscribe(_ id: Subscriptions.ID) {
    guard let rule = subscriptions.remove(id) else { return }
    for rule in [rule, rule.ownerRule].compactMap({ $0 }) {
      // Fails only when the connection is closed, and the rules with it.
      try? send(on: .bus, at: .bus, of: .bus, "RemoveMatch", [.string(rule.text)])
    }
  }
}

extension Connection {
  /// Returns the changes of the owner of a name from now on; ``SignalMessage/newOwner`` is the owner after each.
  ///
  /// - Throws: The errors of ``signals(from:path:interface:member:firstArgument:)``.
  public func ownerChanges(of name: BusName) async throws(DBusError) -> AsyncStream<SignalMessage> {
    try await signals(from: .bus, interface: .bus, member: MatchRule.ownerChanged, firstArgument: name)
  }

  /// Returns when nobody owns a name: nobody does already, its owner leaves, this connection closes, or the task is
  /// cancelled.
  ///
  /// The bus is asked to tell of this name and of no other.
  public func untilGone(_ name: BusName) async {
    guard let changes = try? await ownerChanges(of: name) else { return }
    // It may have left before the bus knew that we listen.
    guard await owner(of: name) != nil else { return }
    for await change in changes where change.newOwner == nil { return }
  }
}
