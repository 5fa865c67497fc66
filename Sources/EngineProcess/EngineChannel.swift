import CLinux
import EventLoop
import Glibc
import Synchronization

/// One end of the socket between a player and its engine process: it sends and receives messages, and never blocks.
///
/// The socket keeps the limits of packets (`SOCK_SEQPACKET`). A message that does not fit into a packet is divided: each
/// packet begins with a byte that shows whether another part follows. Packets that the socket does not take at once wait in
/// a queue; its limits bound the memory if the other side does not read.
///
/// <https://man7.org/linux/man-pages/man7/unix.7.html>
final class EngineChannel: Sendable {
  /// The largest packet, in bytes.
  static let packetLimit = 64 << 10
  /// The largest message, in bytes: two pictures of the greatest size.
  static let sizeLimit = 34 << 20
  /// The packets and their bytes that wait for the socket at most.
  static let waitingLimit = (count: 8_192, bytes: 128 << 20)
  /// The packets that are read before other work of the loop is done.
  private static let turn = 64

  /// The first byte of a packet with a part of a message; a whole message begins with a letter.
  enum Part {
    static let first: UInt8 = 0
    static let last: UInt8 = 1
  }

  /// The bytes of a packet, and a descriptor that travels with them.
  private struct Packet {
    var bytes: [UInt8] = []
    var file: OwnedDescriptor?
  }

  private struct State {
    var waiting: [Packet] = []
    /// The index of the first packet that waits, and the bytes of all.
    var first = 0
    var bytes = 0
    /// The parts of a message that has not arrived completely.
    var parts: [UInt8] = []
    var limit: ReceptionLimit?
    /// The timer until which nothing is read, because the limit was reached.
    var pause: EventSources.ID?
    var source: EventSources.ID?
    var isClosed = false
    /// Whether the end has been reported.
    var hasEnded = false
  }

  private let socket: CInt
  private let loop: PollLoop
  private let state: Mutex<State>
  private let receive: @Sendable ([UInt8]) throws -> Void
  private let receiveFile: (@Sendable ([UInt8], OwnedDescriptor) throws -> Void)?
  private let ended: @Sendable (_ reason: String?) -> Void

  /// Creates a channel, which owns the socket.
  ///
  /// - Parameters:
  ///   - socket: A socket of the type `SOCK_SEQPACKET`.
  ///   - loop: The loop that calls the closures.
  ///   - limit: Limits the received messages; nil for a trusted process.
  ///   - receive: Called with each message; an error ends the channel.
  ///   - receiveFile: Called with each message that has a descriptor; nil if one is an error.
  ///   - ended: Called once when the channel has ended, with the reason; nil if the other side has closed its socket.
  init(
    _ socket: CInt, on loop: PollLoop, limit: ReceptionLimit? = nil,
    receive: @escaping @Sendable ([UInt8]) throws -> Void,
    receiveFile: (@Sendable ([UInt8], OwnedDescriptor) throws -> Void)? = nil,
    ended: @escaping @Sendable (_ reason: String?) -> Void
  ) {
    self.socket = socket
    self.loop = loop
    state = Mutex(State(limit: limit))
    self.receive = receive
    self.receiveFile = receiveFile
    self.ended = ended
  }

  deinit { Glibc.close(socket) }

  /// Creates two connected sockets; nil if no descriptor is left.
  static func makeSockets() -> (CInt, CInt)? {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    return (ends[0], ends[1])
  }

  /// Begins to receive messages.
  func open() {
    // The loop retains the channel until it is closed.
    let source = loop.watch(socket, for: .readable) { readiness in self.ready(readiness) }
    state.withLock { $0.source = source }
    loop.submit {}
  }

  /// Ends the channel; nothing is received afterwards, and the end is not reported.
  func close() {
    let source = state.withLock { state in
      (state.isClosed, state.hasEnded) = (true, true)
      (state.waiting, state.first, state.bytes, state.parts) = ([], 0, 0, [])
      if let pause = state.pause.take() { loop.cancelTimer(pause) }
      return state.source.take()
    }
    guard let source else { return }
    // The other side receives the messages that were sent, and then the end.
    shutdown(socket, CInt(SHUT_RDWR))
    loop.remove(source)
    // The loop may still poll the descriptor; the closure keeps it open until then.
    loop.submit { withExtendedLifetime(self) {} }
  }

