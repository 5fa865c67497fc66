import ArgumentParser
import Dispatch
import Logging

/// Where the process begins: the command line runs on a queue of the daemon's own, see ``QueueExecutor``.
@main
enum Main {
  static func main() {
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    let executor = QueueExecutor(label: "org.playerd.daemon")
    // Lasts as long as the process: its end is the end of the process.
    Task(executorPreference: executor) { ProcessExit.exit(await status()) }
    dispatchMain()
  }

  /// Runs the command that the arguments name.
  ///
  /// `AsyncParsableCommand.main()` does the same, but ends the process by `exit`; see ``ProcessExit``.
  ///
  /// - Returns: The exit status. Help that was asked for is on standard output then, an error on standard error.
  private static func status() async -> ExitCode {
    do {
      let arguments = SignedArgument.withTrailingSigns(Array(CommandLine.arguments.dropFirst()))
      var command = try await Playerd.asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      return .success
    } catch {
      let (status, message) = (Playerd.exitCode(for: error), Playerd.fullMessage(for: error))
      guard !message.isEmpty else { return status }
      _ = status == .success ? StandardOutput.write(message + "\n") : StandardError.write(message + "\n")
      return status
    }
  }
}
