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
    guard subscriptions.count < Subscription.most else {
      throw .limitsExceeded("\(Subscription.most) streams of signals are open")
    }
    let (stream, continuation) = AsyncStream.makeStream(
      of: DBusSignalMessage.self, bufferingPolicy: .bufferingNewest(Subscription.depth))
    let subscription = Subscription(rule, reportsOwner: reportsOwner, continuation)
    let id = ObjectIdentifier(subscription)
    subscriptions.append(subscription)
    do {
      for part in [rule.ownerRule, rule].compactMap({ $0 }) { try await add(part, to: subscription) }
      if rule.ownerRule != nil, let sender = rule.sender {
        let owner = try await ownerReply(for: sender).owner
        subscription.setOwner(owner)
        // The sender may have left before the bus added the rule.
        if sender.isUnique, owner == nil { continuation.finish() }
      }
    } catch {
      unsubscribe(id)
      throw error
    }
    continuation.onTermination = { _ in
      self.loop.submit { self.assumeIsolated { $0.unsubscribe(id) } }
    }
    return stream
  }

  /// Adds a rule on the bus, and to the subscription unless the bus has refused it.
  private func add(_ rule: DBusMatchRule, to subscription: Subscription) async throws(DBusError) {
    do {
      _ = try await bus("AddMatch", [.string(rule.text)])
    } catch {
      // The bus also adds a rule if this task no longer waits for the reply.
      if DBusError.noReply("") ~= error { subscription.rules.append(rule) }
      throw error
    }
    subscription.rules.append(rule)
  }

  /// Removes a subscription and its rules; a subscription that was removed before is ignored.
  private func unsubscribe(_ id: ObjectIdentifier) {
    guard let index = subscriptions.firstIndex(where: { ObjectIdentifier($0) == id }) else { return }
    for rule in subscriptions.remove(at: index).rules {
      // Fails only if the connection is closed; then the bus has dropped the rules too.
      try? send(on: .bus, at: .bus, of: .bus, "RemoveMatch", [.string(rule.text)])
    }
  }

  /// Delivers a signal to the streams with a matching rule; a signal with unreadable arguments is dropped.
  func deliver(_ message: borrowing Message, arrival: UInt64) {
    guard !subscriptions.isEmpty, let signal = DBusSignalMessage(message, arrival: arrival) else { return }
    let name = signal.nameWithNewOwner
    for subscription in subscriptions { subscription.deliver(signal, ownerOf: name) }
  }
}

extension DBusSignalMessage {
  fileprivate init?(_ message: borrowing Message, arrival: UInt64) {
    guard let path = unsafe message.path, let interface = unsafe message.interface,
      let member = unsafe message.member, let sender = unsafe message.sender,
      let arguments = try? message.values()
    else { return nil }
    unsafe self.init(
      sender: BusName(unchecked: String(cString: sender)), path: ObjectPath(unchecked: String(cString: path)),
      interface: InterfaceName(unchecked: String(cString: interface)),
      member: MemberName(unchecked: String(cString: member)), arguments: arguments, arrival: arrival)
  }
}
