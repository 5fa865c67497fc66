import ArgumentParser
import DBus
import MPRISService
import Playback
import PlayerMPRIS
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

struct ShuffleCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Turn random order on or off, of tracks or of albums.",
    discussion: """
      Without an argument, the command toggles. With “albums”, each album plays from its first track to its last one, and the \
      albums follow each other in random order, after the current one. An album is the tracks in one folder with the same album \
      and album artist. If reading the tags takes more than two seconds, and for tracks that are added later, all tracks in one \
      folder are an album.
      """,
    aliases: ["random"])

  @Argument(help: "on, albums, off or toggle.")
  var change = ShuffleArgument.toggle

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let mode = change.mode(from: try await instance.status().isShuffled)
    try await instance.control.call(ControlInterface.setShuffleMode, mode.rawValue)
    return "shuffle \(PlayerStatus.word(forShuffle: mode.rawValue))"
  }
}

/// `on`, `albums`, `off` or `toggle`, in any case.
enum ShuffleArgument: String, ExpressibleByArgument, CaseIterable {
  case on, albums, off, toggle

  init?(argument: String) { self.init(rawValue: argument.lowercased()) }

  func mode(from isShuffled: Bool) -> Player.ShuffleMode {
    switch self {
    case .on: .tracks
    case .albums: .albums
    case .off: .off
    case .toggle: isShuffled ? .off : .tracks
    }
  }
}

/// `on`, `off` or `toggle`, in any case.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable {
  case on, off, toggle

  init?(argument: String) { self.init(rawValue: argument.lowercased()) }

  func value(from present: Bool) -> Bool {
    switch self {
    case .on: true
    case .off: false
    case .toggle: !present
    }
  }
}

struct LoopCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop", abstract: "Show or set the loop mode.",
    discussion: "“none” stops at the end of the queue, “track” repeats the track, “playlist” repeats the queue.")

  @Argument(help: "none, track or playlist.")
  var mode: LoopArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let mode = mode?.mode {
      try await instance.player.set(PlayerInterface.loop, to: .string(MPRISLoopStatus(mode).rawValue))
    }
    return "loop \(try await instance.status().loop.lowercased())"
  }
}

struct ConsumeCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "consume", abstract: "Remove each track from the queue when it was played, or keep it.",
    discussion: """
      A track leaves the queue when it has ended, or when playback goes on to a later one, such as by “next”. Tracks that fail, \
      and one that repeats, stay. “undo” returns the last track. Without an argument, the command prints the setting, which lasts \
      until the daemon ends; the configuration key consume sets it for each start.
      """)

  @Argument(help: "on, off or toggle.")
  var change: SwitchArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let change {
      let isOn = change.value(from: try await instance.status().isConsuming)
      try await instance.extras.set(ExtrasInterface.consume, to: isOn)
    }
    return try await instance.status().isConsuming ? "consume on" : "consume off"
  }
}

struct UndoCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Reverse the last edit of the queue; several in a row, the earlier ones.",
    discussion: """
      An edit is a command or a request of a client that adds, removes or moves tracks, replaces or clears the queue, or turns \
      random order on or off. Playback continues if the current track stays in the queue; otherwise the earlier track continues at \
      its position. The last 100 edits are kept as long as the daemon runs; “redo” repeats the last one that was reversed.
      """)

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.reverse(ControlInterface.undo, "undone") + "; \(try await instance.transportLine())"
  }
}

struct RedoCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Repeat the edit of the queue that “undo” has reversed.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.reverse(ControlInterface.redo, "redone") + "; \(try await instance.transportLine())"
  }
}