  private func end(_ reason: String?) {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    close()
    if isFirst { ended(reason) }
  }

  // MARK: Sending

  /// Sends a message after the earlier ones, on any thread; never blocks.
  ///
  /// - Parameters:
  ///   - message: The message; one with a file has ``packetLimit`` bytes at most.
  ///   - file: A descriptor; the other side gets a duplicate.
  func send(_ message: [UInt8], with file: OwnedDescriptor? = nil) {
    let isFull = state.withLock { state in
      guard !state.isClosed else { return false }
      for packet in Self.packets(of: message, file) {
        if state.waiting.isEmpty, transmit(packet) != .later { continue }
        state.waiting.append(packet)
        state.bytes += packet.bytes.count
        if state.waiting.count - state.first == 1 { setInterest(state) }
      }
      return state.waiting.count - state.first > Self.waitingLimit.count || state.bytes > Self.waitingLimit.bytes
    }
    if isFull { loop.submit { self.end("it does not read its messages") } }
  }

  /// Divides a message.
  private static func packets(of message: [UInt8], _ file: OwnedDescriptor?) -> [Packet] {
    guard message.count > packetLimit else { return [Packet(bytes: message, file: file)] }
    let size = packetLimit - 1
    return stride(from: 0, to: message.count, by: size).map { start in
      let end = min(start + size, message.count)
      return Packet(bytes: [end == message.count ? Part.last : Part.first] + message[start..<end])
    }
  }

  private enum Outcome { case sent, later, failed }

  /// Passes a packet to the socket; a failure is noticed when the socket is read.
  private func transmit(_ packet: Packet) -> Outcome {
    let descriptor = packet.file?.number ?? -1
    guard unsafe clinux_send(socket, packet.bytes, packet.bytes.count, descriptor) < 0 else { return .sent }
    return errno == EAGAIN || errno == ENOBUFS || errno == ETOOMANYREFS ? .later : .failed
  }

  /// Watches the socket for the events that the channel waits for.
  private func setInterest(_ state: State) {
    guard let source = state.source else { return }
    let reads: Readiness = state.pause == nil ? .readable : []
    loop.setInterest(state.first < state.waiting.count ? reads.union(.writable) : reads, of: source)
    loop.submit {}
  }

  private func sendWaiting() {
    state.withLock { state in
      while state.first < state.waiting.count {
        guard transmit(state.waiting[state.first]) != .later else {
          state.waiting.removeFirst(state.first)
          state.first = 0
          return
        }
        state.bytes -= state.waiting[state.first].bytes.count
        state.waiting[state.first] = Packet()
        state.first += 1
      }
      (state.waiting, state.first) = ([], 0)
      setInterest(state)
    }
  }

  // MARK: Receiving

  private func ready(_ readiness: Readiness) {
    if readiness.contains(.stopped) { return end("the event loop has stopped") }
    if readiness.contains(.writable) { sendWaiting() }
    guard readiness != .writable else { return }
    // The other side has closed its socket, and its last messages fit into the buffer of the socket.
    receiveAvailable(all: readiness.contains(.hangup))
  }

  /// Receives the messages that have arrived; on the thread of the loop.
  ///
  /// - Parameter all: Whether more than one turn of the loop is read, and more than the limit; for a process that has ended,
  ///   and sends no more.
  func receiveAvailable(all: Bool = false) {
    var buffer = [UInt8](repeating: 0, count: Self.packetLimit)
    var count = 0
    while all || count < Self.turn, state.withLock({ !$0.isClosed && (all || $0.pause == nil) }) {
      count += 1
      var descriptor: CInt = -1
      let length = unsafe clinux_receive(socket, &buffer, buffer.count, &descriptor)
      if length < 0 {
        if errno == EAGAIN { return }
        // The other side has closed its socket without reading all; its messages follow, and then the end.
        if errno == ECONNRESET { continue }
        return end("it sent an invalid packet (error \(errno))")
      }
      let file = descriptor >= 0 ? OwnedDescriptor(descriptor) : nil
      guard length > 0 else { return end(nil) }
      pause(after: length, isPart: buffer[0] == Part.first)
      do {
        guard let message = try message(with: buffer[..<length], file) else { continue }
        if let file {
          guard let receiveFile else { throw WireError("it has a descriptor") }
          try receiveFile(message, file)
        } else {
          try receive(message)
        }
      } catch {
        return end("it sent an invalid message: \(EngineProtocol.reason(error))")
      }
    }
  }

