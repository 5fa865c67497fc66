import ArgumentParser
import DBus
import Logging
import MPRISService
import Playback
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

struct MuteCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Mute or unmute the sound; the volume is kept.",
    discussion: "Without an argument, the command toggles.")

  @Argument(help: "on, off or toggle.")
  var change = SwitchArgument.toggle

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let isMuted = change.value(from: try await instance.status().isMuted)
    try await instance.control.call(ControlInterface.setMuted, isMuted)
    return try await instance.status().volumeText
  }
}

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

struct CrossfadeCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossfade", abstract: "Show or set the crossfade between tracks, in seconds.",
    discussion: """
      “crossfade 6” lets the end of a track and the start of the next one overlap for 6 seconds, and “crossfade off” ends \
      that. Tracks of one album still follow without a gap. The setting lasts until the daemon ends; the \
      configuration keys crossfade and crossfade-on-skip set it for each start.
      """)

  @Argument(
    help: ArgumentHelp("The seconds, 0 to 15, or off.", valueName: "seconds"),
    transform: { try Self.length($0, atMost: ExtrasRules.longestCrossfade) })
  var length: Duration?

  @Option(
    help: ArgumentHelp("The seconds, 0 to 5, or off, when a command selects another track.", valueName: "seconds"),
    transform: { try Self.length($0, atMost: ExtrasRules.longestCrossfadeOnSkip) })
  var onSkip: Duration?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let length { try await instance.extras.set(ExtrasInterface.crossfade, to: length.microseconds) }
    if let onSkip { try await instance.extras.set(ExtrasInterface.crossfadeOnSkip, to: onSkip.microseconds) }
    return try await instance.status().crossfadeText
  }

  private static func length(_ argument: String, atMost limit: Duration) throws -> Duration {
    if argument == "off" { return .zero }
    let digits = argument.hasSuffix("s") ? String(argument.dropLast()) : argument
    guard let length = TimeArgument(argument: digits)?.duration, length <= limit else {
      throw ValidationError(
        "“\(argument)” is neither off nor a number of seconds from 0 to \(Int(limit / .seconds(1)))")
    }
    return length
  }
}

/// `mpris-playerd devices`: the output devices.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the output devices.",
    discussion: """
      Each line has an ID, for the configuration key audio-device, and a name; an asterisk marks the default device. \
      The exit status is 69 if no device is found.
      """)

  @OptionGroup(visibility: .private) var target: InstanceOption

  func validate() throws { try target.rejectInstance() }

  func run() async throws {
    let outputs = try await ProcessFramework((try? ConfigurationOptions.load(file: nil))?.configuration).audioOutputs()
    guard !outputs.isEmpty else {
      Logger(label: Names.executable).error("no output device found; start PipeWire or PulseAudio")
      throw ExitStatus.unavailable
    }
    let lines = outputs.map {
      "\($0.isDefault ? "*" : " ") \($0.id.withoutControls)\t\($0.name.withoutControls)\n"
    }
    _ = StandardOutput.write(lines.joined())
  }
}

struct OutputCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "output", abstract: "Show or select the output device.",
    discussion: "“mpris-playerd devices” lists the IDs; “output default” returns to the configured output.")

  @Argument(
    help: ArgumentHelp("The ID of the device, or default.", valueName: "id"), completion: NameCompletion.devices)
  var id: String?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let id { try await select(id == "default" ? "" : id, of: instance) }
    return try await instance.status().outputLine
  }

  /// Selects the device with this ID; an empty one is the configured output.
  ///
  /// - Throws: Exit status 1 for a device that does not exist; the reason and the list of devices have been logged.
  private func select(_ id: String, of instance: RunningInstance) async throws {
    do throws(DBusError) {
      try await instance.extras.call(ExtrasInterface.setAudioOutput, id)
    } catch {
      guard case .invalidArguments("") = error else { throw error }
      let outputs = try await instance.extras.get(ExtrasInterface.audioOutputs)
      let list = outputs.isEmpty ? "no device was found" : "the devices are:"
      instance.log.error("\(error.message); \(list)")
      for output in outputs { _ = StandardError.write("  \(output.id)  \(output.name)".withoutControls + "\n") }
      throw ExitStatus.failure
    }
  }
}
