import ArgumentParser

/// `mpris-playerd queue next ITEM…`.
struct QueueNextCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Insert files, folders, playlists and URLs after the current track.")

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String]

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.enqueue(items, .next) }
}
