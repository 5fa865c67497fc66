/// The open streams of signals.
struct Subscriptions {
  typealias ID = Int

  /// The limit of signals that wait in a stream; beyond it, the oldest is dropped.
  static let depth = 1024
  /// The limit of streams of one connection.
  static let most = 1024

  private struct Subscription {
    let id: ID
    let rule: DBusMatchRule
    /// Whether the stream also contains the changes of the sender's owner.
    let reportsOwner: Bool
    let stream: AsyncStream<DBusSignalMessage>.Continuation
    /// The unique name behind the rule's sender; nil while a well-known name is unowned.
    var owner: BusName?
    var knowsOwner: Bool

    mutating func setOwner(_ owner: BusName?) { (self.owner, knowsOwner) = (owner, true) }

    func concerns(_ signal: DBusSignalMessage) -> Bool {
      if reportsOwner, let name = signal.nameWithNewOwner, name == rule.sender?.rawValue { return true }
      return (rule.sender == nil || owner == signal.sender) && rule.matches(signal)
    }
  }

  /// The streams in the order in which they were opened.
  private var subscriptions: [Subscription] = []
  private var lastID: ID = 0

  var isFull: Bool { subscriptions.count >= Self.most }

  mutating func insert(
    _ rule: DBusMatchRule, reportsOwner: Bool, _ stream: AsyncStream<DBusSignalMessage>.Continuation
  ) -> ID {
    lastID += 1
    let isFixed = rule.sender.map { $0.isUnique || $0 == .bus } ?? true
    subscriptions.append(
      Subscription(
        id: lastID, rule: rule, reportsOwner: reportsOwner, stream: stream, owner: isFixed ? rule.sender : nil,
        knowsOwner: isFixed))
    return lastID
  }

  func rule(of id: ID) -> DBusMatchRule? { index(of: id).map { subscriptions[$0].rule } }

  mutating func remove(_ id: ID) { if let index = index(of: id) { subscriptions.remove(at: index) } }

  /// Stores the reply of GetNameOwner, unless a NameOwnerChanged has arrived since.
  mutating func setOwner(_ owner: BusName?, of id: ID) {
    guard let index = index(of: id), !subscriptions[index].knowsOwner else { return }
    subscriptions[index].setOwner(owner)
  }

  /// Ends a stream: no further signal can arrive.
  func finish(_ id: ID) { if let index = index(of: id) { subscriptions[index].stream.finish() } }

  mutating func finishAll() {
    for subscription in subscriptions { subscription.stream.finish() }
    subscriptions = []
  }

  /// Delivers a signal to the streams with a matching rule; a signal with unreadable arguments is dropped.
  mutating func deliver(_ message: borrowing Message, arrival: UInt64) {
    guard !subscriptions.isEmpty, let signal = DBusSignalMessage(message, arrival: arrival) else { return }
    let name = signal.nameWithNewOwner
    if let name { noteOwner(signal.newOwner, of: name) }
    for subscription in subscriptions where subscription.concerns(signal) { subscription.stream.yield(signal) }
    if let name, signal.newOwner == nil { finishStreams(from: name) }
  }

  private func index(of id: ID) -> Int? { subscriptions.firstIndex { $0.id == id } }

  private mutating func noteOwner(_ owner: BusName?, of name: String) {
    for index in subscriptions.indices {
      guard let sender = subscriptions[index].rule.sender, !sender.isUnique, sender.rawValue == name else { continue }
      subscriptions[index].setOwner(owner)
    }
  }

  /// Ends the streams from a unique name, which never returns.
  private func finishStreams(from name: String) {
    for subscription in subscriptions {
      guard let sender = subscription.rule.sender, sender.isUnique, sender.rawValue == name else { continue }
      subscription.stream.finish()
    }
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
