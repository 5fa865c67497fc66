import CLinux
import Dispatch
import EventLoop
import Glibc
import Synchronization

/// Makes the connections of a process in the sandbox, to servers and to the services of this machine that it needs.
///
/// The kernel passes each `connect` of the process to the player. The player decides by its own copy of the address, and
/// connects its own duplicate of the socket, so the process cannot change them in between. A path that is not listed fails
/// with EACCES.
///
/// <https://man7.org/linux/man-pages/man2/seccomp_unotify.2.html>
final class ConnectionBroker: Sendable {
  private struct State {
    var source: EventSources.ID?
    /// The calls that have not returned.
    var open = 0
  }

  private let listener: OwnedDescriptor
  private let processID: pid_t
  /// The pidfd of the process.
  private let process: CInt
  private let policy: SandboxPolicy
  private let services: LocalServices
  private let loop: PollLoop
  /// Whether this process may duplicate the sockets of the other one; otherwise the kernel carries out all calls.
  private let isAllowed: Bool
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "org.playerd.connections")
  /// A connection may take as long as the time limit of the network.
  private let calls = DispatchQueue(label: "org.playerd.connection", attributes: .concurrent)
  private static let openLimit = 32

  /// Creates a broker.
  ///
  /// - Parameters:
  ///   - listener: The descriptor that passes the calls.
  ///   - processID: The ID of the process.
  ///   - process: Its pidfd, which outlives the broker.
  ///   - policy: The restrictions of the process.
  ///   - loop: The loop that observes the listener.
  init(_ listener: OwnedDescriptor, of processID: pid_t, _ process: CInt, _ policy: SandboxPolicy, on loop: PollLoop) {
    (self.listener, self.processID, self.process, self.policy, self.loop) = (listener, processID, process, policy, loop)
    let variables = Self.environment(of: processID)
    services = LocalServices(policy) { variables[$0] }
    // Before the process opens media, so hostile media cannot change the answer.
    let own = clinux_take_descriptor(process, STDERR_FILENO)
    if own >= 0 { Glibc.close(own) }
    isAllowed = own >= 0 && clinux_may_read(processID)
  }

  /// Why the connections are not restricted; nil if they are.
  var missing: String? {
    isAllowed ? nil : "it may connect to all local sockets, because the system does not let its sockets be duplicated"
  }

  /// Begins to make connections.
  func open() {
    let source = loop.watch(listener.number, for: .readable) { [self] readiness in
      guard readiness == .readable else { return close() }
      setInterest([])
      queue.async { [self] in
        receive()
        setInterest(.readable)
      }
    }
    state.withLock { $0.source = source }
  }

  /// Ends the broker, because the process has ended.
  func close() {
    guard let source = state.withLock({ $0.source.take() }) else { return }
    loop.remove(source)
    // The loop may still poll the descriptor.
    loop.submit { withExtendedLifetime(self) {} }
  }

  private func setInterest(_ readiness: Readiness) {
    guard let source = state.withLock({ $0.source }) else { return }
    loop.setInterest(readiness, of: source)
    loop.submit {}
  }

  private func receive() {
    var call = clinux_connection()
    guard unsafe clinux_receive_connection(listener.number, &call) == 0 else { return }
    guard isAllowed else {
      clinux_answer_connection(listener.number, call.id, 0, true)
      return
    }
    let address = unsafe withUnsafeBytes(of: call.address) { unsafe Array($0.prefix(Int(call.length))) }
    let (id, socket) = (call.id, call.socket)
    // A process that it has forked has other sockets; it is the mixer of ALSA, which makes no connection.
    guard !policy.servesMixer || isThread(call.thread) else {
      clinux_answer_connection(listener.number, id, EACCES, false)
      return
    }
    let isFull = state.withLock { state in
      guard state.open < Self.openLimit else { return true }
      state.open += 1
      return false
    }
    guard !isFull else {
      clinux_answer_connection(listener.number, id, EAGAIN, false)
      return
    }
    calls.async { [self] in
      clinux_answer_connection(listener.number, id, connect(socket, address), false)
      state.withLock { $0.open -= 1 }
    }
  }

  /// Whether a thread is one of the process.
  private func isThread(_ thread: CInt) -> Bool { unsafe access("/proc/\(processID)/task/\(thread)", F_OK) == 0 }

  /// Connects a socket of the process; returns an error number, or 0.
  private func connect(_ socket: CInt, _ address: [UInt8]) -> CInt {
    let own = clinux_take_descriptor(process, socket)
    guard own >= 0 else { return EBADF }
    defer { Glibc.close(own) }
    guard !address.isEmpty else { return EINVAL }
    switch clinux_socket_family(own) {
    case AF_INET, AF_INET6: guard policy.hasNetwork else { return EACCES }
    case AF_UNIX:
      guard let path = Self.path(in: address), services.allows(path) else { return EACCES }
    default: return EACCES
    }
    var result = EINTR
    while result == EINTR { result = unsafe clinux_connect(own, address, CUnsignedInt(address.count)) }
    return result
  }

  /// Reads the environment with which a process was started, and by which its libraries find their services.
  private static func environment(of processID: pid_t) -> [String: String] {
    let text = LocalServices.content(of: "/proc/\(processID)/environ") ?? ""
    let variables = text.split(separator: "\0").compactMap { variable -> (String, String)? in
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(variables) { first, _ in first }
  }

  /// Returns the path in the address of a local socket; nil for an abstract one, and for another address.
  static func path(in address: [UInt8]) -> String? {
    let start = MemoryLayout<sa_family_t>.size
    guard address.count > start,
      unsafe address.withUnsafeBytes({ unsafe $0.loadUnaligned(as: sa_family_t.self) }) == AF_UNIX
    else { return nil }
    let path = address[start...].prefix { $0 != 0 }
    return path.isEmpty ? nil : String(validating: path, as: UTF8.self)
  }
}
