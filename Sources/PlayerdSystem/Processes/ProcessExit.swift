import Dispatch
import Glibc

/// Ends the process; every exit uses it.
///
/// [`_exit`](https://man7.org/linux/man-pages/man2/_exit.2.html) skips C exit handlers and the destructors of libraries.
/// Threads of GStreamer plug-ins may still run, and a destructor may then abort the process or block. No output is
/// lost: ``StandardOutput`` and ``StandardError`` write without a buffer, and files are written before.
package enum ProcessExit {
  private static let queue = DispatchQueue(label: "org.playerd.exit")

  /// Ends the process.
  package static func exit(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

  /// Ends the process after 1 s if it still runs, so that no folder, server or output blocks the shutdown.
  package static func exitSoon(_ status: ExitStatus) {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { exit(status) }
  }
}
