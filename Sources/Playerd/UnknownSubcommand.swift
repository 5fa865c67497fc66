import ArgumentParser
import Logging
import PlayerdSystem

extension ParsableCommand {
  /// Reports a word that is not a subcommand.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - playlists: The names of playlists that it may mean.
  /// - Returns: Exit status 64, to be thrown.
  static func reportUnknownSubcommand(_ word: String, playlists: [String] = []) -> ExitStatus {
    Logger(label: Names.executable).error("\(unknownSubcommand(word, playlists: playlists))")
    return ExitStatus.usage
  }

  /// Returns the message about a word that is not a subcommand.
  static func unknownSubcommand(_ word: String, playlists: [String] = []) -> String {
    let name = configuration.commandName ?? ""
    let names = configuration.subcommands.flatMap { $0.configuration.names }
    let hint = CommandHint.text(for: word, in: name, among: names, playlists: playlists)
    let list = "; “\(Names.executable) help \(name)” lists the commands"
    return "\(word): not a command of “\(name)”" + (hint.isEmpty ? list : hint)
  }
}
