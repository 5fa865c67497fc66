import ArgumentParser
import PlayerdService
import PlayerdSystem

/// The command line; each family of subcommands has a file.
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mpris-playerd",
    abstract: "mpris-playerd ITEM… plays files, folders, playlists and URLs.",
    usage: """
      mpris-playerd [<option> ...] [<item> ...]
      mpris-playerd <command> [<argument> ...]
      """,
    discussion: """
        mpris-playerd album/                  play a folder
        mpris-playerd toggle                  pause or resume
        mpris-playerd next                    play the next track
        mpris-playerd seek +30                seek 30 seconds forward
        mpris-playerd volume 50               set the volume to 50 percent
        mpris-playerd add song.flac           append a file to the queue
        mpris-playerd queue                   list the queue
        mpris-playerd watch                   show playback live, with keys
        mpris-playerd quit                    end the player

      Without arguments, it continues the last session, or prints the state of the running player. Media keys, playerctl \
      and the widgets of GNOME, KDE and Xfce control it over D-Bus (MPRIS2). “mpris-playerd play --help” describes the \
      options for items.
      """,
    version: Names.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Playback",
        subcommands: [
          PlayCommand.self, PauseCommand.self, ToggleCommand.self, StopCommand.self, NextCommand.self,
          PreviousCommand.self, SeekCommand.self, LiveCommand.self, ChapterCommand.self, RepeatCommand.self,
          StopAfterCommand.self, SleepCommand.self,
        ]),
      CommandGroup(
        name: "Sound",
        subcommands: [
          VolumeCommand.self, MuteCommand.self, UnmuteCommand.self, SpeedCommand.self, CrossfadeCommand.self,
          DevicesCommand.self,
          OutputCommand.self,
        ]),
      CommandGroup(
        name: "Queue",
        subcommands: [
          OpenCommand.self, QueueListCommand.self, QueueFindCommand.self, QueueAddCommand.self, QueueJumpCommand.self,
          QueueMoveCommand.self, QueueRemoveCommand.self, QueueClearCommand.self, QueueCommand.self,
          ShuffleCommand.self,
          LoopCommand.self, ConsumeCommand.self, UndoCommand.self, RedoCommand.self, SaveCommand.self,
          PlaylistCommand.self, PlacesCommand.self,
        ]),
      CommandGroup(
        name: "Information",
        subcommands: [
          StatusCommand.self, WatchCommand.self, LyricsCommand.self, ConfigCommand.self, DoctorCommand.self,
          ReportCommand.self,
        ]),
      CommandGroup(name: "Daemon", subcommands: [ReloadCommand.self, QuitCommand.self]),
    ],
    defaultSubcommand: OpenCommand.self)
}

extension RootCommand {
  /// The names of all commands, with their aliases.
  static let commandNames: [String] = configuration.subcommands.flatMap { $0.configuration.names }
}
