import ArgumentParser

struct PlaylistCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "List, play or save playlists.",
    subcommands: [PlaylistListCommand.self, PlaylistPlayCommand.self, SaveCommand.self],
    defaultSubcommand: PlaylistListCommand.self)
}
