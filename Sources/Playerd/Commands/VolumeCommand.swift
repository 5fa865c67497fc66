import ArgumentParser
import DBus
import MPRISService
import PlayerdInterfaces
import TextCoding

struct VolumeCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Show or set the volume, in percent.",
    discussion: "“volume 50” sets it; “volume +5” and “volume -5” change it.")

  @Argument(
    help: ArgumentHelp("The volume in percent, or the change with + or -.", valueName: "[+|-]percent"),
    transform: VolumeArgument.init(parsing:))
  var change: VolumeArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    guard let change else { return try await instance.status().volumeText }
    let wanted = change.volume(from: try await instance.status().volume)
    try await instance.player.set(PlayerInterface.volume, to: .double(wanted))
    let status = try await instance.status()
    return status.volumeText + (wanted > status.volume + 0.005 ? "; volume-max allows no more" : "")
  }
}

/// A volume in percent, or a change of it with a sign.
enum VolumeArgument: Equatable {
  case absolute(Double)
  case relative(Double)

  /// Accepts `50`, `50%`, `+5` and `-5`; a fraction such as `0.5` is rejected, because it may mean 50 %.
  init(parsing argument: String) throws {
    let change = SignedArgument(argument)
    let digits = change.magnitude.hasSuffix("%") ? String(change.magnitude.dropLast()) : change.magnitude
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let percent = Double(digits), percent <= 1000 else {
      let fraction = Double(digits).flatMap { (0...1).contains($0) ? $0 : nil }
      let hint = fraction.map { "; did you mean \(Int(($0 * 100).rounded()))?" } ?? ", such as 50, +5 or -5"
      throw ValidationError("the volume “\(argument)” is not a whole number of percent\(hint)")
    }
    self = change.sign.map { .relative(Double($0) * percent) } ?? .absolute(percent)
  }

  /// Returns the new MPRIS volume, from the present one.
  func volume(from present: Double) -> Double {
    switch self {
    case .absolute(let percent): percent / 100
    case .relative(let percent): max(0, ((present * 100).rounded() + percent) / 100)
    }
  }
}
