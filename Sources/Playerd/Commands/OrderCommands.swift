import ArgumentParser
import DBus
import MPRISService
import PlayerMPRIS
import PlayerdInterfaces

struct ShuffleCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Turn random order on or off.",
    discussion: "Without an argument, the command toggles.", aliases: ["random"])

  @Argument(help: "on, off or toggle.")
  var change = SwitchArgument.toggle

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let isOn = change.value(from: try await instance.status().isShuffled)
    try await instance.player.set(PlayerInterface.shuffle, to: .boolean(isOn))
    return "shuffle \(isOn ? "on" : "off")"
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
