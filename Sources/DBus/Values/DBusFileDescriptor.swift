import Glibc

/// A Unix file descriptor from or for a message; closed when the last copy is released.
///
/// A message carries a duplicate: the sender keeps its own descriptor, and each receiver owns another one, which is closed
/// at exec. <https://dbus.freedesktop.org/doc/dbus-specification.html#idm467>
public struct DBusFileDescriptor: Hashable, Sendable {
  /// Owns a descriptor.
  final class Storage: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  let storage: Storage

  /// The descriptor's number in this process; valid as long as a copy of this value exists.
  public var number: Int32 { storage.number }

  /// Takes ownership of a descriptor, which is closed with the last copy.
  public init(taking number: Int32) { storage = Storage(number) }

  /// Duplicates a descriptor; the caller keeps the original.
  ///
  /// - Throws: `InvalidArgs` if the descriptor is not open; `LimitsExceeded` at the limit of open descriptors.
  public init(duplicating number: Int32) throws(DBusError) {
    storage = Storage(try Self.duplicate(number))
  }

  /// Returns a duplicate that the caller owns and closes, for example for a file handle.
  ///
  /// - Throws: `LimitsExceeded` at the limit of open descriptors.
  public func duplicate() throws(DBusError) -> Int32 { try Self.duplicate(number) }

  private static func duplicate(_ number: Int32) throws(DBusError) -> Int32 {
    let duplicate = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard duplicate < 0 else { return duplicate }
    throw errno == EBADF
      ? .invalidArguments("\(number) is not an open file descriptor")
      : .limitsExceeded("no file descriptor is available")
  }

  /// Whether both own the same descriptor.
  public static func == (left: DBusFileDescriptor, right: DBusFileDescriptor) -> Bool { left.storage === right.storage }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}
