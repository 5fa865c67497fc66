import CLinux
import EventLoop
import Glibc
import Synchronization

/// One end of the socket between a player and its engine process: it sends and receives messages, and never blocks.
///
/// The socket keeps the limits of packets (`SOCK_SEQPACKET`). A message that does not fit into a packet travels as a
/// sealed memory descriptor (memfd) with an empty packet. Messages that the socket does not take at once wait in a queue;
/// its limits bound the memory if the other side does not read.
///
/// <https://man7.org/linux/man-pages/man7/unix.7.html>
final class EngineChannel: Sendable {
  /// The largest message in a packet of its own, in bytes.
  static let packetLimit = 16 << 10
  /// The largest message, in bytes: two pictures of the greatest size.
  static let sizeLimit = 34 << 20
  /// The messages and their bytes that wait for the socket at most.
  static let waitingLimit = (count: 8_192, bytes: 128 << 20)
  /// The packets that are read before other work of the loop is done.
  private static let turn = 64

  /// A message, and a descriptor that travels with it.
  private struct Packet {
    var bytes: [UInt8] = []
    var file: OwnedDescriptor?
  }

  private struct State {
    var waiting: [Packet] = []
    /// The index of the first message that waits, and the bytes of all.
    var first = 0
    var bytes = 0
    var source: EventSources.ID?
    var isClosed = false
    /// Whether the end has been reported.
    var hasEnded = false
  }

  private let socket: CInt
  private let loop: PollLoop
  private let state = Mutex(State())
  private let receive: @Sendable ([UInt8]) throws -> Void
  private let receiveFile: (@Sendable ([UInt8], OwnedDescriptor) throws -> Void)?
  private let ended: @Sendable (_ reason: String?) -> Void

