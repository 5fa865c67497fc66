import ArgumentParser
import DBus
import Logging
import MPRISService
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdSystem
import TextCoding

struct VolumeCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Show or set the volume, in percent.",
    discussion: """
      “volume 50” sets it; “volume +5” and “volume -5” change it. The highest volume is 100, or that of the configuration key \
      volume-max; a higher one is refused.
      """, aliases: ["vol"])

  @Argument(
    help: ArgumentHelp("The volume in percent, or the change with + or -.", valueName: "[+|-]percent"),
    transform: VolumeArgument.init(parsing:))
  var change: VolumeArgument?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    guard let change else { return try await instance.status().volumeText }
    let wanted = change.volume(from: try await instance.status().volume)
    // A slip such as 500 would be loud.
    if change.sign == nil, wanted > 1 {
      let most = try await Self.maximum(of: instance)
      guard wanted <= most / 100 else {
        instance.log.error("the volume \(change.text) is above volume-max, which is \(most.plainText)")
        throw ExitStatus.usage
      }
    }
    try await instance.player.set(PlayerInterface.volume, to: .double(wanted))
    let status = try await instance.status()
    return status.volumeText + (wanted > status.volume + 0.005 ? "; volume-max allows no more" : "")
  }

  /// Returns the highest volume that an instance allows, in percent.
  private static func maximum(of instance: RunningInstance) async throws -> Double {
    let text = try await instance.control.call(ControlInterface.getConfiguration)
    return text.firstMatch(of: #/(?m)^volume-max = ([0-9.]+)/#).flatMap { Double($0.1) } ?? 100
  }
}

/// A volume in percent, or a change of it with a sign.
struct VolumeArgument: Equatable {
  /// The volume, or the amount of the change.
  let volume: VolumePercent
  /// 1 or -1 for a change.
  let sign: Int?

  /// Accepts `50`, `50%`, `+5` and `-5`, and the sign behind the number, as in playerctl: `5+`.
  init(parsing argument: String) throws {
    let change = SignedArgument(argument)
    guard let volume = VolumePercent(change.magnitude.replacing(",", with: ".")) else {
      throw ValidationError("the volume “\(change.text)” is not a number of percent, such as 50, +5 or -5")
    }
    (self.volume, sign) = (volume, change.sign)
    guard !volume.isFraction else {
      throw ValidationError("the volume “\(change.text)” is a fraction; write \(text), because volumes are in percent")
    }
    if argument.contains(",") { throw ValidationError("the volume “\(change.text)” has a comma; write \(text)") }
  }

  /// The number with its sign.
  var text: String { SignedArgument(sign: sign, magnitude: volume.text).text }

  /// Returns the new MPRIS volume, from the present one.
  func volume(from present: Double) -> Double {
    guard let sign else { return volume.level }
    return max(0, ((present * 100).rounded() + Double(sign) * volume.percent) / 100)
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

struct UnmuteCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Unmute the sound: the same as “mute off”.")

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    try await instance.control.call(ControlInterface.setMuted, false)
    return try await instance.status().volumeText
  }
}

struct SpeedCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Show or set the speed, 0.25 to 4.",
    discussion: "“speed 1.25” sets it; “speed +0.1” and “speed -0.1” change it.")

  @Argument(
    help: ArgumentHelp("The speed, such as 1.25; 1 is normal. Or the change, such as +0.1.", valueName: "[+|-]rate"),
    transform: { try SpeedArgument(parsing: $0) })
  var change: SpeedArgument?

  @OptionGroup var options: VerbOptions

  func validate() throws {
    if let change, change.sign == nil { try Self.check(change.rate) }
  }

  func perform(on instance: RunningInstance) async throws -> String {
    guard let change else { return try await instance.status().speedText }
    let rate = change.rate(from: try await instance.status().rate)
    guard SpeedArgument.range.contains(rate) else { throw instance.failure(Self.objection(to: rate)) }
    try await instance.player.set(PlayerInterface.rate, to: .double(rate))
    return try await instance.status().speedText
  }

  private static func check(_ rate: Double) throws {
    if !SpeedArgument.range.contains(rate) { throw ValidationError(objection(to: rate)) }
  }

  private static func objection(to rate: Double) -> String {
    "the speed \(PlayerStatus.text(ofRate: rate)) is not between 0.25 and 4"
  }
}

