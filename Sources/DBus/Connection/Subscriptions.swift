/// What a stream of signals is about; names are validated, so that the rule's text needs no quoting.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-routing-match-rules>
struct MatchRule: Sendable {
  var sender: BusName?
  var path: ObjectPath?
  var interface: InterfaceName?
  var member: MemberName?
  var firstArgument: BusName?

  /// The rule as AddMatch takes it.
  var text: String {
    [
      "type='signal'", interface.map { "interface='\($0)'" },
      sender.map { "sender='\($0)'" }, path.map { "path='\($0)'" },
      member.map { "member='\($0)'" }, firstArgument.map { "arg0='\($0)'" },
    ].compactMap { $0 }.joined(separator: ",")
  }

  /// The rule that tells when the sender's well-known name changes hands; nil when its messages carry its name.
  var ownerRule: MatchRule? {
    guard let sender, !sender.isUnique, sender != .bus else { return nil }
    return MatchRule(sender: .bus, interface: .bus, member: Self.ownerChanged, firstArgument: sender)
  }

  static let ownerChanged: MemberName = "NameOwnerChanged"
}

/// The streams of signals that somebody reads.
struct Subscriptions {
  typealias ID = Int

  /// The most signals that wait in a stream; beyond, the oldest is dropped.
  static let depth = 1024
  /// The most streams of one connection.
  static let most = 1024

  private struct Subscription {
    let rule: MatchRule
    let stream: AsyncStream<SignalMessage>.Continuation
    /// The unique name behind the rule's well-known sender; nil while nobody owns it.
    var owner: BusName?
    var knowsOwner: Bool

    func concerns(_ signal: SignalMessage) -> Bool {
      (rule.interface.map { $0 == signal.interface } ?? true) && (rule.member.map { $0 == signal.member } ?? true)
        && (rule.path.map { $0 == signal.path } ?? true) && (rule.sender == nil || owner == signal.sender)
        && (rule.firstArgument.map { $0.rawValue == signal.arguments.first?.asString } ?? true)
    }
  }

  private var subscriptions: [ID: Subscription] = [:]
  private var lastID: ID = 0

  var isFull: Bool { subscriptions.count >= Self.most }

  mutating func insert(_ rule: MatchRule, _ stream: AsyncStream<SignalMessage>.Continuation) -> ID {
    lastID += 1
    let ownsItself = rule.ownerRule == nil
    subscriptions[lastID] = Subscription(
      rule: rule, stream: stream, owner: ownsItself ? rule.sender : nil, knowsOwner: ownsItself)
    return lastID
  }

  mutating func remove(_ id: ID) -> MatchRule? { subscriptions.removeValue(forKey: id)?.rule }

  /// Takes the answer to GetNameOwner, unless a change of owner was heard of since.
  mutating func setOwner(_ owner: BusName?, of id: ID) {
    guard subscriptions[id]?.knowsOwner == false else { return }
    subscriptions[id]?.owner = owner
    subscriptions[id]?.knowsOwner = true
  }

  mutating func finishAll() {
    for subscription in subscriptions.values { subscription.stream.finish() }
    subscriptions = [:]
  }

  /// Hands a signal to the streams that it concerns; one with unreadable arguments is dropped.
  mutating func deliver(_ message: borrowing Message) {
    guard !subscriptions.isEmpty, let signal = SignalMessage(message) else { return }
    if signal.sender == .bus, signal.member == MatchRule.ownerChanged { noteOwner(signal.arguments) }
    for subscription in subscriptions.values where subscription.concerns(signal) {
      subscription.stream.yield(signal)
    }
  }

  private mutating func noteOwner(_ arguments: [Value]) {
    guard let name = arguments.first?.asString, let owner = arguments.last?.asString else { return }
    for id in subscriptions.keys where subscriptions[id]?.rule.sender?.rawValue == name {
      subscriptions[id]?.owner = owner.isEmpty ? nil : BusName(unchecked: owner)
      subscriptions[id]?.knowsOwner = true
    }
  }
}

extension SignalMessage {
  fileprivate init?(_ message: borrowing Message) {
    guard let path = unsafe message.path, let interface = unsafe message.interface,
      let member = unsafe message.member, let sender = unsafe message.sender,
      let arguments = try? message.values()
    else { return nil }
    unsafe self.init(
      sender: BusName(unchecked: String(cString: sender)), path: ObjectPath(unchecked: String(cString: path)),
      interface: InterfaceName(unchecked: String(cString: interface)),
      member: MemberName(unchecked: String(cString: member)), arguments: arguments)
  }
}
