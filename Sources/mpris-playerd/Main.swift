import ArgumentParser
import Dispatch
import Glibc
import Logging

/// Where the process begins: the command line runs on a queue of the daemon's own, see ``QueueExecutor``.
@main
enum Main {
  static func main() {
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    let executor = QueueExecutor(label: "org.playerd.daemon")
    // Lasts as long as the process: its end is the end of the process.
    // Without a priority it would get the one of an application's user interface, which libdispatch turns into a nice
    // value that a user may not set, and complains about in the journal.
    Task(executorPreference: executor, priority: .medium) {
      await Playerd.main()
      exit(0)
    }
    dispatchMain()
  }
}
