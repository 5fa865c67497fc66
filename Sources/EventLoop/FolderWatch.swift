import CLinux
import Glibc
import Synchronization

/// Tells that the entries of a folder have changed, on an event loop's thread; it costs nothing while they do not.
///
/// <https://man7.org/linux/man-pages/man7/inotify.7.html>
public final class FolderWatch: Sendable {
  private let loop: EventLoop
  private let source: Mutex<(descriptor: CInt, id: EventSources.ID)?>

  /// Watches a folder; nil where there is none, or where the system has no watch left.
  ///
  /// Files that are being written are told when they are closed. The folder's own end is told too.
  ///
  /// - Parameters:
  ///   - path: The folder, byte by byte.
  ///   - loop: Where `changed` is called, until the watch goes or the loop stops.
  ///   - changed: Called once for changes that come together; it must not block.
  public init?(_ path: [UInt8], on loop: EventLoop, _ changed: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    let text = path.map { CChar(bitPattern: $0) } + [0]
    guard unsafe inotify_add_watch(descriptor, text, Self.events) >= 0 else {
      close(descriptor)
      return nil
    }
    self.loop = loop
    source = Mutex(nil)
    let id = loop.watch(descriptor, for: .readable) { [weak self] readiness in
      if readiness.contains(.stopped) {
        self?.stop()
      } else {
        Self.drain(descriptor)
        changed()
      }
    }
    source.withLock { $0 = (descriptor, id) }
    // The loop may be asleep, and is to wait for this too.
    loop.submit {}
  }

  deinit { stop() }

  private func stop() {
    guard let (descriptor, id) = source.withLock({ $0.take() }) else { return }
    loop.remove(id)
    // Not before the loop has left the wait in which it may still have the descriptor.
    loop.submit { close(descriptor) }
  }

  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// What exactly has happened is not looked at: whoever is told reads the folder again.
  private static func drain(_ descriptor: CInt) {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
