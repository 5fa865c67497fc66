import DBus
import EventLoop
import Glibc
import TestSupport

/// The login service on a private bus: it hands out locks, and knows when they are let go.
struct LoginMock: Sendable {
  enum News: Equatable, Sendable {
    /// A lock was taken: what it is for, and its mode.
    case taken(String, String)
    case released(String)
  }

  private static let path: ObjectPath = "/org/freedesktop/login1"
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

  let connection: Connection
  let news: EventLog<News>

  /// Takes the service's name on a bus.
  init(on bus: PrivateBus, _ loop: EventLoop) async throws {
    connection = try await Connection.open(address: bus.address, on: loop)
    news = EventLog<News>()
    let arguments: Arguments = ["what": "s", "who": "s", "why": "s", "mode": "s"]
    let inhibit = Method("Inhibit", in: arguments, out: ["lock": "h"]) { [news] call throws(DBusError) in
      guard call.arguments.count == 4, let what = call.arguments[0].asString, let mode = call.arguments[3].asString
      else { return [] }
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw .failed("no pipe is left") }
      let lock = FileDescriptor(taking: ends[1])
      Self.watch(ends[0]) { news.append(.released(what)) }
      news.append(.taken(what, mode))
      return [.fileDescriptor(lock)]
    }
    let signals = ["PrepareForSleep", "PrepareForShutdown"].map { Signal($0, ["start": "b"]) }
    let rows = Interface<Void>(Self.manager, methods: [inhibit], signals: signals)
    try await connection.export(at: Self.path, [rows]) {}
    guard try await connection.requestName("org.freedesktop.login1") else { throw UnexpectedReply(text: "no name") }
  }

  /// Calls `ended` when nobody has the other end any more; the reader has a thread of its own for that long.
  private static func watch(_ end: Int32, _ ended: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(Reader(end, ended))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { pointer in
        if let pointer = unsafe pointer { unsafe Unmanaged<Reader>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    precondition(result == 0)
    pthread_detach(thread)
  }

  private final class Reader: Sendable {
    private let end: Int32
    private let ended: @Sendable () -> Void

    init(_ end: Int32, _ ended: @escaping @Sendable () -> Void) { (self.end, self.ended) = (end, ended) }

    func run() {
      var byte: UInt8 = 0
      while unsafe read(end, &byte, 1) > 0 {}
      close(end)
      ended()
    }
  }

  func tell(_ signal: MemberName, _ begins: Bool) async throws {
    try await connection.emit(signal, of: Self.manager, at: Self.path, [.boolean(begins)])
  }
}
