import ArgumentParser
import Logging
import PlayerdSystem

extension ParsableCommand {
  /// Reports a word that is not a subcommand, and prints their list.
  ///
  /// - Returns: Exit status 64, to be thrown.
  static func reportUnknownSubcommand(_ word: String) -> ExitStatus {
    let name = configuration.commandName ?? ""
    let names = configuration.subcommands.flatMap { $0.configuration.names }
    let hint = CommandHint.text(for: word, in: name, among: names)
    Logger(label: Names.executable).error("\(word): not a command of “\(name)”\(hint)")
    _ = StandardError.write("\n" + RootCommand.helpMessage(for: Self.self) + "\n")
    return ExitStatus.usage
  }
}
