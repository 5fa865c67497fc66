import CGst
import Synchronization

/// Reads the undecoded head of the response that the thread of an HTTP session receives.
///
/// libsoup 3 replaces the bytes of a header field that are not UTF-8 when it parses the head, before any signal. The
/// bytes are therefore read from the stream below. A session of a source has a separate thread, and one message.
///
/// It can go when libsoup gives access to the undecoded bytes of a header field.
enum ResponseHead {
  fileprivate typealias Read =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, gsize,
      UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gssize

  /// The maximum size of a head; libsoup has the same limit.
  private static let limit = 100 << 10
  /// The bytes so far, by the address of the thread; a thread without an entry does not receive a head.
  private static let heads = Mutex<[UInt: [UInt8]]>([:])
  /// The function of libsoup that reads from a connection; nil until it is replaced.
  fileprivate static let read = unsafe Mutex<Read?>(nil)

  /// Begins with the next bytes that the calling thread receives.
  static func begin() {
    replaceRead()
    heads.withLock { $0[GLib.currentThread] = [] }
  }

  static func discard() { heads.withLock { $0[GLib.currentThread] = nil } }

  /// Returns the fields of the head whose names begin with a prefix, by their names in lower case, and ends the head.
  static func takeFields(_ prefix: String) -> [String: [UInt8]] {
    let head = heads.withLock { $0.removeValue(forKey: GLib.currentThread) } ?? []
    var fields: [String: [UInt8]] = [:]
    for line in head.split(separator: UInt8(ascii: "\n")) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name.hasPrefix(prefix), fields[name] == nil else { continue }
      let blanks = " \t\r".utf8
      var value = line[colon...].dropFirst().drop { blanks.contains($0) }
      while let last = value.last, blanks.contains(last) { value.removeLast() }
      fields[name] = Array(value)
    }
    return fields
  }

  fileprivate static func received(_ bytes: UnsafeRawBufferPointer) {
    let thread = GLib.currentThread
    heads.withLock { heads in
      guard let count = heads[thread]?.count, count < limit else { return }
      unsafe heads[thread]?.append(contentsOf: bytes.prefix(limit - count))
    }
  }

  /// Replaces the function that reads from a connection, once its class is registered, with the first connection.
  private static func replaceRead() {
    unsafe read.withLock { read in
      let type = unsafe g_type_from_name("SoupFilterInputStream")
      // The reference to the class is kept, so that its interface stays.
      guard unsafe read == nil, type != 0, let streams = unsafe g_type_class_ref(type),
        let interface = unsafe g_type_interface_peek(streams, g_type_from_name("GPollableInputStream"))
      else { return }
      let functions = unsafe interface.assumingMemoryBound(to: GPollableInputStreamInterface.self)
      unsafe read = functions.pointee.read_nonblocking
      unsafe functions.pointee.read_nonblocking = readNonblocking
    }
  }
}

/// Reads from a connection.
///
/// <https://docs.gtk.org/gio/vfunc.PollableInputStream.read_nonblocking.html>
private func readNonblocking(
  _ stream: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ size: gsize,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gssize {
  guard let read = unsafe ResponseHead.read.withLock({ unsafe $0 }) else { return -1 }
  let count = unsafe read(stream, buffer, size, error)
  if count > 0 { unsafe ResponseHead.received(UnsafeRawBufferPointer(start: buffer, count: Int(count))) }
  return count
}
