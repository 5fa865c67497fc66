import CDBus
public import EventLoop
import Synchronization

/// A connection to a message bus, on an event loop.
///
/// Everything happens on the loop's thread: calls that arrive are run there one at a time, in their order, and answered
/// before the next one is looked at. The loop keeps an open connection alive until ``close()``, the loop's end, or the
/// loss of the bus.
public actor Connection {
  nonisolated let loop: EventLoop
  private nonisolated let hello = Mutex<BusName?>(nil)

  /// Nil once the connection is closed.
  var link: Link?
  var objects = ObjectServer()
  var calls = PendingCalls()
  var subscriptions = Subscriptions()
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiter = 0
  private var isDraining = false

  private init(on loop: EventLoop) { self.loop = loop }

  /// The loop is the executor: the connection's state belongs to the loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// The name that the bus gave to this connection.
  public nonisolated var uniqueName: BusName { hello.withLock { $0 } ?? .bus }
}

// MARK: - Open and close

extension Connection {
  /// Connects to a bus and says Hello to it.
  ///
  /// The connection is private to the caller and never ends the process; `autolaunch:` addresses are refused. Nothing
  /// blocks but the connect(2) of the address. It throws what libdbus says of an address that leads nowhere, `NoReply`
  /// after 25 s, or `Disconnected`. <https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-hello>
  public static func open(address: String, on loop: EventLoop) async throws(DBusError) -> Connection {
    let connection = Connection(on: loop)
    try await connection.connect(to: address)
    return connection
  }

  private func connect(to address: String) async throws(DBusError) {
    guard !loop.isStopping else { throw .failed("the event loop is stopped") }
    guard !address.split(separator: ";").contains(where: { $0.hasPrefix("autolaunch:") }) else {
      throw .notSupported("a bus is not launched from here: \(quoted(address))")
    }
    let link = try Link(address: address)
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

  /// Closes the connection; outstanding calls throw `Disconnected`, streams end.
  public func close() {
    guard let link else { return }
    self.link = nil
    link.unwatch()
    calls.failAll(.disconnected("the connection is closed"))
    subscriptions.finishAll()
    for waiter in waiters.keys { release(waiter) }
  }

  /// Returns when the connection is closed or the bus has gone, or the task is cancelled.
  public func closed() async {
    guard link != nil else { return }
    lastWaiter += 1
    await withTaskCancellationHandler { [waiter = lastWaiter] in
      await withCheckedContinuation { continuation in
        waiters[waiter] = continuation
        // Either may have come first while the task was suspended.
        if link == nil || Task.isCancelled { release(waiter) }
      }
    } onCancel: { [waiter = lastWaiter] in
      loop.submit { self.assumeIsolated { $0.release(waiter) } }
    }
  }

  private func release(_ waiter: Int) { waiters.removeValue(forKey: waiter)?.resume() }
}

// MARK: - Messages

extension Connection {
  /// Sends a message and returns its serial number.
  @discardableResult
  func transmit(_ message: borrowing Message) throws(DBusError) -> UInt32 {
    guard let link else { throw .disconnected("the connection is closed") }
    guard !link.isCongested else { throw .limitsExceeded("the bus does not read what is sent to it") }
    let serial = link.send(message)
    if !isDraining, link.hasMessages { loop.submit { self.assumeIsolated { $0.drain() } } }
    return serial
  }

  func handle(_ readiness: Readiness, ofWatchAt address: UInt) {
    if readiness.contains(.stopped) { return close() }
    Watch(address: address)?.handle(readiness)
    drain()
  }

  /// Handles every message that has been read; what is left over while the socket is full waits for the next watch.
  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while let link, !link.isCongested, let message = link.pop() { handle(message, link) }
  }

  private func handle(_ message: borrowing Message, _ link: Link) {
    switch message.type {
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      let reply = objects.reply(to: message) { [weak self] ticket, result in
        self?.enqueue { $0.answer(ticket, result) }
      }
      if let reply { link.send(reply) }
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      calls.finish(message.replySerial) { () throws(DBusError) in try message.values() }
    case DBUS_MESSAGE_TYPE_ERROR:
      calls.finish(message.replySerial) { () throws(DBusError) in throw message.error }
    case DBUS_MESSAGE_TYPE_SIGNAL:
      if message.isDisconnected { close() } else { subscriptions.deliver(message) }
    default: break
    }
  }
}

extension Message {
  /// libdbus' own message at the end of a connection; the bus lets nobody else send it.
  fileprivate var isDisconnected: Bool {
    unsafe dbus_message_is_signal(pointer, DBUS_INTERFACE_LOCAL, "Disconnected") != 0
  }
}
