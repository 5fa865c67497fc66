import ArgumentParser
import DBus
import Logging
import MPRISService
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

struct ReloadCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Reload the configuration of the running instance.",
    discussion: "If the configuration contains an error, nothing changes.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    do throws(DBusError) {
      let later = try await instance.control.call(ControlInterface.reload)
      let note = later.isEmpty ? "" : "; effective at the next start: \(later.joined(separator: ", "))"
      return "configuration reloaded\(note)"
    } catch {
      guard case .invalidArguments("") = error else { throw error }
      instance.log.error("\(error.message)")
      throw ExitStatus.configuration
    }
  }
}

struct QuitCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Save the session and end the running instance.", aliases: ["exit"])

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
