import ArgumentParser
import Dispatch
import Glibc

/// The only way out of the process, with the status that was decided.
///
/// [`_exit`](https://man7.org/linux/man-pages/man2/_exit.2.html) runs neither C exit handlers nor the destructors of
/// libraries. GStreamer plug-ins leave threads behind, and a destructor that meets them may abort the process or block.
/// Nothing is lost: ``StandardOutput`` and ``StandardError`` write without a buffer, and files are written before.
enum ProcessExit {
  private static let queue = DispatchQueue(label: "org.playerd.exit")

  /// Ends the process.
  static func exit(_ status: ExitCode) -> Never { _exit(status.rawValue) }

  /// Ends the process after one second unless it has ended before: no folder, server or output may block a shutdown.
  static func exitSoon(_ status: ExitCode) {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { exit(status) }
  }
}
