import ArgumentParser

/// `mpris-playerd [open] [ITEM…]`: plays, or forwards the items to the running instance.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Play files, folders, playlists and URLs.",
    discussion: """
      If an instance is running, it plays the items, and the command returns. Without items, the daemon starts with the \
      last session.
      """)

  @OptionGroup var options: OpenOptions

  func run() async throws { try await options.run() }
}
