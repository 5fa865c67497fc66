import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces

struct RepeatCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat-ab", abstract: "Repeat a part of the current track.",
    discussion: """
      “repeat-ab 1:30 2:00” repeats this part until the track changes; “repeat-ab off” cancels it. \
      Without an argument, the command prints the repeated part.
      """)

  @Argument(help: ArgumentHelp("The start of the part: 90, 1:30 or 1:02:03; or off.", valueName: "start"))
  var start: String?

  @Argument(help: ArgumentHelp("The end of the part.", valueName: "end"))
  var end: TimeArgument?

  @OptionGroup var options: VerbOptions

  func validate() throws {
    guard let start else { return }
    if start == "off", end == nil { return }
    guard let first = TimeArgument(argument: start), let end else {
      throw ValidationError("give a start and an end, such as 1:30 and 2:00, or off")
    }
    guard end.duration > first.duration else { throw ValidationError("the end of the part is not after its start") }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    if let start = start.flatMap({ TimeArgument(argument: $0) }), let end {
      try await instance.extras.call(
        ExtrasInterface.setABRepeat, start.duration.microseconds, end.duration.microseconds)
    } else if start != nil {
      try await instance.extras.call(ExtrasInterface.clearABRepeat)
    }
    return try await instance.status().repeatLine ?? "no part is repeated"
  }
}