/// A speed, such as `1.5` or `1.5x`, or a change of it with a sign.
struct SpeedArgument: ExplainedArgument, Equatable {
  static let range = 0.25...4.0

  let rate: Double
  /// 1 or -1 for a change.
  let sign: Int?

  init?(argument: String) {
    let change = SignedArgument(argument)
    let isFactor = change.magnitude.hasSuffix("x") || change.magnitude.hasSuffix("×")
    let number = isFactor ? change.magnitude.dropLast() : Substring(change.magnitude)
    guard number.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let rate = Double(number),
      rate.isFinite
    else { return nil }
    (self.rate, sign) = (rate, change.sign)
  }

  static func objection(to argument: String) -> String {
    let change = SignedArgument(argument)
    let number = change.magnitude.replacing(",", with: ".")
    if let speed = SpeedArgument(argument: number) ?? percentage(number) {
      return "write \(SpeedArgument(rate: speed.rate, sign: change.sign).text)"
    }
    return "a speed is a number from 0.25 to 4, such as 1.25, or a change such as +0.1"
  }

  private static func percentage(_ text: String) -> SpeedArgument? {
    guard text.hasSuffix("%"), let percent = SpeedArgument(argument: String(text.dropLast())) else { return nil }
    return SpeedArgument(rate: percent.rate / 100, sign: nil)
  }

  private init(rate: Double, sign: Int?) { (self.rate, self.sign) = (rate, sign) }

  /// The number with its sign.
  var text: String { SignedArgument(sign: sign, magnitude: PlayerStatus.text(ofRate: rate)).text }

  /// Returns the new speed, from the present one.
  func rate(from present: Double) -> Double {
    // Without the error of binary fractions: 1.1 + 0.1 is 1.2.
    sign.map { ((present + Double($0) * rate) * 1e6).rounded() / 1e6 } ?? rate
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
    help: ArgumentHelp("The seconds, 0 to 15, or off; or the change with + or -.", valueName: "[+|-]seconds"),
    transform: { try Length(parsing: $0) })
  var length: Length?

  @Option(
    help: ArgumentHelp("The seconds, 0 to 5, or off, when a command selects another track.", valueName: "seconds"),
    transform: { try Length.absolute($0, atMost: ExtrasRules.longestCrossfadeOnSkip) })
  var onSkip: Duration?

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    if let length {
      let present = Duration.microseconds(try await instance.status().crossfade ?? 0)
      try await instance.extras.set(ExtrasInterface.crossfade, to: length.value(from: present).microseconds)
    }
    if let onSkip { try await instance.extras.set(ExtrasInterface.crossfadeOnSkip, to: onSkip.microseconds) }
    return try await instance.status().crossfadeText
  }

  /// A length, or a change of it with a sign.
  struct Length {
    let length: Duration
    /// 1 or -1 for a change.
    let sign: Int?

    init(parsing argument: String) throws {
      let change = SignedArgument(argument)
      length = try Self.absolute(change.magnitude, atMost: ExtrasRules.longestCrossfade)
      sign = change.sign
    }

    /// Returns the new length, from the present one; a change does not exceed the limits.
    func value(from present: Duration) -> Duration {
      sign.map { min(max(.zero, present + length * $0), ExtrasRules.longestCrossfade) } ?? length
    }

    static func absolute(_ argument: String, atMost limit: Duration) throws -> Duration {
      if argument == "off" { return .zero }
      // Not even a minute is possible, so 1.30 is seconds.
      guard let length = (TimeArgument(argument: argument) ?? TimeArgument(argument: argument + "s"))?.duration,
        length <= limit
      else {
        throw ValidationError(
          "“\(argument)” is neither off nor a number of seconds from 0 to \(Int(limit / .seconds(1)))")
      }
      return length
    }
  }
}
