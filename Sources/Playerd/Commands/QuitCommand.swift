import ArgumentParser

struct QuitCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Save the session and end the running instance.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    guard try await instance.player.canQuit() else {
      throw instance.failure("the configuration does not allow quitting (allow-quit = false)")
    }
    try await instance.player.quit()
    return "quit"
  }
}
