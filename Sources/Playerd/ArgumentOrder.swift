import ArgumentParser

/// Brings the arguments of a command line into an order that the parser accepts.
enum ArgumentOrder {
  /// The options that take a value as the next argument.
  static let valueOptions: Set<String> = [
    "--at", "--audio-sink", "--config", "--every", "--exec", "--find", "--format", "--instance", "--log-level",
    "--loop",
    "--on-skip", "--rate", "--speed", "--start", "--verify", "--volume",
  ]

  /// The commands with a number, which may have a sign, or is rejected for it.
  private static let signed: [any ParsableCommand.Type] = [
    SeekCommand.self, VolumeCommand.self, SpeedCommand.self, SleepCommand.self, CrossfadeCommand.self,
    PlayCommand.self, NextCommand.self, PreviousCommand.self, ChapterCommand.self, RepeatCommand.self,
    StopAfterCommand.self, QueueJumpCommand.self, QueueMoveCommand.self, QueueRemoveCommand.self,
  ]

  /// Moves options before a command behind it, and the dash of `-10` after `seek`, `volume` and others becomes a minus sign.
  ///
  /// The parser rejects an option of a command before its name, and takes an argument with a leading dash as an option.
  /// Arguments without a command and arguments after `--` stay as they are.
  static func ordered(_ arguments: [String]) -> [String] {
    // The shell completion passes the words of another command line.
    guard arguments.first?.hasPrefix("---") != true else { return arguments }
    let (command, names, options, rest) = parts(of: arguments)
    guard !names.isEmpty else { return arguments }
    let others = options + rest
    return names + (signed.contains { $0 == command } ? others.map(SignedArgument.withMinus) : others)
  }

  /// Returns the command of a command line, its names as they were typed, the options before and between them, and the rest.
  static func parts(
    of arguments: [String]
  ) -> (command: any ParsableCommand.Type, names: [String], options: [String], rest: [String]) {
    var command: any ParsableCommand.Type = RootCommand.self
    var (names, options): ([String], [String]) = ([], [])
    var rest = arguments[...]
    while let argument = rest.first, argument != "--" {
      if argument.hasPrefix("-"), argument != "-" {
        let count = valueOptions.contains(argument) ? 2 : 1
        options += rest.prefix(count)
        rest = rest.dropFirst(count)
      } else if let next = command.configuration.subcommands.first(where: { $0.configuration.names.contains(argument) })
      {
        command = next
        names.append(argument)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return (command, names, options, Array(rest))
  }
}

extension CommandConfiguration {
  /// The name of the command and its aliases.
  var names: [String] { (commandName.map { [$0] } ?? []) + aliases }
}
