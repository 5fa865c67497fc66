import ArgumentParser
import Dispatch
import Glibc

/// The end of the process, which no folder, server or output may put off.
enum Departure {
  private static let queue = DispatchQueue(label: "org.playerd.departure")

  /// Ends the process in a second, should it still be there then: everything that is to be kept has been written.
  static func insist(on status: ExitCode) {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { exit(status.rawValue) }
  }
}
