import ArgumentParser

/// `mpris-playerd quit`.
struct QuitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Save the session and end the running instance.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      guard try await instance.player.canQuit() else {
        throw instance.failure("the configuration does not allow quitting (allow-quit = false)")
      }
      try await instance.player.quit()
      return "quit"
    }
  }
}
