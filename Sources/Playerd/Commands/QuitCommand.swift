import ArgumentParser
import DBus
import MPRISService

struct QuitCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Save the session and end the running instance.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let root = instance.root
    guard try await root.get(RootInterface.canQuit)?.asBool ?? false else {
      throw instance.failure("the configuration does not allow quitting (allow-quit = false)")
    }
    try await root.perform(RootInterface.quit)
    await root.connection.untilGone(root.owner)
    return "quit"
  }
}
