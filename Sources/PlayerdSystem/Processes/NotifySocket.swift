import Glibc

/// Notifies a service manager over its socket, with the protocol of `sd_notify(3)`; without a socket, nothing is sent.
package struct NotifySocket: Sendable {
  package enum State: String, Sendable {
    /// The bus names are owned, or no bus is available.
    case ready = "READY=1"
    case stopping = "STOPPING=1"
  }

  private let path: [UInt8]

  /// Creates the socket of the environment: a path, or an abstract name after `@`.
  package init(_ path: String? = Environment["NOTIFY_SOCKET"]) {
    self.path = Array((path ?? "").utf8)
  }

  /// Sends one datagram without waiting; it is lost if the service manager does not read.
  package func send(_ state: State) {
    guard let first = path.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      unsafe target.copyBytes(from: path)
      if first == UInt8(ascii: "@") { unsafe target[0] = 0 }
    }
    // The length, not a NUL byte, ends an abstract name.
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
