/// An open stream of signals.
final class Subscription {
  /// The limit of signals that wait in a stream; beyond it, the oldest is dropped.
  static let depth = 1024
  /// The limit of streams of one connection.
  static let most = 1024

  let stream: AsyncStream<DBusSignalMessage>.Continuation
  /// The rules that were added on the bus; the bus counts equal rules of several streams.
  var rules: [DBusMatchRule] = []
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
