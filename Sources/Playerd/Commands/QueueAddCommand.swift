import ArgumentParser

/// `mpris-playerd queue add ITEM…`.
struct QueueAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Append files, folders, playlists and URLs to the queue.")

  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String]

  @OptionGroup var options: VerbOptions

  func run() async throws { try await options.enqueue(items, .append) }
}
