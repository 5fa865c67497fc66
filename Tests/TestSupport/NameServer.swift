import Glibc

/// A DNS server for IPv4 addresses on the loopback interface; its port is 53, which only root may use on most systems.
public final class NameServer: Sendable {
  /// The address of the server: one that no other name server of the machine has.
  public let address: String
  /// The names of the requests so far.
  public let requests = EventLog<String>()

  private let socket: Int32
  private let addresses: [String: [UInt8]]

  init(_ addresses: [String: [UInt8]]) throws {
    self.addresses = addresses
    let number = UInt32(getpid())
    let host: [UInt8] = [127, 53, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    address = host.map(String.init).joined(separator: ".")
    let type = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
    let socket = try systemCall("socket") { Glibc.socket(AF_INET, Int32(type), 0) }
    self.socket = socket
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = UInt16(53).bigEndian
    unsafe withUnsafeMutableBytes(of: &name.sin_addr) { unsafe $0.copyBytes(from: host) }
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    do {
      _ = try unsafe withUnsafePointer(to: name) { pointer in
        try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          try systemCall("bind to port 53") { unsafe bind(socket, pointer, length) }
        }
      }
    } catch {
      _ = close(socket)
      throw error
    }
  }

  /// Answers requests until the socket is shut down.
  fileprivate func serve() {
    var buffer = [UInt8](repeating: 0, count: 512)
    while true {
      var client = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let size = buffer.count
      let count = unsafe withUnsafeMutablePointer(to: &client) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          unsafe recvfrom(socket, &buffer, size, 0, pointer, &length)
        }
      }
      guard count > 0 else { return }
      guard let reply = reply(to: Array(buffer[..<count])) else { continue }
      unsafe withUnsafePointer(to: client) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          _ = unsafe sendto(socket, reply, reply.count, 0, pointer, length)
        }
      }
    }
  }

  /// Returns the address of the name in a request, or that there is none; nil for a malformed request.
  ///
  /// <https://www.rfc-editor.org/rfc/rfc1035#section-4>
  private func reply(to request: [UInt8]) -> [UInt8]? {
    var place = 12
    var labels: [String] = []
    while place < request.count, request[place] != 0 {
      let end = place + 1 + Int(request[place])
      guard end < request.count else { return nil }
      labels.append(String(decoding: request[place + 1..<end], as: UTF8.self))
      place = end
    }
    // The end of the name, its type and its class.
    guard place + 5 <= request.count else { return nil }
    let name = labels.joined(separator: ".").lowercased()
    requests.append(name)
    let found = addresses[name]
    let answer = request[place + 2] == 1 ? found : nil
    let (authoritative, noSuchName): (UInt8, UInt8) = (0x85, 3)
    var reply = request[..<2] + [authoritative, 0x80 | (found == nil ? noSuchName : 0), 0, 1]
    reply += [0, answer == nil ? 0 : 1, 0, 0, 0, 0] + request[12..<place + 5]
    if let answer { reply += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4] + answer }
    return Array(reply)
  }

  fileprivate func stop() {
    // A socket without a connection reports that there is none, and still ends its reads.
    _ = shutdown(socket, Int32(SHUT_RDWR))
  }

  deinit { _ = close(socket) }
}

/// Runs `body` with a name server; joins its thread when the body returns or throws.
@discardableResult
public func withNameServer<T>(
  _ addresses: [String: [UInt8]], _ body: (NameServer) async throws -> T
) async throws -> T {
  let server = try NameServer(addresses)
  let thread = try startThread { server.serve() }
  defer {
    server.stop()
    pthread_join(thread, nil)
  }
  return try await body(server)
}
