import Glibc

/// A socket that receives `sd_notify(3)` datagrams as a service manager does.
public final class NotifyReceiver: Sendable {
  /// The received datagrams, in order.
  public let messages = EventLog<String>()

  private let descriptor: Int32
  private let path: String

  /// Listens at `path`, or at the abstract name after `@`.
  fileprivate init(_ path: String) throws {
    self.path = path
    descriptor = try systemCall("socket") {
      socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    try systemCall("bind \(path)") {
      unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
      }
    }
  }

  /// The environment in which a child sends its notifications here.
  public var environment: [String: String] { ["NOTIFY_SOCKET": path] }

  fileprivate func receive() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let size = buffer.count
      let count = (try? systemCall("recv") { unsafe recv(descriptor, &buffer, size, 0) }) ?? 0
      guard count > 0 else { return messages.finish() }
      messages.append(String(decoding: buffer[..<count], as: UTF8.self))
    }
  }

  /// Wakes the reader for the last time.
  fileprivate func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  fileprivate func closeDescriptor() { _ = close(descriptor) }
}

/// Runs `body` with a socket at `path`, or at the abstract name after `@`.
@discardableResult
public func withNotifyReceiver<T>(_ path: String, _ body: (NotifyReceiver) async throws -> T) async throws -> T {
  let receiver = try NotifyReceiver(path)
  let reader = try startThread { receiver.receive() }
  return try await scoped {
    try await body(receiver)
  } close: {
    receiver.shutDown()
    pthread_join(reader, nil)
    receiver.closeDescriptor()
  }
}
