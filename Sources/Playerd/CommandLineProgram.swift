import ArgumentParser
import Dispatch
import EventLoop
import Glibc
import Logging
import PlayerdSystem

/// The entry point of the program, the command line and the daemon.
package enum CommandLineProgram {
  /// Runs the command of the arguments on a separate queue (see ``QueueExecutor``), and ends the process.
  package static func run() -> Never {
    StandardOutput.occupyClosedStreams()
    AllocatedMemory.shareAmongThreads()
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    let executor = QueueExecutor(label: "org.playerd.daemon")
    // The task ends with the process.
    Task(executorPreference: executor) {
      ProcessExit.exit(reportingOutput(await status()))
    }
    dispatchMain()
  }

  /// Returns the exit status of a command, which has failed if its output could not be written; then logs the reason.
  private static func reportingOutput(_ status: ExitStatus) -> ExitStatus {
    guard let fault = StandardOutput.fault else { return status }
    let reason = fault.number == EBADF ? "it is closed" : fault.message
    Logger(label: Names.executable).error("cannot write to standard output: \(reason)")
    return status == .success ? ExitStatus.cannotWrite : status
  }

  /// Runs the command of the arguments.
  ///
  /// `AsyncParsableCommand.main()` does the same, but ends the process by `exit`; see ``ProcessExit``.
  ///
  /// - Returns: The exit status. Requested help is then on standard output, an error on standard error.
  private static func status() async -> ExitStatus {
    do {
      if let invocation = OpenInvocation(unparsed: ProgramArguments.all) {
        try await invocation.run()
        return .success
      }
      if let mistake = CommandHint.unknownHelp(in: ProgramArguments.all) {
        Logger(label: Names.executable).error("\(mistake)")
        return ExitStatus.usage
      }
      let arguments = ArgumentOrder.ordered(ProgramArguments.all)
      var command = try await RootCommand.asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      return .success
    } catch let status as ExitStatus {
      return status
    } catch {
      let status = ExitStatus(RootCommand.exitCode(for: error).rawValue)
      let message = RootCommand.fullMessage(for: error)
      guard !message.isEmpty else { return status }
      guard status != .success else {
        _ = StandardOutput.write(message + "\n")
        return status
      }
      _ = StandardError.write(message + "\n")
      if let command = CommandHint.command(for: ProgramArguments.all) {
        Logger(label: Names.executable).error("did you mean “\(command)”?")
      }
      return status
    }
  }
}
