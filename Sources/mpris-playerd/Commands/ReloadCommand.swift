import ArgumentParser
import PlayerdInterfaces

/// `mpris-playerd reload`.
struct ReloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Make the running instance read its configuration again.",
    discussion: "If the configuration has a mistake, nothing changes.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      let later = try await instance.control.reload()
      let note = later.isEmpty ? "" : "; at the next start: \(later.joined(separator: ", "))"
      return "the configuration has been read again\(note)"
    }
  }
}
