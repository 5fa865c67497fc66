import Dispatch
import Foundation
import Glibc
import Synchronization

/// Serves the data of a resource loader's delegate to the player, over HTTP on the loopback interface.
///
/// Each connection has a separate thread, which waits for the delegate and for the player.
final class ResourceServer: Sendable {
  /// The properties of the resource.
  private struct Content: Sendable {
    /// The number of bytes; 0 if it is unknown.
    var length: Int64
    var hasRanges: Bool
  }

  /// The longest head of a request.
  private static let headLimit = 8192
  /// The time for which a delegate may take to describe the resource.
  private static let patience = DispatchTimeInterval.seconds(30)

  /// The URI of the resource.
  let uri: String
  private let path: String
  private let socket: CInt
  private weak let loader: AVAssetResourceLoader?
  private let content = Mutex<Content?>(nil)
  /// One description of the resource is requested at a time.
  private let description = DispatchSemaphore(value: 1)

  /// Begins to serve; nil if no socket is left.
  init?(named name: String, for loader: AVAssetResourceLoader) {
    let name = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["."])) ?? ""
    guard let (socket, port) = Self.listen() else { return nil }
    self.socket = socket
    self.loader = loader
    path = "/\(UUID().uuidString)/\(name)"
    uri = "http://127.0.0.1:\(port)\(path)"
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(socket, nil, nil)
        // A connection that has ended already is not the end of the server.
        if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard let self else {
          close(connection)
          break
        }
        Thread.detachNewThread {
          self.serve(connection)
          close(connection)
        }
      }
      close(socket)
    }
  }

  /// Ends the thread that accepts connections.
  deinit { shutdown(socket, CInt(SHUT_RDWR)) }

  private static func listen() -> (socket: CInt, port: UInt16)? {
    let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(socket, address, size) == 0 && Glibc.listen(socket, 8) == 0
          && getsockname(socket, address, &size) == 0
      }
    }
    guard isReady else {
      close(socket)
      return nil
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  // MARK: On the thread of a connection

  private func serve(_ connection: CInt) {
    guard let head = Self.readHead(connection), head.path == path, let loader else {
      return Self.refuse("404 Not Found", connection)
    }
    guard let content = describe(loader) else {
      return Self.refuse("502 Bad Gateway", connection)
    }
    let offset = content.hasRanges ? head.offset ?? 0 : 0
    guard content.length == 0 || offset < content.length else {
      return Self.refuse("416 Range Not Satisfiable", connection)
    }
    let end = min(head.end.map { $0 == .max ? $0 : $0 + 1 } ?? .max, content.length == 0 ? .max : content.length)
    var fields = "Connection: close\r\nContent-Type: application/octet-stream\r\n"
    fields += content.hasRanges ? "Accept-Ranges: bytes\r\n" : "Accept-Ranges: none\r\n"
    if content.length > 0 { fields += "Content-Length: \(max(0, end - offset))\r\n" }
    let isPart = content.hasRanges && content.length > 0 && head.offset != nil
    if isPart { fields += "Content-Range: bytes \(offset)-\(end - 1)/\(content.length)\r\n" }
    guard Self.send("HTTP/1.1 \(isPart ? "206 Partial Content" : "200 OK")\r\n\(fields)\r\n", connection),
      head.method == "GET"
    else { return }
    pass(from: offset, to: end, isToEnd: end >= content.length, of: loader, to: connection)
  }

  /// Passes data of the delegate to a connection, until the data ends or the player closes the connection.
  private func pass(
    from offset: Int64, to end: Int64, isToEnd: Bool, of loader: AVAssetResourceLoader, to connection: CInt
  ) {
    var wake: [CInt] = [-1, -1]
    guard unsafe pipe(&wake) == 0 else { return }
    for end in wake {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    let (reader, writer) = (wake[0], Pipe(wake[1]))
    defer { close(reader) }
    let request = AVAssetResourceLoadingRequest(
      loader.url, offset: offset, length: Int(clamping: end - offset), isToEnd: isToEnd
    ) {
      writer.wake()
    }
    loader.begin(request) { request.finishLoading(with: CocoaError(.fileReadUnknown)) }
    var remaining = end - offset
    while true {
      var sources = [
        pollfd(fd: connection, events: Int16(POLLIN | pollReadHangUp), revents: 0),
        pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
      ]
      if unsafe poll(&sources, 2, -1) < 0, errno != EINTR { return loader.cancel(request) }
      // The player sends nothing more on the connection.
      guard sources[0].revents == 0 else { return loader.cancel(request) }
      var bytes = [UInt8](repeating: 0, count: 64)
      while unsafe read(reader, &bytes, bytes.count) > 0 {}
      let (chunks, phase) = request.takeData()
      for chunk in chunks where remaining > 0 {
        let part = chunk.prefix(Int(clamping: remaining))
        guard Self.send(Array(part), connection) else { return loader.cancel(request) }
        remaining -= Int64(part.count)
      }
      if phase != .waiting || remaining <= 0 { return loader.cancel(request) }
    }
  }

  /// Returns the properties of the resource, which are requested from the delegate once; nil if it does not set them.
  private func describe(_ loader: AVAssetResourceLoader) -> Content? {
    description.wait()
    defer { description.signal() }
    if let known = content.withLock({ $0 }) { return known }
    let ended = DispatchSemaphore(value: 0)
    // As Apple's player does, with the first two bytes.
    let request = AVAssetResourceLoadingRequest(loader.url, offset: 0, length: 2, isAboutContent: true) {
      ended.signal()
    }
    loader.begin(request) { request.finishLoading(with: CocoaError(.fileReadUnknown)) }
    let deadline = DispatchTime.now() + Self.patience
    // Data and the end have the same signal.
    while !request.isFinished {
      guard ended.wait(timeout: deadline) == .success else {
        loader.cancel(request)
        return nil
      }
    }
    guard request.takeData().phase == .finished else { return nil }
    let found = Content(length: request.contentLength, hasRanges: request.isByteRangeAccessSupported)
    content.withLock { $0 = found }
    return found
  }

  // MARK: HTTP

  private struct Head {
    var method: Substring
    var path: String
    /// The bounds of the first range, both inclusive; nil for none.
    var offset: Int64?
    var end: Int64?
  }

  private static func readHead(_ connection: CInt) -> Head? {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1024))
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0, bytes.count + count <= headLimit else { return nil }
      bytes += buffer.prefix(count)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3, ["GET", "HEAD"].contains(words[0]) else {
      return nil
    }
    var head = Head(method: words[0], path: String(words[1]))
    let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }?.dropFirst("range: bytes=".count)
    if let bounds = range?.split(separator: "-", omittingEmptySubsequences: false), bounds.count == 2 {
      head.offset = Int64(bounds[0]).flatMap { $0 >= 0 ? $0 : nil }
      head.end = Int64(bounds[1]).flatMap { $0 >= head.offset ?? 0 ? $0 : nil }
    }
    return head
  }

  private static func refuse(_ status: String, _ connection: CInt) {
    _ = send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", connection)
  }

  private static func send(_ text: String, _ connection: CInt) -> Bool { send(Array(text.utf8), connection) }

  /// Sends bytes, and waits while the player does not read; returns false if it has closed the connection.
  private static func send(_ bytes: [UInt8], _ connection: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The end of a pipe that wakes a thread; closed with its last reference.
  private final class Pipe: Sendable {
    private let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func wake() {
      var byte: UInt8 = 1
      // A full pipe wakes the thread as well.
      _ = unsafe write(descriptor, &byte, 1)
    }
  }
}

/// The player has closed its side; glibc declares it only for `_GNU_SOURCE`.
private let pollReadHangUp: CInt = 0x2000
