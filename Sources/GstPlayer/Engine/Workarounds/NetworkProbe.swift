import Glibc
import Playback

/// Finds out why a server sends no data, for errors that GStreamer reports without a reason.
///
/// souphttpsrc 1.22 with libsoup 3 reports a refused connection, an unknown name and an unreachable host in the same
/// way, as "Internal data stream error".
///
/// It can go when `souphttpsrc` reports these causes as separate errors.
enum NetworkProbe {
  /// The time limit of a connection attempt, in milliseconds.
  private static let limit: CInt = 3_000

  /// Connects to the URI's server, or to the proxy for it, and returns the failure; nil if the other end accepts.
  ///
  /// Blocks during the name resolution and up to 3 s more; call it on a thread that may block.
  static func diagnose(_ uri: String) -> PlayerError? {
    guard let origin = HTTPOrigin(uri), !origin.host.isEmpty else { return nil }
    switch ProxySettings.route(to: uri) {
    case .direct: return probe(origin, "server")
    case .proxy(let proxy): return HTTPOrigin(proxy).flatMap { probe($0, "proxy") }
    case .script:
      return PlayerError(
        code: .networkUnresolved, message: "the desktop selects the proxy by a script (PAC), which is not supported")
    }
  }

  /// Connects to a server or a proxy.
  private static func probe(_ origin: HTTPOrigin, _ role: String) -> PlayerError? {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(origin.host, "\(origin.port)", &hints, &first) == 0 else {
      return PlayerError(
        code: .networkUnresolved, message: "the \(role)'s name cannot be resolved", detail: origin.host)
    }
    defer { unsafe freeaddrinfo(first) }
    var failure: PlayerError?
    var next = unsafe first
    while let address = unsafe next {
      guard let reason = unsafe connect(address, role) else { return nil }
      failure = failure ?? reason
      unsafe next = address.pointee.ai_next
    }
    return failure
  }

  private static func connect(_ address: UnsafeMutablePointer<addrinfo>, _ role: String) -> PlayerError? {
    let kind = unsafe address.pointee.ai_socktype | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = unsafe socket(address.pointee.ai_family, kind, address.pointee.ai_protocol)
    defer { close(descriptor) }
    let isConnected =
      unsafe descriptor >= 0 && Glibc.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0
    var result = isConnected ? 0 : errno
    if result == EINPROGRESS {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      var count: CInt
      repeat { count = unsafe poll(&waiting, 1, limit) } while count < 0 && errno == EINTR
      guard count == 1 else {
        return PlayerError(code: .networkTimeout, message: "the \(role) does not respond")
      }
      var size = socklen_t(MemoryLayout<CInt>.size)
      guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &size) == 0 else { return nil }
    }
    switch result {
    case 0: return nil
    case ECONNREFUSED: return PlayerError(code: .networkRefused, message: "the \(role) refuses the connection")
    default:
      return unsafe PlayerError(
        code: .networkTimeout, message: "the \(role) cannot be reached: \(String(cString: strerror(result)))")
    }
  }
}
