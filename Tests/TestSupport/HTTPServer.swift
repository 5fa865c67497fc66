import Glibc
import Synchronization

/// A small HTTP/1.1 server on the loopback interface with a scripted response for each path.
///
/// One thread accepts connections, and another serves each connection with one request. The test tasks are not used.
public final class HTTPServer: Sendable {
  /// An event of the server, as recorded in ``events``.
  public enum Event: Sendable, Equatable {
    /// A request was read; `rangeStart` is nil for the whole content.
    case requested(path: String, rangeStart: Int?)
    /// The content reached the offset of the stall.
    case stalled(path: String)
    /// The connection ended after `sent` bytes of content; `byPeer` if the client closed it first.
    case closed(path: String, sent: Int, byPeer: Bool)
  }

  /// All events so far, for inspection and waiting.
  public let events = EventLog<Event>()
  /// The address, without a trailing slash.
  public let origin: String

  private struct State {
    var responses: [String: HTTPResponse] = [:]
    var headers: [(path: String, fields: [String: String])] = []
    var connections: [ObjectIdentifier: HTTPConnection] = [:]
    var threads: [pthread_t] = []
    var stopped = false
  }
  private let state = Mutex(State())
  private let listener: Int32
  private let acceptor = Mutex<pthread_t?>(nil)

  init() throws {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let listener = try systemCall("socket") { socket(AF_INET, Int32(type), 0) }
    self.listener = listener
    do {
      origin = "http://127.0.0.1:\(try listenOnLoopback(listener))"
    } catch {
      _ = close(listener)
      throw error
    }
    let thread = try startThread { self.acceptConnections() }
    acceptor.withLock { $0 = thread }
  }

  /// Sets the response of `path` and returns its URL; unset paths respond with 404.
  ///
  /// The path starts with a slash.
  @discardableResult
  public func script(_ path: String, _ response: HTTPResponse) -> String {
    state.withLock { $0.responses[path] = response }
    return origin + path
  }

  /// Returns the header fields of each request for `path` so far, by their names in lower case.
  public func headers(of path: String) -> [[String: String]] {
    state.withLock { $0.headers.filter { $0.path == path }.map(\.fields) }
  }

  /// Changes the response of `path` from now on.
  public func change(_ path: String, _ change: @Sendable (HTTPResponse) -> HTTPResponse) {
    state.withLock { $0.responses[path] = $0.responses[path].map(change) }
  }

  /// Resumes the stalled responses of `path`, now and later.
  public func release(_ path: String) {
    let connections = state.withLock { state in
      state.responses[path]?.stallsAt = nil
      return Array(state.connections.values)
    }
    for connection in connections where connection.path == path { connection.wake() }
  }

  /// The number of open connections.
  public var openConnections: Int { state.withLock { $0.connections.count } }

  /// Closes every connection and the port; later connections are refused.
  public func stop() {
    let connections = state.withLock { state in
      state.stopped = true
      return Array(state.connections.values)
    }
    for connection in connections { connection.hangUp() }
    guard let thread = acceptor.withLock({ $0.take() }) else { return }
    _ = shutdown(listener, Int32(SHUT_RDWR))
    pthread_join(thread, nil)
    for thread in state.withLock({ $0.threads }) { pthread_join(thread, nil) }
    events.finish()
  }

  private func acceptConnections() {
    defer { _ = close(listener) }
    while true {
      var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      _ = try? systemCall("poll") { unsafe poll(&polled, 1, -1) }
      // The listener is shut down to end the server.
      if polled.revents & Int16(POLLHUP) != 0 { return }
      if let descriptor = acceptOne() { serve(HTTPConnection(descriptor)) }
    }
  }

  /// Accepts the next connection; returns nil if its peer has already closed it.
  private func acceptOne() -> Int32? {
    descriptorsAndSpawns.withLock { _ in
      guard let descriptor = try? systemCall("accept", { accept(listener, nil, nil) }) else { return nil }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      // Otherwise the kernel holds small blocks back until the client has acknowledged the ones before, after 40 ms.
      var isOn: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
      return descriptor
    }
  }

  private func serve(_ connection: HTTPConnection) {
    state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = connection
      if state.stopped { connection.hangUp() }
      let thread = try? startThread { self.handle(connection) }
      if let thread { state.threads.append(thread) }
    }
  }

  private func handle(_ connection: HTTPConnection) {
    if let request = connection.readRequest() {
      state.withLock { $0.headers.append((request.path, request.headers)) }
      events.append(.requested(path: request.path, rangeStart: request.rangeStart))
      let response = state.withLock { $0.responses[request.path] } ?? .status(404)
      let (sent, byPeer) = connection.send(response, to: request) { reached in
        let stalls = self.stalls(request.path, at: reached)
        if stalls { self.events.append(.stalled(path: request.path)) }
        return stalls
      }
      if response.cutsOnce { state.withLock { $0.responses[request.path]?.cutsAt = nil } }
      events.append(.closed(path: request.path, sent: sent, byPeer: byPeer))
    }
    state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
    connection.close()
  }

  private func stalls(_ path: String, at place: Int) -> Bool {
    state.withLock { state in
      guard !state.stopped, let stall = state.responses[path]?.stallsAt else { return false }
      return place >= stall
    }
  }
}

/// Makes `socket` listen on a port that the kernel selects, and returns the port.
private func listenOnLoopback(_ socket: Int32) throws -> UInt16 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  try unsafe withUnsafeMutablePointer(to: &address) { pointer in
    try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      try systemCall("bind") { unsafe bind(socket, pointer, length) }
      try systemCall("listen") { listen(socket, 64) }
      try systemCall("getsockname") { unsafe getsockname(socket, pointer, &length) }
    }
  }
  return UInt16(bigEndian: address.sin_port)
}

/// Runs `body` with a server; joins its threads when the body returns or throws.
@discardableResult
public func withHTTPServer<T>(_ body: (HTTPServer) async throws -> T) async throws -> T {
  let server = try HTTPServer()
  defer { server.stop() }
  return try await body(server)
}
