import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdSystem

/// Checks for the usual causes of silence, in the player and at the sound server.
struct SilenceCheck {
  /// The lowest volume that is audible in a quiet room; the scale is cubic.
  private static let lowestVolume = 0.05

  /// The state of the running daemon; nil without one.
  var status: PlayerStatus?
  /// The configuration for the next start.
  var configuration: Configuration
  /// The sound server; nil if it is unknown.
  var server: SoundServer?

  var findings: [Finding] { playerFindings + serverFindings }

  private var playerFindings: [Finding] {
    guard let status else {
      return configuration.volume < Self.lowestVolume
        ? [
          .silence(
            "the configured volume is \(term: PlayerStatus.percent(ofVolume: configuration.volume))",
            "set volume to 100")
        ]
        : []
    }
    var findings: [Finding] = []
    if status.isMuted { findings.append(.silence("the player is muted", "unmute it with “mpris-playerd unmute”")) }
    if status.volume < Self.lowestVolume {
      let volume = PlayerStatus.percent(ofVolume: status.volume)
      findings.append(
        .silence("the volume of the player is \(term: volume)", "raise it with “mpris-playerd volume 50”"))
    }
    return findings
  }

  // MARK: The sound server

  /// The configured or selected output of the daemon, or of the next start; empty for the default one.
  private var output: String {
    guard let status else { return configuration.audioSink + configuration.outputDevice }
    return status.output.isEmpty ? status.configuredOutput ?? "" : status.output
  }

  private var serverFindings: [Finding] {
    if output.hasPrefix("fakesink") {
      return [.silence("the output is fakesink, which plays nothing", "clear audio-sink in the configuration")]
    }
    guard let server else { return [] }
    let found = status?.engineProcessID.flatMap { server.stream(of: Int32(truncatingIfNeeded: $0)) }
    // A sink in the configuration may bypass the server.
    guard let device = found?.device ?? server.device(output) else { return [] }
    return (found.map { streamFindings($0.stream, $0.device, server) } ?? absenceFindings) + deviceFindings(device)
  }

  private var absenceFindings: [Finding] {
    guard status?.timeControlStatus == "playing" else { return [] }
    return [.silence("the sound server has no stream of the player", "restart the player; see its log")]
  }

  private func streamFindings(
    _ stream: SoundServer.Stream, _ device: SoundServer.Device, _ server: SoundServer
  ) -> [Finding] {
    var findings = [Finding.ok("the sound server plays the stream on \(device.description)")]
    // The player mutes its stream, and sets its volume.
    if stream.mute, status?.isMuted != true {
      findings.append(.silence("the sound server mutes the stream", "unmute it in a mixer"))
    }
    if stream.volume.isZero, (status?.volume ?? 1) >= Self.lowestVolume {
      findings.append(.silence("the volume of the stream at the sound server is 0 %", "raise it in a mixer"))
    }
    if device.state == "SUSPENDED", stream.corked != true {
      let remedy: FindingText = "resume it with pactl suspend-sink \(device.name ?? "") 0; another program may use it"
      findings.append(.silence("\(device.description) is suspended", remedy))
    }
    if output.isEmpty, let standard = server.device(""), standard.index != device.index {
      findings.append(
        .silence(
          "the stream is on \(device.description), but the default device is \(standard.description)",
          "move the stream in a mixer, or choose a device with “mpris-playerd output”"))
    }
    return findings
  }

  private func deviceFindings(_ device: SoundServer.Device) -> [Finding] {
    var findings: [Finding] = []
    if device.name == "auto_null" {
      let remedy: FindingText = "connect a device, or select the profile of the sound card in a mixer"
      findings.append(.silence("the sound server has no device but a dummy, which plays nothing", remedy))
    }
    let name = device.name ?? ""
    if device.mute {
      findings.append(
        .silence("\(device.description) is muted", "unmute it in a mixer, or with pactl set-sink-mute \(name) 0"))
    }
    if device.volume.isZero {
      let remedy: FindingText = "raise it in a mixer, or with pactl set-sink-volume \(name) 50%"
      findings.append(.silence("the volume of \(device.description) is 0 %", remedy))
    }
    return findings
  }
}

extension Finding {
  /// Returns the last line of `doctor`: the causes of silence, or the number of faults.
  static func verdict(_ findings: [Finding], _ status: PlayerStatus?) -> Finding {
    let faults: [(Finding.Level, String)] = [(.error, "error"), (.warning, "warning")]
    let counts = faults.compactMap { level, noun in
      let count = findings.count { $0.level == level }
      return count == 0 ? nil : counted(count, noun)
    }
    let causes = findings.filter(\.silences)
    let rest = counts.isEmpty ? "no fault found" : counts.joined(separator: ", ")
    let state = status.flatMap { (status) -> FindingText? in
      status.status == "Playing" ? nil : "the player is \(term: status.stateWord)"
    }
    let reasons = FindingText.joined(causes.map(\.what), by: ", and ")
    let silence: FindingText? = causes.isEmpty ? nil : "no sound is audible, because \(reasons)"
    return Finding(level: .verdict, what: .joined([silence, "\(term: rest)", state], by: "; "))
  }
}
