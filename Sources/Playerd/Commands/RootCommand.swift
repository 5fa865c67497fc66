import ArgumentParser

/// The command line; each family of subcommands has a file.
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mpris-playerd",
    abstract: "A music player without a window, controlled over D-Bus (MPRIS2).",
    discussion: """
      Media keys, playerctl and the widgets of GNOME, KDE and Xfce control it.
      “mpris-playerd album/” is short for “mpris-playerd play album/”; “mpris-playerd play --help” shows the options.
      """,
    version: "0.2.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Playback",
        subcommands: [
          PlayCommand.self, PauseCommand.self, ToggleCommand.self, StopCommand.self, NextCommand.self,
          PreviousCommand.self, SeekCommand.self, ChapterCommand.self, RepeatCommand.self, StopAfterCommand.self,
          SleepCommand.self,
        ]),
      CommandGroup(
        name: "Sound",
        subcommands: [
          VolumeCommand.self, MuteCommand.self, SpeedCommand.self, CrossfadeCommand.self, DevicesCommand.self,
          OutputCommand.self,
        ]),
      CommandGroup(
        name: "Queue",
        subcommands: [
          OpenCommand.self, QueueCommand.self, PlaylistCommand.self, ShuffleCommand.self, LoopCommand.self,
          SaveCommand.self, UndoCommand.self,
        ]),
      CommandGroup(
        name: "Information",
        subcommands: [
          StatusCommand.self, WatchCommand.self, ConfigCommand.self, DoctorCommand.self, ReportCommand.self,
        ]),
      CommandGroup(name: "Daemon", subcommands: [ReloadCommand.self, QuitCommand.self]),
    ],
    defaultSubcommand: OpenCommand.self)
}

extension RootCommand {
  /// The version of the program.
  static var version: String { configuration.version }

  /// The names of all commands.
  static let commandNames: [String] = configuration.subcommands.compactMap { $0.configuration.commandName }
}
