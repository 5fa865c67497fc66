import ArgumentParser
import DBus
import PlayerdInterfaces

/// `mpris-playerd queue jump NUMBER`.
struct QueueJumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "jump", abstract: "Play a track of the queue.")

  @Argument(help: ArgumentHelp("The number of the track.", valueName: "number"))
  var number: Int64

  @OptionGroup var options: VerbOptions

  func run() async throws {
    try await options.transport(continuesSession: true) { instance, status in
      try instance.check(number, isWithin: status.queueCount)
      try await instance.control.call(ControlInterface.playTrack, UInt32(clamping: number - 1))
    }
  }
}
