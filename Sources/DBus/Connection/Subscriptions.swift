/// The open streams of signals.
struct Subscriptions {
  typealias ID = Int

  /// The limit of signals that wait in a stream; beyond it, the oldest is dropped.
  static let depth = 1024
  /// The limit of streams of one connection.
  static let most = 1024

  private struct Subscription {
    let rule: DBusMatchRule
    /// Whether the stream also contains the changes of the sender's owner.
    let reportsOwner: Bool
    let stream: AsyncStream<DBusSignalMessage>.Continuation
    /// The unique name behind the rule's sender; nil while a well-known name is unowned.
    var owner: BusName?
    var knowsOwner: Bool

    func concerns(_ signal: DBusSignalMessage) -> Bool {
      if reportsOwner, let name = rule.sender, signal.isOwnerChange(of: name) { return true }
      return (rule.sender == nil || owner == signal.sender) && rule.matches(signal)
    }
  }

  private var subscriptions: [ID: Subscription] = [:]
  private var lastID: ID = 0

  /// The streams in the order in which they were opened.
  private var inOrder: [Subscription] { subscriptions.sorted { $0.key < $1.key }.map(\.value) }

  var isFull: Bool { subscriptions.count >= Self.most }

  mutating func insert(
    _ rule: DBusMatchRule, reportsOwner: Bool, _ stream: AsyncStream<DBusSignalMessage>.Continuation
  ) -> ID {
    lastID += 1
    let isFixed = rule.sender.map { $0.isUnique || $0 == .bus } ?? true
    subscriptions[lastID] = Subscription(
      rule: rule, reportsOwner: reportsOwner, stream: stream, owner: isFixed ? rule.sender : nil, knowsOwner: isFixed)
    return lastID
  }

  mutating func remove(_ id: ID) -> DBusMatchRule? { subscriptions.removeValue(forKey: id)?.rule }

  /// Stores the reply of GetNameOwner, unless a NameOwnerChanged has arrived since.
  mutating func setOwner(_ owner: BusName?, of id: ID) {
    guard subscriptions[id]?.knowsOwner == false else { return }
    subscriptions[id]?.owner = owner
    subscriptions[id]?.knowsOwner = true
  }

  /// Ends a stream: no further signal can arrive.
  func finish(_ id: ID) { subscriptions[id]?.stream.finish() }

  mutating func finishAll() {
    for subscription in inOrder { subscription.stream.finish() }
    subscriptions = [:]
  }

  /// Delivers a signal to the streams with a matching rule; a signal with unreadable arguments is dropped.
  mutating func deliver(_ message: borrowing Message, arrival: UInt64) {
    guard !subscriptions.isEmpty, let signal = DBusSignalMessage(message, arrival: arrival) else { return }
    let isOwnerChange = signal.sender == .bus && signal.member == DBusMatchRule.ownerChanged
    if isOwnerChange { noteOwner(signal) }
    for (_, subscription) in subscriptions.filter({ $0.value.concerns(signal) }).sorted(by: { $0.key < $1.key }) {
      subscription.stream.yield(signal)
    }
    if isOwnerChange, signal.newOwner == nil { finishStreams(from: signal.arguments.first?.asString) }
  }

  private mutating func noteOwner(_ signal: DBusSignalMessage) {
    guard let name = signal.arguments.first?.asString else { return }
    for id in subscriptions.keys {
      guard let sender = subscriptions[id]?.rule.sender, !sender.isUnique, sender.rawValue == name else { continue }
      subscriptions[id]?.owner = signal.newOwner
      subscriptions[id]?.knowsOwner = true
    }
  }

  /// Ends the streams from a unique name, which never returns.
  private func finishStreams(from name: String?) {
    for subscription in inOrder {
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
