@testable import DBus

/// A simulated message bus with one service and its clients.
///
/// It delivers the messages of a sender to a receiver in order, each after a delay.
final class ModelBus {
  /// The end of the service.
  final class Link: MessageLink {
    /// The number of unsent bytes beyond which the link is congested: that of a real connection.
    static let mostUnsent = ConnectionHandle.mostUnsent

    private unowned let bus: ModelBus
    private var lastSerial: UInt32 = 0
    private var incoming: [BusMessage] = []
    private(set) var connection: DBusConnection?
    fileprivate(set) var unsent: [BusMessage] = []
    fileprivate(set) var unsentBytes = 0
    private(set) var isOpen = true

    init(_ bus: ModelBus) { self.bus = bus }

    var isCongested: Bool { unsentBytes > Self.mostUnsent }
    var hasMessages: Bool { !incoming.isEmpty }

    func pop() -> Message? {
      guard !incoming.isEmpty else { return nil }
      let message = incoming.removeFirst()
      if message.kind == .call { bus.service.checks.callBegins(message) }
      return message.message()
    }

    func send(_ message: borrowing Message) -> UInt32 {
      lastSerial += 1
      guard var sent = BusMessage(message), isOpen else { return lastSerial }
      sent.serial = lastSerial
      sent.sender = ModelBus.serviceName
      bus.take(sent, from: self)
      return lastSerial
    }

    /// The number of names that the service knows to own: that of the daemon first, then that of MPRIS.
    private(set) var ownedNames = 0

    func watch(for connection: DBusConnection) { self.connection = connection }

    func unwatch() {
      isOpen = false
      connection = nil
      bus.closed(self)
    }

    func receive(_ message: BusMessage) {
      guard isOpen else { return }
      if message.kind == .reply, message.sender == ModelBus.busName, message.values == [.uint32(1)] { ownedNames += 1 }
      incoming.append(message)
      resume()
    }

    func resume() { connection?.assumeIsolated { $0.drain() } }
  }

  static let serviceName = ":1.0"
  static let busName = "org.freedesktop.DBus"

  unowned let service: SimulatedService
  private(set) var clients: [ModelClient] = []
  private(set) var link: Link?
  /// The rules that the service has added.
  private(set) var rules: [String] = []
  private(set) var ownedNames: Set<String> = []
  private var random: RandomSource
  private var lastUniqueName = 0
  private var lastArrival: Int64 = 0
  /// The end of the last stall.
  private(set) var stalledUntil: Int64 = 0
  private var isDown: Bool { now < downUntil }
  private var downUntil: Int64 = 0
  /// The number of restarts; the messages of an earlier bus are lost.
  private var restarts = 0

  init(_ service: SimulatedService, _ random: RandomSource) {
    self.service = service
    self.random = random
    clients = ModelClient.Kind.allCases.map { ModelClient($0, bus: self) }
  }

  private var now: Int64 { service.world.now }
  var isStalled: Bool { now < stalledUntil }

  private func delay() -> Int64 { Int64(random.number(0...2_000)) * 1_000 }

  // MARK: The service

  /// Connects the service; throws while the bus does not run.
  func connect() throws(DBusError) -> any MessageLink {
    guard !isDown else { throw .failed("no bus") }
    let link = Link(self)
    self.link = link
    return link
  }

  fileprivate func closed(_ link: Link) {
    guard self.link === link else { return }
    self.link = nil
    rules = []
    ownedNames = []
    service.checks.disconnected()
    for client in clients { client.serviceLost() }
  }

  fileprivate func take(_ message: BusMessage, from link: Link) {
    service.checks.sent(message)
    // After a suspension the stall may be over, but its messages are still to be delivered first.
    guard !isStalled, link.unsent.isEmpty else {
      link.unsent.append(message)
      link.unsentBytes += message.size
      return
    }
    route(message)
  }

  private func route(_ message: BusMessage) {
    if message.kind == .call { return answer(message) }
    // No client keeps them; they are checked when they are sent.
    if message.member == "PeriodicTime" || message.member == "BoundaryReached" { return }
    for client in clients where client.isConnected {
      if message.destination == client.name || (message.destination.isEmpty && client.isSubscribed) {
        client.queue(message, after: delay())
      }
    }
  }

  private func toService(_ message: BusMessage) {
    lastArrival = max(lastArrival, now + delay(), stalledUntil)
    var message = message
    message.bus = restarts
    service.schedule(.toService(message), at: lastArrival)
  }

  /// Delivers a message to the service, unless the service has left or the bus has ended.
  func arrive(_ message: BusMessage) { if message.bus == restarts { link?.receive(message) } }

  private func answer(_ call: BusMessage) {
    var reply = BusMessage(.reply)
    reply.sender = Self.busName
    reply.destination = Self.serviceName
    reply.replySerial = call.serial
    let argument = call.values.first?.asString ?? ""
    switch call.member {
    case "Hello": reply.values = [.string(Self.serviceName)]
    case "AddMatch": rules.append(argument)
    case "RemoveMatch": if let index = rules.firstIndex(of: argument) { rules.remove(at: index) }
    case "RequestName":
      ownedNames.insert(argument)
      reply.values = [.uint32(1)]
      for client in clients where client.isConnected { client.serviceAppeared(argument) }
    case "GetNameOwner":
      if clients.contains(where: { $0.isConnected && $0.name == argument }) {
        reply.values = [.string(argument)]
      } else {
        reply.kind = .error
        reply.error = "org.freedesktop.DBus.Error.NameHasNoOwner"
        reply.values = [.string("no such name")]
      }
    default: break
    }
    if call.expectsReply { toService(reply) }
  }

  // MARK: Clients

  /// Returns a new unique name.
  func uniqueName() -> String {
    lastUniqueName += 1
    return ":1.\(lastUniqueName)"
  }

  /// Sends a call of a client to the service.
  func send(_ call: BusMessage) { if link != nil, !isDown { toService(call) } }

  /// Notifies the service that a client has left, if it has a rule for that.
  func left(_ name: String) {
    guard rules.contains(where: { $0.contains("arg0='\(name)'") }) else { return }
    var signal = BusMessage(.signal)
    signal.sender = Self.busName
    signal.path = "/org/freedesktop/DBus"
    signal.interface = Self.busName
    signal.member = "NameOwnerChanged"
    signal.values = [.string(name), .string(name), .string("")]
    toService(signal)
  }

  // MARK: Faults

  /// Stops reading and delivering for a time.
  func stall(for time: Int64) {
    stalledUntil = max(stalledUntil, now + time)
    service.schedule(.unstall, at: stalledUntil)
  }

  func unstall() {
    guard !isStalled, let link else { return }
    let messages = link.unsent
    link.unsent = []
    link.unsentBytes = 0
    for message in messages { route(message) }
    link.resume()
  }

  /// Ends the bus, and starts it again after a time.
  func restart(after time: Int64) {
    downUntil = now + time
    (stalledUntil, lastArrival) = (0, 0)
    restarts += 1
    for client in clients { client.leave(tellsService: false) }
    var signal = BusMessage(.signal)
    signal.path = "/org/freedesktop/DBus/Local"
    signal.interface = "org.freedesktop.DBus.Local"
    signal.member = "Disconnected"
    link?.receive(signal)
  }
}
