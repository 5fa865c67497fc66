import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

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
