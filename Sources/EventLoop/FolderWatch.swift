import CLinux
import Glibc
import Synchronization

/// Reports changes of a folder's entries on an event loop's thread; idle until an entry changes.
///
/// <https://man7.org/linux/man-pages/man7/inotify.7.html>
public final class FolderWatch: Sendable {
  private let loop: PollLoop
  private let source: Mutex<(descriptor: CInt, id: EventSources.ID)?>

  /// Watches a folder; nil if the folder does not exist or the system's limit of inotify watches is reached.
  ///
  /// A file that is being written is reported when it is closed. The removal of the folder is reported too.
  ///
  /// - Parameters:
  ///   - path: The path of the folder, as bytes.
  ///   - loop: The loop that calls `changed`, until the watch is released or the loop stops.
  ///   - changed: The handler, called once for changes that arrive together; it must not block.
  public init?(_ path: [UInt8], on loop: PollLoop, _ changed: @escaping @Sendable () -> Void) {
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
        // The events are discarded: the handler reads the whole folder again, so their details are not needed.
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
        changed()
      }
    }
    source.withLock { $0 = (descriptor, id) }
    // The loop may be asleep; this wakes it, so that it also polls this descriptor.
    loop.submit {}
  }

  deinit { stop() }

  private func stop() {
    guard let (descriptor, id) = source.withLock({ $0.take() }) else { return }
    loop.remove(id)
    // Closed only after the loop has left the poll that may still contain the descriptor.
    loop.submit { close(descriptor) }
  }

  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
}
