import Glibc
import Synchronization

/// A service of the machine at a local socket: it receives requests that end with a delimiter, and sends a reply to each.
///
/// One thread accepts connections, and another serves each connection.
public final class LocalService: Sendable {
  /// The replies to requests; nil closes the connection.
  public typealias Replies = @Sendable (_ request: String) -> String?

  /// The requests so far, without their delimiters.
  public let requests = EventLog<String>()

  private struct State {
    var connections: Set<Int32> = []
    var threads: [pthread_t] = []
    var isStopped = false
  }
  private let listener: Int32
  private let delimiter: UInt8
  private let replies: Replies
  private let state = Mutex(State())
  private let acceptor = Mutex<pthread_t?>(nil)

  init(at path: String, delimiter: Character, _ replies: @escaping Replies) throws {
    self.delimiter = delimiter.utf8.first ?? 0
    self.replies = replies
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let listener = try systemCall("socket") { socket(AF_UNIX, Int32(type), 0) }
    self.listener = listener
    do {
      try listen(listener, at: path)
    } catch {
      _ = close(listener)
      throw error
    }
    let thread = try startThread { self.acceptConnections() }
    acceptor.withLock { $0 = thread }
  }

  /// Closes every connection and the socket.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for connection in state.connections { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    }
    _ = shutdown(listener, Int32(SHUT_RDWR))
    guard let thread = acceptor.withLock({ $0.take() }) else { return }
    pthread_join(thread, nil)
    for thread in state.withLock({ $0.threads }) { pthread_join(thread, nil) }
    _ = close(listener)
    requests.finish()
  }

  private func acceptConnections() {
    while true {
      var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      _ = try? systemCall("poll") { unsafe poll(&polled, 1, -1) }
      // The listener is shut down to end the service.
      if polled.revents & Int16(POLLHUP) != 0 { return }
      let accepted = descriptorsAndSpawns.withLock { _ in
        let connection = try? systemCall("accept") { accept(listener, nil, nil) }
        if let connection { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
        return connection
      }
      guard let connection = accepted else { continue }
      state.withLock { state in
        state.connections.insert(connection)
        if state.isStopped { _ = shutdown(connection, Int32(SHUT_RDWR)) }
        if let thread = try? startThread({ self.serve(connection) }) { state.threads.append(thread) }
      }
    }
  }

  private func serve(_ connection: Int32) {
    defer {
      state.withLock { state in
        state.connections.remove(connection)
        _ = close(connection)
      }
    }
    var pending: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let size = buffer.count
      let count = (try? systemCall("recv") { unsafe recv(connection, &buffer, size, 0) }) ?? 0
      guard count > 0 else { return }
      pending += buffer[..<count]
      while let end = pending.firstIndex(of: delimiter) {
        let request = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        requests.append(request)
        guard let reply = replies(request) else { return }
        let bytes = Array(reply.utf8) + [delimiter]
        let sent = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard sent == bytes.count else { return }
      }
    }
  }
}

/// Makes `socket` listen at a path, to which all users may connect.
private func listen(_ socket: Int32, at path: String) throws {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
    throw SystemCallError(call: path, code: ENAMETOOLONG)
  }
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  _ = try unsafe withUnsafePointer(to: address) { pointer in
    try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      try systemCall("bind") { unsafe bind(socket, pointer, length) }
    }
  }
  try systemCall("listen") { Glibc.listen(socket, 64) }
}

/// Runs `body` with a service at a socket; joins its threads when the body returns or throws.
@discardableResult
public func withLocalService<T>(
  at path: String, delimiter: Character, replies: @escaping LocalService.Replies,
  _ body: (LocalService) async throws -> T
) async throws -> T {
  let service = try LocalService(at: path, delimiter: delimiter, replies)
  defer { service.stop() }
  return try await body(service)
}
