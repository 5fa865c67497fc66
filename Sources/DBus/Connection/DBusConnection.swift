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
  private var link: (any MessageLink)?
  /// The number of received messages.
  private var arrivals: UInt64 = 0
  private var isDraining = false
  private var objects = ObjectServer()
  private var heldCalls = HeldCalls()
  private var calls = PendingCalls()
  private var subscriptions = Subscriptions()
  /// The callers of ``closed()``, in order.
  private var waiters: [AwaitedValue<Void>] = []

  private init(on loop: PollLoop) { self.loop = loop }

  /// The event loop as executor: the connection's state belongs to the loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// The unique name that the bus assigned to this connection.
  public nonisolated var uniqueName: BusName { hello.withLock { $0 } ?? .bus }

  /// An executor for tasks that call this connection without a thread hop; such tasks must not block.
  public nonisolated var taskExecutor: LoopTaskExecutor { LoopTaskExecutor(loop) }

  /// The clock of the connection's event loop.
  public nonisolated var clock: LoopClock { LoopClock(loop) }

  /// Runs a closure on the connection's thread, after the work that is queued there; for callers outside a task.
  ///
  /// Closures from one thread run in the order in which they were enqueued.
  public nonisolated func enqueue(_ work: @escaping @Sendable (isolated DBusConnection) -> Void) {
    loop.submit { self.assumeIsolated(work) }
  }

  /// Runs a closure at once on the connection's thread; called on another thread, it enqueues the closure.
  ///
  /// The caller must hold no lock that the closure takes.
  package nonisolated func runOrEnqueue(_ work: @escaping @Sendable (isolated DBusConnection) -> Void) {
    if loop.isIsolatingCurrentContext() == true { assumeIsolated(work) } else { enqueue(work) }
  }
}

// MARK: - Open and close

extension DBusConnection {
  /// The loop of the connections that the program opens without passing a loop.
  private static let sharedLoop = PollLoop(name: "dbus")

  /// Connects to the session bus, on a thread that these connections share.
  ///
  /// - Throws: `Failed` without a session bus, and the errors of ``open(address:on:)``.
  public static func session() async throws(DBusError) -> DBusConnection {
    guard let address = sessionBusAddress() else { throw .failed("the environment has no address of the session bus") }
    return try await open(address: address, on: sharedLoop)
  }

  /// Connects to the system bus, on a thread that these connections share.
  ///
  /// - Throws: The errors of ``open(address:on:)``.
  public static func system() async throws(DBusError) -> DBusConnection {
    try await open(address: systemBusAddress(), on: sharedLoop)
  }

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
    calls.fail(.disconnected("the connection is closed"))
    subscriptions.finish()
    heldCalls = HeldCalls()
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
  private func transmit(_ message: borrowing Message) throws(DBusError) -> UInt32 {
    guard let link else { throw .disconnected("the connection is closed") }
    guard !link.isCongested else { throw .limitsExceeded("the bus does not read: too many bytes are unsent") }
    let serial = link.send(message)
    guard serial != 0 else { throw .descriptorRefused }
    if !isDraining, link.hasMessages { loop.submit { self.assumeIsolated { $0.drain() } } }
    return serial
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
        if try !heldCalls.take(message) { answer(message, link) }
      } catch {
        if message.expectsReply, let refusal = message.reply(error) { link.send(refusal) }
      }
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
      calls.take(message, arrival: arrivals)
    case DBUS_MESSAGE_TYPE_SIGNAL:
      if message.isDisconnected { close() } else { subscriptions.deliver(message, arrival: arrivals) }
    default: break
    }
  }
}

extension Message {
  /// Whether this is the local message of libdbus at the end of a connection; the bus lets no peer send it.
  fileprivate var isDisconnected: Bool {
    unsafe dbus_message_is_signal(pointer, DBUS_INTERFACE_LOCAL, "Disconnected") != 0
  }
}

// MARK: - Calls

