import ArgumentParser
import DBus
import PlayerdInterfaces

struct UndoCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Restore the queue from before it was replaced or cleared.",
    discussion: """
      The track, its position, the order and the speed are restored, too. It undoes the last command or request of a \
      client that replaced or cleared the queue, or played another item at once. A second “undo” reverses the first. \
      The earlier queue is kept as long as the daemon runs.
      """)

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.control.call(ControlInterface.undo)
    return try await instance.transportLine()
  }
}
