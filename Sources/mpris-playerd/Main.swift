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
    Task(executorPreference: executor) {
      await Playerd.main(SignedArgument.withTrailingSigns(Array(CommandLine.arguments.dropFirst())))
      exit(0)
    }
    dispatchMain()
  }
}
