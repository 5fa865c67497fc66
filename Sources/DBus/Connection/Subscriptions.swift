/// An open stream of signals.
final class Subscription {
  /// The limit of signals that wait in a stream; beyond it, the oldest is dropped.
  static let depth = 1024

  let stream: AsyncStream<DBusSignalMessage>.Continuation
  /// The rules that were added on the bus; the bus counts equal rules of several streams.
  private(set) var rules: [DBusMatchRule] = []
  private let rule: DBusMatchRule
  /// Whether the stream also contains the changes of the sender's owner.
  private let reportsOwner: Bool
  /// The unique name behind the rule's sender; nil while a well-known name is unowned.
  private var owner: BusName?
  private var knowsOwner: Bool

  init(_ rule: DBusMatchRule, reportsOwner: Bool, _ stream: AsyncStream<DBusSignalMessage>.Continuation) {
    (self.rule, self.reportsOwner, self.stream) = (rule, reportsOwner, stream)
    knowsOwner = rule.sender.map { $0.isUnique || $0 == .bus } ?? true
    owner = knowsOwner ? rule.sender : nil
  }

  /// Notes a rule that was added on the bus.
  func noteAdded(_ rule: DBusMatchRule) { rules.append(rule) }

  /// Stores the reply of GetNameOwner, unless a NameOwnerChanged has arrived since.
  func setOwner(_ reply: BusName?) { if !knowsOwner { (owner, knowsOwner) = (reply, true) } }

  /// Delivers a signal if the stream contains it; `name` is the name whose owner the signal reports.
  func deliver(_ signal: DBusSignalMessage, ownerOf name: String?) {
    let isOwner = name != nil && name == rule.sender?.rawValue
    if isOwner { (owner, knowsOwner) = (signal.newOwner, true) }
    if isOwner && reportsOwner || (rule.sender == nil || owner == signal.sender) && rule.matches(signal) {
      stream.yield(signal)
    }
    // A unique name never returns.
    if isOwner, owner == nil, rule.sender?.isUnique == true { stream.finish() }
  }
}

/// The open streams of signals of a connection, in the order in which they were opened.
struct Subscriptions {
  /// The limit of streams.
  static let limit = 1024

  private var open: [Subscription] = []

  mutating func add(_ subscription: Subscription) throws(DBusError) {
    guard open.count < Self.limit else { throw .limitsExceeded("\(Self.limit) streams of signals are open") }
    open.append(subscription)
  }

  /// Removes a subscription, and returns its rules; none if it was removed before.
  mutating func remove(_ id: ObjectIdentifier) -> [DBusMatchRule] {
    guard let index = open.firstIndex(where: { ObjectIdentifier($0) == id }) else { return [] }
    return open.remove(at: index).rules
  }

  /// Delivers a signal to the streams with a matching rule; a signal with unreadable arguments is dropped.
  func deliver(_ message: borrowing Message, arrival: UInt64) {
    guard !open.isEmpty, let signal = DBusSignalMessage(message, arrival: arrival) else { return }
    let name = signal.nameWithNewOwner
    for subscription in open { subscription.deliver(signal, ownerOf: name) }
  }

  /// Finishes all streams.
  mutating func finish() {
    for subscription in open { subscription.stream.finish() }
    open = []
  }
}
