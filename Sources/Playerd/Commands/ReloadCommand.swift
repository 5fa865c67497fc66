import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

/// `mpris-playerd reload`.
struct ReloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Reload the configuration of the running instance.",
    discussion: "If the configuration contains an error, nothing changes.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      let later = try await Self.reload(instance)
      let note = later.isEmpty ? "" : "; effective at the next start: \(later.joined(separator: ", "))"
      return "configuration reloaded\(note)"
    }
  }

  /// Returns the keys whose new values apply at the next start.
  ///
  /// - Throws: Exit status 78 for a mistake in the configuration; the reason has been logged.
  private static func reload(_ instance: RunningInstance) async throws -> [String] {
    do throws(DBusError) {
      return try await instance.control.reload()
    } catch {
      guard case .invalidArguments("") = error else { throw error }
      instance.log.error("\(error.message)")
      throw ExitStatus.configuration
    }
  }
}
