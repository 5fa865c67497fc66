import CDBus
@_exported public import EventLoop  // A connection runs on a loop, so a program needs both modules.
import Synchronization

/// A connection to a message bus, on an event loop.
///
/// All work runs on the loop's thread. Incoming calls are handled one at a time, in order: each is answered before the
/// next one is read. The loop retains an open connection until ``close()``, the end of the loop, or the loss of the
/// bus.
public actor DBusConnection {
  nonisolated let loop: PollLoop
  private nonisolated let hello = Mutex<BusName?>(nil)

  /// Nil once the connection is closed.
  var link: (any MessageLink)?
  var objects = ObjectServer()
  /// The calls that wait for ``handleHeldCalls()``; nil if calls are handled at once.
  var heldCalls: HeldCalls?
  /// The calls that wait for a reply, by serial number.
  var calls: [UInt32: AwaitedValue<CallOutcome>] = [:]
  /// The open streams of signals, in the order in which they were opened.
  var subscriptions: [Subscription] = []
  /// The number of received messages.
  private var arrivals: UInt64 = 0
  /// The callers of ``closed()``, in order.
  private var waiters: [AwaitedValue<Void>] = []
  private var isDraining = false

  private init(on loop: PollLoop) { self.loop = loop }

  /// The event loop as executor: the connection's state belongs to the loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// The unique name that the bus assigned to this connection.
  public nonisolated var uniqueName: BusName { hello.withLock { $0 } ?? .bus }
}

// MARK: - Open and close

extension DBusConnection {
  /// Connects to a bus and calls Hello.
  ///
  /// The connection is private to the caller, and its loss never ends the process. `autolaunch:` addresses are
  /// rejected. Only the connect(2) of the address can block.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-hello>
  ///
  /// - Throws: The error of libdbus for an address without a bus; `NoReply` after 25 s; `Disconnected`.
  public static func open(address: String, on loop: PollLoop) async throws(DBusError) -> DBusConnection {
    try await open(on: loop) { () throws(DBusError) in try ConnectionHandle(address: address) }
  }

  /// Calls Hello over a new link to a bus.
  package static func open(
    on loop: PollLoop, over link: @Sendable () throws(DBusError) -> any MessageLink
  ) async throws(DBusError) -> DBusConnection {
    let connection = DBusConnection(on: loop)
    try await connection.connect(over: link)
    return connection
  }

  private func connect(over makeLink: @Sendable () throws(DBusError) -> any MessageLink) async throws(DBusError) {
    if let reason = loop.failure { throw .failed("the event loop cannot start: \(reason)") }
    guard !loop.isStopping else { throw .failed("the event loop is stopped") }
    let link = try makeLink()
    self.link = link
    do {
      try link.watch(for: self)
      let reply = try await call(on: .bus, at: .bus, of: .bus, "Hello")
      let name = try BusName(reply.first?.asString ?? "")
      hello.withLock { $0 = name }
    } catch {
      close()
      throw error
    }
  }

  /// Closes the connection; outstanding calls throw `Disconnected`, and the streams finish.
  public func close() {
    guard let link else { return }
    self.link = nil
    link.unwatch()
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
      call.set(.withoutReply(.disconnected("the connection is closed")))
    }
    for subscription in subscriptions { subscription.stream.finish() }
    subscriptions = []
    heldCalls = nil
    for waiter in waiters { waiter.set(()) }
  }

  /// Whether the connection is closed, by this process or by the loss of the bus.
  public var isClosed: Bool { link == nil }

  /// Returns when the connection is closed, the bus is lost, or the task is cancelled.
  public func closed() async {
    guard link != nil else { return }
    let end = AwaitedValue<Void>()
    waiters.append(end)
    await end.value(ifCancelled: {})
    waiters.removeAll { $0 === end }
  }
}

// MARK: - Messages

extension DBusConnection {
  /// Sends a message and returns its serial number.
  @discardableResult
  func transmit(_ message: borrowing Message) throws(DBusError) -> UInt32 {
    guard let link else { throw .disconnected("the connection is closed") }
    guard !link.isCongested else { throw .limitsExceeded("the bus does not read: too many bytes are unsent") }
    let serial = link.send(message)
    guard serial != 0 else { throw .descriptorRefused }
    if !isDraining, link.hasMessages { loop.submit { self.assumeIsolated { $0.drain() } } }
    return serial
  }

  func handle(_ readiness: Readiness, ofWatchAt address: UInt) {
    if readiness.contains(.stopped) { return close() }
    handleWatch(at: address, readiness)
    drain()
  }

  /// Handles every message that has been read.
  ///
  /// If the outgoing queue is full, the rest waits for the next watch event.
  package func drain() {
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while let link, !link.isCongested, let message = link.pop() { handle(message, link) }
  }

  private func handle(_ message: borrowing Message, _ link: any MessageLink) {
    arrivals += 1
    switch message.type {
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      do throws(DBusError) {
        if try heldCalls?.add(message) == nil { answer(message, link) }
      } catch {
        if message.expectsReply, let refusal = message.reply(error) { link.send(refusal) }
      }
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
      // A reply to no call is dropped without being parsed.
      calls.removeValue(forKey: message.replySerial)?.set(CallOutcome(result: message.result, arrival: arrivals))
    case DBUS_MESSAGE_TYPE_SIGNAL:
      if message.isDisconnected { close() } else { deliver(message, arrival: arrivals) }
    default: break
    }
  }

  /// Handles a method call, and sends its reply unless that is deferred.
  func answer(_ call: borrowing Message, _ link: any MessageLink) {
    let reply = objects.reply(to: call) { ticket in
      { [weak self] result in self?.enqueue { $0.answer(ticket, result) } }
    }
    if let reply, link.send(reply) == 0, let refusal = call.reply(.descriptorRefused) { link.send(refusal) }
  }
}

extension Message {
  /// Whether this is the local message of libdbus at the end of a connection; the bus lets no peer send it.
  fileprivate var isDisconnected: Bool {
    unsafe dbus_message_is_signal(pointer, DBUS_INTERFACE_LOCAL, "Disconnected") != 0
  }
}
