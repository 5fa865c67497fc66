import ArgumentParser
import PlayerdInterfaces

/// `mpris-playerd queue clear`.
struct QueueClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Stop playback and empty the queue.")

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.perform { instance in
      try await instance.control.clear()
      return "the queue is empty"
    }
  }
}
