import Glibc

/// Where a service manager hears how the daemon fares, after the protocol of `sd_notify(3)`; without one nobody does.
struct NotifySocket: Sendable {
  enum State: String, Sendable {
    /// The names on the bus are owned, or there is no bus to own them on.
    case ready = "READY=1"
    case stopping = "STOPPING=1"
  }

  private let path: [UInt8]

  /// The socket that the process was given; a path, or an abstract name behind `@`.
  init(_ path: String? = Environment["NOTIFY_SOCKET"]) {
    self.path = Array((path ?? "").utf8)
  }

  /// Sends one datagram, and waits for nothing: who does not listen misses it.
  func send(_ state: State) {
    guard let first = path.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      unsafe target.copyBytes(from: path)
      if first == UInt8(ascii: "@") { unsafe target[0] = 0 }
    }
    // An abstract name ends where its length says, not at a zero.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)

    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var message = state.rawValue
    message.withUTF8 { bytes in
      unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          _ = unsafe sendto(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address,
            length)
        }
      }
    }
  }
}
