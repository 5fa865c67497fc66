import ArgumentParser

/// `mpris-playerd quit`.
struct QuitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "End the running instance; the session is saved.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      guard try await instance.player.canQuit() else {
        throw instance.failure("the configuration forbids it (allow-quit = false)")
      }
      try await instance.player.quit()
      return "quit"
    }
  }
}