  /// Creates a channel, which owns the socket.
  ///
  /// - Parameters:
  ///   - socket: A socket of the type `SOCK_SEQPACKET`.
  ///   - loop: The loop that calls the closures.
  ///   - receive: Called with each message; an error ends the channel.
  ///   - receiveFile: Called with each message that has a descriptor; nil if one is an error.
  ///   - ended: Called once when the channel has ended, with the reason; nil if the other side has closed its socket.
  init(
    _ socket: CInt, on loop: PollLoop, receive: @escaping @Sendable ([UInt8]) throws -> Void,
    receiveFile: (@Sendable ([UInt8], OwnedDescriptor) throws -> Void)? = nil,
    ended: @escaping @Sendable (_ reason: String?) -> Void
  ) {
    self.socket = socket
    self.loop = loop
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
      (state.waiting, state.first, state.bytes) = ([], 0, 0)
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
  ///   - file: A descriptor, of which the other side gets a duplicate.
  func send(_ message: [UInt8], with file: OwnedDescriptor? = nil) {
    let packet = Packet(bytes: message, file: file)
    let isFull = state.withLock { state in
      guard !state.isClosed else { return false }
      if state.waiting.isEmpty, transmit(packet) != .later { return false }
      state.waiting.append(packet)
      state.bytes += message.count
      if state.waiting.count - state.first == 1, let source = state.source {
        loop.setInterest([.readable, .writable], of: source)
        loop.submit {}
      }
      return state.waiting.count - state.first > Self.waitingLimit.count || state.bytes > Self.waitingLimit.bytes
    }
    if isFull { loop.submit { self.end("it does not read its messages") } }
  }

  private enum Outcome { case sent, later, failed }

  /// Passes a message to the socket; a failure is noticed when the socket is read.
  private func transmit(_ packet: Packet) -> Outcome {
    let message = packet.bytes
    if let file = packet.file { return transmit(message, file.number) }
    var memory: CInt = -1
    if message.count > Self.packetLimit {
      memory = Self.memory(of: message)
      // Without memory or a descriptor the message is dropped, because no event reports when they are available again.
      guard memory >= 0 else { return .failed }
    }
    defer { if memory >= 0 { Glibc.close(memory) } }
    // A packet without bytes would look like the end of the connection.
    return transmit(memory >= 0 ? Self.memoryPacket : message, memory)
  }

  /// The packet of a message that is the content of its descriptor.
  private static let memoryPacket: [UInt8] = [0]

  private func transmit(_ bytes: [UInt8], _ descriptor: CInt) -> Outcome {
    guard unsafe clinux_send(socket, bytes, bytes.count, descriptor) < 0 else { return .sent }
    return errno == EAGAIN || errno == ENOBUFS || errno == ETOOMANYREFS ? .later : .failed
  }

  /// Returns a sealed memory descriptor with these bytes; negative if no memory or descriptor is left.
  private static func memory(of bytes: [UInt8]) -> CInt {
    let memory = unsafe clinux_create_memory("mpris-playerd")
    guard memory >= 0 else { return -1 }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(memory, bytes.baseAddress?.advanced(by: written), bytes.count - written, off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    guard written == bytes.count, clinux_seal(memory) == 0 else {
      Glibc.close(memory)
      return -1
    }
    return memory
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
      if let source = state.source { loop.setInterest(.readable, of: source) }
    }
  }

  // MARK: Receiving

  private func ready(_ readiness: Readiness) {
    if readiness.contains(.stopped) { return end("the event loop has stopped") }
    if readiness.contains(.writable) { sendWaiting() }
    guard readiness != .writable else { return }
    receiveAvailable()
  }

  /// Receives the messages that have arrived; on the thread of the loop.
  ///
  /// - Parameter all: Whether more than one turn of the loop is read; for a process that has ended, and sends no more.
  func receiveAvailable(all: Bool = false) {
    var buffer = [UInt8](repeating: 0, count: Self.packetLimit)
    var count = 0
    while all || count < Self.turn, !state.withLock({ $0.isClosed }) {
      count += 1
      var memory: CInt = -1
      let length = unsafe clinux_receive(socket, &buffer, buffer.count, &memory)
      if length < 0 {
        if errno == EAGAIN { return }
        // The other side has closed its socket without reading all; its messages follow, and then the end.
        if errno == ECONNRESET { continue }
        return end("it sent an invalid packet (error \(errno))")
      }
      guard length > 0 else {
        if memory >= 0 { Glibc.close(memory) }
        return end(nil)
      }
      do {
        let packet = Array(buffer[..<length])
        if memory >= 0 {
          let file = OwnedDescriptor(memory)
          if packet == Self.memoryPacket {
            try receive(try Self.bytes(of: memory))
          } else {
            guard let receiveFile else { throw WireError("it has a descriptor") }
            try receiveFile(packet, file)
          }
          withExtendedLifetime(file) {}
        } else {
          try receive(packet)
        }
      } catch {
        return end("it sent an invalid message: \(EngineProtocol.reason(error))")
      }
    }
  }

  /// Returns the content of a sealed memory descriptor.
  private static func bytes(of memory: CInt) throws(WireError) -> [UInt8] {
    // Only memory has seals, and reading it does not block.
    guard clinux_is_sealed(memory) != 0 else { throw WireError("its descriptor is not sealed memory") }
    let size = lseek(memory, 0, SEEK_END)
    guard size > 0, size <= off_t(sizeLimit) else { throw WireError("its size is \(size) bytes") }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var place = 0
    while place < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(memory, bytes.baseAddress?.advanced(by: place), bytes.count - place, off_t(place))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw WireError("its memory cannot be read") }
      place += count
    }
    return bytes
  }
}

/// A descriptor that is closed with its last reference.
final class OwnedDescriptor: Sendable {
  let number: CInt
  private let closed: @Sendable () -> Void

  /// Takes over a descriptor; `closed` is called when it was closed.
  init(_ number: CInt, closed: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.closed = closed
  }

  deinit {
    Glibc.close(number)
    closed()
  }
}
