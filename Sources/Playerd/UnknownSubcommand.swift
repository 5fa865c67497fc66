import ArgumentParser
import Logging
import PlayerdSystem

/// The words after a command with subcommands that name none; the parser passes them to the default subcommand.
struct UnknownSubcommand: ParsableArguments {
  @Argument(help: .hidden)
  var words: [String] = []

  /// Reports that a word is not a subcommand of `command`; it may mean one of some playlists.
  ///
  /// - Throws: Exit status 64.
  func reject(in command: any ParsableCommand.Type, playlists: @autoclosure () -> [String] = []) throws {
    guard let word = words.first else { return }
    Logger(label: Names.executable).error("\(command.unknownSubcommand(word, playlists: playlists()))")
    throw ExitStatus.usage
  }
}

extension ParsableCommand {
  /// Returns the message about a word that is not a subcommand.
  static func unknownSubcommand(_ word: String, playlists: [String] = []) -> String {
    let name = configuration.commandName ?? ""
    let names = configuration.subcommands.flatMap { $0.configuration.names }
    let hint = CommandHint.text(for: word, in: name, among: names, playlists: playlists)
    let list = "; “\(Names.executable) help \(name)” lists the commands"
    return "\(word): not a command of “\(name)”" + (hint.isEmpty ? list : hint)
  }
}