extension DBusConnection {
  /// Calls a method and waits for its reply.
  ///
  /// The time-out does not count the time during which the machine is suspended.
  /// - Returns: The values of the reply.
  /// - Throws: The error reply of the peer; `NoReply` after the time-out or if the task is cancelled; `Disconnected`;
  ///   `LimitsExceeded` if 1024 calls are outstanding; `InvalidArgs` for arguments that are not well-formed;
  ///   `NotSupported` for a file descriptor over a connection that passes none, such as `tcp:`.
  public func call(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [DBusValue] = [], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await outcome(on: destination, at: path, of: interface, member, arguments, timeout: timeout).result.get()
  }

  /// Calls a method and waits for its end; throws if the call cannot be sent.
  ///
  /// A call without an interface runs the method of any interface of the object.
  func outcome(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName?, _ member: MemberName,
    _ arguments: [DBusValue], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> CallOutcome {
    try calls.checkLimit()
    // No `await` between sending and registering: a reply, time-out or cancellation after this cannot be missed. The
    // task may be suspended before it waits: that happens in release builds, and with an executor preference.
    let serial = try transmit(.methodCall(to: destination, at: path, of: interface, member, arguments))
    let outcome = calls.add(serial)
    defer { calls.remove(serial) }
    let timer = loop.timer(after: timeout) {
      outcome.set(.withoutReply(.noReply("\(member) of \(destination): no reply within \(timeout)")))
    }
    defer { loop.cancelTimer(timer) }
    return await outcome.value(ifCancelled: {
      .withoutReply(.noReply("\(member) of \(destination): the call was cancelled"))
    })
  }

  /// Calls a method without waiting; the message is flagged to expect no reply.
  public func send(
    on destination: BusName, at path: ObjectPath, of interface: InterfaceName, _ member: MemberName,
    _ arguments: [DBusValue] = []
  ) throws(DBusError) {
    try transmit(.methodCall(to: destination, at: path, of: interface, member, arguments).withoutReply())
  }

  /// Calls a method of the message bus.
  func bus(_ member: MemberName, _ arguments: [DBusValue]) async throws(DBusError) -> [DBusValue] {
    try await call(on: .bus, at: .bus, of: .bus, member, arguments)
  }
}

// MARK: - Signals

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
    let (stream, continuation) = AsyncStream.makeStream(
      of: DBusSignalMessage.self, bufferingPolicy: .bufferingNewest(Subscription.depth))
    let subscription = Subscription(rule, reportsOwner: reportsOwner, continuation)
    let id = ObjectIdentifier(subscription)
    try subscriptions.add(subscription)
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
      if DBusError.noReply("") ~= error { subscription.noteAdded(rule) }
      throw error
    }
    subscription.noteAdded(rule)
  }

  /// Removes a subscription and its rules; a subscription that was removed before is ignored.
  private func unsubscribe(_ id: ObjectIdentifier) {
    for rule in subscriptions.remove(id) {
      // Fails only if the connection is closed; then the bus has dropped the rules too.
      try? send(on: .bus, at: .bus, of: .bus, "RemoveMatch", [.string(rule.text)])
    }
  }

  /// Returns a stream that a task on this connection's thread feeds; the task is cancelled when the stream ends.
  package nonisolated func stream<Element: Sendable>(
    keeping depth: Int, _ feed: @escaping @Sendable (AsyncStream<Element>.Continuation) async -> Void
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(depth))
    let task = Task(executorPreference: taskExecutor) {
      await feed(continuation)
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

// MARK: - Objects

extension DBusConnection {
  /// Exports an object with these interfaces; `state` is read once for each request.
  ///
  /// The object also gets Properties, Introspectable and Peer. `state` runs on the loop's thread and must not block.
  /// This call also records the first state with which ``publish(_:showing:to:)`` compares.
  /// - Returns: The object, for ``publish(_:showing:to:)``.
  /// - Throws: `ObjectPathInUse`; `Failed` if the value of a property contradicts the type in its row.
  @discardableResult
  public func export<State: Sendable>(
    at path: ObjectPath, _ interfaces: [DBusInterface<State>], state: @escaping @Sendable () -> State
  ) throws(DBusError) -> DBusExportedObject<State> {
    try objects.export(ServedObject(interfaces, state: state), at: path)
    return DBusExportedObject(path: path)
  }

  /// Removes an object from the bus; a path without an object is ignored.
  public func unexport(_ path: ObjectPath) { objects.unexport(path) }

  /// Publishes how an object has changed since the export or the last publish, with at most one signal per interface.
  ///
  /// `state` is the new state. PropertiesChanged contains only changed properties, and none that declares `.never` or
  /// `.constant`. An object that is no longer exported is ignored. The signal is a broadcast, or has one destination.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#standard-interfaces-properties>
  public func publish<State: Sendable>(
    _ object: DBusExportedObject<State>, showing state: State, to destination: BusName? = nil
  ) {
    guard let served = try? objects.object(at: object.path) else { return }
    let signal = StandardMethod.propertiesChanged
    for arguments in served.takeChanges(to: state) {
      // Fails only if the connection is closed or the bus does not read; then no client can receive the signal.
      _ = try? transmit(
        .signal(at: object.path, of: .properties, signal.name, arguments, as: signal.arguments.signature),
        to: destination)
    }
  }

  /// Returns the present values of an exported object's interface, in the order of its rows.
  ///
  /// - Throws: The errors of GetAll.
  package func properties(of interface: InterfaceName, at path: ObjectPath) throws(DBusError) -> [(String, DBusValue)] {
    let object = try objects.object(at: path)
    let values = unsafe interface.rawValue.withCString { name in
      Result { () throws(DBusError) in try unsafe object.getAll(of: name) }
    }
    return try values.get().map { ($0.name, $0.value) }
  }

  /// Emits a signal of an exported object, as a broadcast or to one destination.
  ///
  /// - Throws: `UnknownObject`, `UnknownInterface`, or `UnknownMethod` for a signal that no row declares; `InvalidArgs`
  ///   for values whose types differ from the row; `NotSupported` for a file descriptor if the bus passes none;
  ///   `Disconnected`.
  public func emit(
    _ signal: MemberName, of interface: InterfaceName, at path: ObjectPath, _ values: [DBusValue],
    to destination: BusName? = nil
  ) throws(DBusError) {
    let row = try objects.object(at: path).signal(signal, of: interface)
    try transmit(.signal(at: path, of: interface, signal, values, as: row.arguments.signature), to: destination)
  }

  private func transmit(_ signal: consuming Message, to destination: BusName?) throws(DBusError) {
    if let destination { try transmit(signal.to(destination)) } else { try transmit(signal) }
  }

  /// Holds the method calls that arrive from now on, until ``handleHeldCalls()``; more than `limit` are LimitsExceeded.
  package func holdCalls(limit: Int = HeldCalls.limit) { heldCalls.begin(limit: limit) }

  /// Handles the held calls in the order of their arrival, and the later ones at once.
  package func handleHeldCalls() {
    for call in heldCalls.end() { if let link { answer(call.message, link) } }
  }

  /// Handles a method call, and sends its reply unless that is deferred.
  private func answer(_ call: borrowing Message, _ link: any MessageLink) {
    let reply = objects.reply(to: call) { ticket in
      { [weak self] result in self?.enqueue { $0.answer(ticket, result) } }
    }
    if let reply, link.send(reply) == 0, let refusal = call.reply(.descriptorRefused) { link.send(refusal) }
  }

  /// Sends a reply that was deferred; the reply is dropped if the connection is closed.
  private func answer(_ ticket: ReplyTicket, _ result: Result<[DBusValue], DBusError>) {
    guard let link, ticket.expectsReply, let message = ticket.message(result), link.send(message) == 0,
      let refusal = ticket.message(.failure(.descriptorRefused))
    else { return }
    link.send(refusal)
  }
}
