public import DBus
import Glibc

/// A mock of the login service on a private bus: it hands out inhibitor locks and records their release.
public struct LoginMock: Sendable {
  /// A change of a lock.
  public enum News: Equatable, Sendable {
    /// A lock was taken, with the operations that it inhibits and its mode.
    case taken(String, String)
    /// A lock was released.
    case released(String)
  }

  private static let path: ObjectPath = "/org/freedesktop/login1"
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

  /// The connection of the service.
  public let connection: DBusConnection
  /// The changes of the locks so far.
  public let news: EventLog<News>

  /// Takes the name of the service on a bus.
  public init(on bus: PrivateBus, _ loop: PollLoop) async throws {
    connection = try await DBusConnection.open(address: bus.address, on: loop)
    news = EventLog<News>()
    let arguments: DBusArguments = ["what": "s", "who": "s", "why": "s", "mode": "s"]
    let inhibit = DBusMethod("Inhibit", in: arguments, out: ["lock": "h"]) { [news] call throws(DBusError) in
      guard call.arguments.count == 4, let what = call.arguments[0].asString, let mode = call.arguments[3].asString
      else { return [] }
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw .failed("no pipe is left") }
      let lock = DBusFileDescriptor(taking: ends[1])
      Self.watch(ends[0]) { news.append(.released(what)) }
      news.append(.taken(what, mode))
      return [.fileDescriptor(lock)]
    }
    let signals = ["PrepareForSleep", "PrepareForShutdown"].map { DBusSignal($0, ["start": "b"]) }
    let rows = DBusInterface<Void>(Self.manager, methods: [inhibit], signals: signals)
    try await connection.export(at: Self.path, [rows]) {}
    guard try await connection.requestName("org.freedesktop.login1") else { throw DBusError.failed("no name") }
  }

  /// Calls `ended` when the other end of the pipe is closed; a thread waits for that.
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

  /// Emits a signal, which says whether something begins.
  public func tell(_ signal: MemberName, _ begins: Bool) async throws {
    try await connection.emit(signal, of: Self.manager, at: Self.path, [.boolean(begins)])
  }
}
