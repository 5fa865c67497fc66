import Glibc

/// A Unix file descriptor that a message brought or carries; closed when the last reference goes.
///
/// <https://dbus.freedesktop.org/doc/dbus-specification.html#idm467>
public final class FileDescriptor: Hashable, Sendable {
  /// The number under which this process knows it.
  public let number: Int32

  /// Takes over a descriptor, and closes it in the end.
  public init(taking number: Int32) { self.number = number }

  deinit { close(number) }

  /// Two are the same when they are one object.
  public static func == (left: FileDescriptor, right: FileDescriptor) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
