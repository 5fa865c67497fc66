import CGst
import Glibc
import Playback

/// Finds out why a server gives nothing, where GStreamer does not tell.
///
/// souphttpsrc 1.22 over libsoup 3 reports a refused connection, an unknown name and a dead host alike, as
/// "Internal data stream error".
enum NetworkProbe {
  /// How long a host may take to accept.
  private static let limit: CInt = 3_000

  /// The failure of a connection to the URI's server; nil when it accepts, or when a proxy stands between.
  ///
  /// Blocks for as long as the resolver does and 3 s more: to be called where nothing waits.
  static func diagnose(_ uri: String) -> PlayerError? {
    guard unsafe getenv("http_proxy") == nil, let (host, port) = server(of: uri) else { return nil }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &first) == 0 else {
      return PlayerError(.networkUnresolved, "the server's name cannot be resolved", detail: host)
    }
    defer { unsafe freeaddrinfo(first) }
    var failure: PlayerError?
    var next = unsafe first
    while let address = unsafe next {
      guard let reason = unsafe connect(address) else { return nil }
      failure = failure ?? reason
      unsafe next = address.pointee.ai_next
    }
    return failure
  }

  private static func server(of uri: String) -> (host: String, port: UInt32)? {
    guard let parsed = unsafe gst_uri_from_string(uri) else { return nil }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(parsed)) }
    guard let host = unsafe GLib.borrow(gst_uri_get_host(parsed)), !host.isEmpty else { return nil }
    let port = unsafe gst_uri_get_port(parsed)
    return (host, port != 0 ? port : uri.hasPrefix("https") ? 443 : 80)
  }

  private static func connect(_ address: UnsafeMutablePointer<addrinfo>) -> PlayerError? {
    let kind = unsafe address.pointee.ai_socktype | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = unsafe socket(address.pointee.ai_family, kind, address.pointee.ai_protocol)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    if unsafe Glibc.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 { return nil }
    var result = errno
    if result == EINPROGRESS {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&waiting, 1, limit) == 1 else {
        return PlayerError(.networkTimeout, "the server does not answer")
      }
      var size = socklen_t(MemoryLayout<CInt>.size)
      guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &size) == 0 else { return nil }
    }
    switch result {
    case 0: return nil
    case ECONNREFUSED: return PlayerError(.networkRefused, "the server refuses the connection")
    default:
      return unsafe PlayerError(.networkTimeout, "the server cannot be reached: \(String(cString: strerror(result)))")
    }
  }
}
