import EventLoop

extension DBusConnection {
  /// Subscribes to signals until the stream is dropped, its task is cancelled or the connection closes.
  ///
  /// An argument that is nil matches everything; ``signals(matching:)`` has further parts of a rule.
  /// - Throws: The errors of ``signals(matching:)``.
  public func signals(
    from sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil,
    firstArgument: String? = nil
  ) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(
      matching: DBusMatchRule(
        sender: sender, path: path, interface: interface, member: member, firstArgument: firstArgument))
  }

  /// Subscribes to the signals that match a rule, until the stream is dropped, its task is cancelled or the connection
  /// closes.
  ///
  /// One stream keeps the order of its signals. If the owner of a well-known sender changes, the subscription follows the
  /// new owner. A stream from a unique name finishes when this connection leaves the bus. A stream that is not read keeps
  /// the newest 1024 signals.
  /// - Throws: The errors of AddMatch; `LimitsExceeded` if 1024 streams are open; `Disconnected`.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-add-match>
  public func signals(matching rule: DBusMatchRule) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(matching: rule, reportsOwner: false)
  }

  /// Subscribes to signals; with `reportsOwner`, the stream also contains the changes of the sender's owner.
  func signals(
    matching rule: DBusMatchRule, reportsOwner: Bool
  ) async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    guard !subscriptions.isFull else { throw .limitsExceeded("\(Subscriptions.most) streams of signals are open") }
    let (stream, continuation) = AsyncStream.makeStream(
      of: DBusSignalMessage.self, bufferingPolicy: .bufferingNewest(Subscriptions.depth))
    let id = subscriptions.insert(rule, reportsOwner: reportsOwner, continuation)
    // The rules that were added; the bus counts equal rules of several streams.
    var rules: [DBusMatchRule] = []
    do {
      for part in [rule.ownerRule, rule].compactMap({ $0 }) { try await add(part, to: &rules) }
      if rule.ownerRule != nil, let sender = rule.sender {
        let owner = try await ownerReply(for: sender).owner
        subscriptions.setOwner(owner, of: id)
        // The sender may have left before the bus added the rule.
        if sender.isUnique, owner == nil { subscriptions.finish(id) }
      }
    } catch {
      unsubscribe(id, from: rules)
      throw error
    }
    continuation.onTermination = { _ in
      self.loop.submit { self.assumeIsolated { $0.unsubscribe(id) } }
    }
    return stream
  }

  /// Adds a rule on the bus, and to `rules` unless the bus has refused it.
  private func add(_ rule: DBusMatchRule, to rules: inout [DBusMatchRule]) async throws(DBusError) {
    do {
      _ = try await bus("AddMatch", [.string(rule.text)])
    } catch {
      // The bus also adds a rule for whose reply nobody waits any more.
      if DBusError.noReply("") ~= error { rules.append(rule) }
      throw error
    }
    rules.append(rule)
  }

  private func unsubscribe(_ id: Subscriptions.ID) {
    guard let rule = subscriptions.rule(of: id) else { return }
    unsubscribe(id, from: [rule, rule.ownerRule].compactMap { $0 })
  }

  private func unsubscribe(_ id: Subscriptions.ID, from rules: [DBusMatchRule]) {
    subscriptions.remove(id)
    for rule in rules {
      // Fails only if the connection is closed; then the bus has dropped the rules too.
      try? send(on: .bus, at: .bus, of: .bus, "RemoveMatch", [.string(rule.text)])
    }
  }
}
