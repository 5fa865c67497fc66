import ArgumentParser
import DBus
import MPRISService

struct SpeedCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Show or set the speed, 0.25 to 4.")

  @Argument(help: ArgumentHelp("The speed; 1 is normal.", valueName: "rate"))
  var rate: Double?

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if let rate, !(0.25...4).contains(rate) { throw ValidationError("the speed \(rate) is not between 0.25 and 4") }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    if let rate { try await instance.player.set(PlayerInterface.rate, to: .double(rate)) }
    return try await instance.status().speedText
  }
}
