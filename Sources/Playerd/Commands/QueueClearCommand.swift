import ArgumentParser
import DBus
import PlayerdInterfaces

/// `mpris-playerd queue clear`.
struct QueueClearCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Stop playback and empty the queue.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.control.call(ControlInterface.clear)
    return "the queue is empty"
  }
}
