import ArgumentParser

struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List or edit the queue.",
    discussion: "Tracks are numbered as “queue” lists them, from 1.",
    subcommands: [
      QueueListCommand.self, QueueAddCommand.self, QueueNextCommand.self, QueueRemoveCommand.self,
      QueueMoveCommand.self, QueueJumpCommand.self, QueueClearCommand.self, SaveCommand.self,
    ],
    defaultSubcommand: QueueListCommand.self)
}
