import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct ShuffleCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Turn random order on or off.",
    discussion: "Without an argument, the command toggles.")

  @Argument(help: "on, off or toggle.")
  var change = SwitchArgument.toggle

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let isOn = change.value(from: try await instance.status().isShuffled)
    try await instance.player.set(PlayerInterface.shuffle, to: .boolean(isOn))
    return "shuffle \(isOn ? "on" : "off")"
  }
}

/// `on`, `off` or `toggle`.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable {
  case on, off, toggle

  func value(from present: Bool) -> Bool {
    switch self {
    case .on: true
    case .off: false
    case .toggle: !present
    }
  }
}
