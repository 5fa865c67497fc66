import ArgumentParser
import DBus
import PlayerdInterfaces

/// `mpris-playerd queue move FROM TO`.
struct QueueMoveCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a track; playback continues.")

  @Argument(help: ArgumentHelp("The number of the track.", valueName: "from"))
  var source: Int64

  @Argument(help: ArgumentHelp("Its number after the move.", valueName: "to"))
  var target: Int64

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let count = try await instance.status().queueCount
    for number in [source, target] { try instance.check(number, isWithin: count) }
    try await instance.control.call(
      ControlInterface.moveTrack, UInt32(clamping: source - 1), UInt32(clamping: target - 1))
    let track = try await QueuePage.read(target - 1, count: 1, from: instance.control).rows.first
    return "track \(source) is now \(target): \(track?.name ?? "")"
  }
}
