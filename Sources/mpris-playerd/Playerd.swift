import ArgumentParser

/// The command line; each subcommand is a file of its own.
struct Playerd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mpris-playerd",
    abstract: "A player without a window, controlled over D-Bus (MPRIS2).",
    discussion: """
      Media keys, playerctl and the widgets of GNOME, KDE and Xfce control it.
      “mpris-playerd album/” is short for “mpris-playerd play album/”; “mpris-playerd play --help” shows the options.
      """,
    version: "0.1.0",
    subcommands: [
      PlayCommand.self, SaveCommand.self, WatchCommand.self, StatusCommand.self, StopAfterCommand.self,
      SleepCommand.self, RepeatCommand.self, ChapterCommand.self, DevicesCommand.self, OutputCommand.self,
      ConfigCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: PlayCommand.self)
}
