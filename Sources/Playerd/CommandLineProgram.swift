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
      let arguments = ArgumentOrder.ordered(ProgramArguments.all)
      var command = try await RootCommand.asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      return .success
    } catch let status as ExitStatus {
      // The words were sought in the queue.
      if status == .nothingPlayable, let command = CommandHint.command(for: ProgramArguments.all) {
        Logger(label: Names.executable).error("did you mean “\(command)”?")
      }
      return status
    } catch {
      return report(error, ProgramArguments.all)
    }
  }

  /// Prints the message of an error of the parser, which may be requested help; returns the exit status.
  private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
    let status = ExitStatus(RootCommand.exitCode(for: error).rawValue)
    let message = CommandHint.revised(RootCommand.fullMessage(for: error))
    guard !message.isEmpty else { return status }
    let (log, parts) = (Logger(label: Names.executable), ArgumentOrder.parts(of: arguments))
    let option = status == .success ? nil : CommandHint.unknownOption(in: message)
    // Of “--unknown 20”, 20 is no mistyped command.
    if !parts.options.contains(where: { $0.split(separator: "=").first.map(String.init) == option }),
      let mistake = CommandHint.mistake(in: arguments, playlistFolder: { ItemArguments.userPlaylistFolder })
    {
      log.error("\(mistake)")
      return ExitStatus.usage
    }
    guard status != .success else {
      _ = StandardOutput.write(message + "\n")
      return status
    }
    let meanings =
      option.map { CommandHint.meanings(ofOption: $0, in: arguments) }
      ?? CommandHint.command(for: arguments).map { [$0] } ?? []
    let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let reason = (lines.first ?? "").trimmingPrefix("Error: ")
    log.error("\(reason)\(meanings.isEmpty ? "" : CommandHint.suggestion(meanings))")
    if let name = parts.names.first, ItemArguments.exists(name) {
      log.error("“\(name)” is a command; for the file of this name, write ./\(name)")
    }
    if lines.count > 1 { _ = StandardError.write(lines[1] + "\n") }
    return status
  }
}