  /// Returns the message that a packet completes; nil if parts of it are missing.
  private func message(with packet: ArraySlice<UInt8>, _ file: OwnedDescriptor?) throws(WireError) -> [UInt8]? {
    try state.withLock { state throws(WireError) in
      guard packet.first == Part.first || packet.first == Part.last else {
        guard state.parts.isEmpty else { throw WireError("it is incomplete") }
        return Array(packet)
      }
      guard file == nil else { throw WireError("a part has a descriptor") }
      state.parts += packet.dropFirst()
      guard state.parts.count <= Self.sizeLimit else { throw WireError("it is too large") }
      guard packet.first == Part.last else { return nil }
      defer { state.parts = [] }
      return state.parts
    }
  }

  /// Counts a packet, and stops reading for a time if it exceeds the limit.
  private func pause(after bytes: Int, isPart: Bool) {
    state.withLock { state in
      state.limit?.count(bytes, isPart: isPart, at: loop.now)
      guard !state.isClosed, state.pause == nil, let time = state.limit?.pause(at: loop.now) else { return }
      state.pause = loop.timer(after: time) { self.resume() }
      setInterest(state)
    }
  }

  private func resume() {
    state.withLock { state in
      state.pause = nil
      setInterest(state)
    }
  }
}

/// Limits the messages that are received from a process that may be hostile.
///
/// Each message takes a time: a share of a second by its number, or by its bytes. Messages that take up to ``burst`` together
/// may arrive at once. Then nothing is read, and the process waits, until the time of the messages has passed.
struct ReceptionLimit {
  static let burst = Duration.seconds(1)
  private static let bytesPerSecond = 32 << 20

  private let time: Duration
  /// The end of the time of all messages.
  private var end: SuspendingClock.Instant?

  /// Creates a limit of so many messages in a second, and 32 MiB.
  init(messagesPerSecond: Int) { time = .seconds(1) / messagesPerSecond }

  /// Counts a packet: a part that is followed by others only takes the time of its bytes.
  mutating func count(_ bytes: Int, isPart: Bool = false, at now: SuspendingClock.Instant) {
    let start = max(end ?? now, now)
    end = start.advanced(by: max(isPart ? .zero : time, .seconds(1) * bytes / Self.bytesPerSecond))
  }

  /// Returns the time for which nothing is read; nil if more messages may arrive.
  func pause(at now: SuspendingClock.Instant) -> Duration? {
    guard let end, case let time = now.duration(to: end) - Self.burst, time > .zero else { return nil }
    return time
  }
}

/// A descriptor that is closed with its last reference.
final class OwnedDescriptor: Sendable {
  let number: CInt
  private let closed: @Sendable () -> Void

  /// Takes over a descriptor; `closed` is called when it was closed.
  ///
  /// A descriptor of a file on a disk is closed by a thread of its own: some file systems ask their server then.
  init(_ number: CInt, onDisk: Bool = false, closed: @escaping @Sendable () -> Void = {}) {
    self.number = number
    let end: @Sendable () -> Void = {
      Glibc.close(number)
      closed()
    }
    self.closed = { if !onDisk || !DiskThread.run(end) { end() } }
  }

  /// Refers to the descriptor of a signal, which it keeps open.
  init(keeping signal: RingSignal) {
    number = signal.descriptor
    closed = { withExtendedLifetime(signal) {} }
  }

  deinit { closed() }
}
