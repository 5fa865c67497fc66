import Playback
import PlayerdInterfaces

/// Checks the audio output, with the texts of `status`.
enum OutputCheck {
  /// Checks the output of the running daemon; without one, the output that this configuration selects.
  static func findings(
    _ configuration: Configuration, _ media: any MediaFramework, running status: PlayerStatus?
  ) async -> [Finding] {
    var fault: Finding?
    if !configuration.audioSink.isEmpty {
      do throws(PlayerError) {
        try await media.checkAudioSink(configuration.audioSink)
      } catch {
        fault = .error(error.message, "correct the key audio-sink")
        fault?.names = [error.message]
      }
    }
    if let status {
      let isStandard = status.outputStatus == .selected && status.output.isEmpty && status.configuredOutput == nil
      let standard = isStandard ? await media.audioOutputs().first(where: \.isDefault)?.name : nil
      return [fault, finding(status, standard: standard)].compactMap { $0 }
    }
    var status = PlayerStatus()
    guard configuration.audioSink.isEmpty else {
      status.configuredOutput = configuration.audioSink
      return [fault ?? finding(status)]
    }
    let (outputs, device) = (await media.audioOutputs(), configuration.outputDevice)
    let standard = outputs.first(where: \.isDefault)?.name
    if outputs.isEmpty {
      status.outputStatus = .silent
    } else if !device.isEmpty {
      status.configuredOutput = device
      status.outputName = outputs.first { $0.id == device }?.name
      if status.outputName == nil { status.outputStatus = .substituted }
    }
    let text = standard.map { "; the default is \($0)" } ?? ""
    var devices = Finding.ok("\(outputs.count) output device\(outputs.count == 1 ? "" : "s")\(text)")
    devices.names = [standard].compactMap { $0 }
    return (outputs.isEmpty ? [] : [devices]) + [finding(status, standard: device.isEmpty ? standard : nil)]
  }

  /// Returns the finding for an output; `standard` is the name of the default device if the output is that device.
  private static func finding(_ status: PlayerStatus, standard: String? = nil) -> Finding {
    var finding = unnamed(status, standard)
    finding.silences = finding.level == .warning
    finding.names = [status.outputName, status.output, status.configuredOutput, standard].compactMap { $0 }
    return finding
  }

  private static func unnamed(_ status: PlayerStatus, _ standard: String?) -> Finding {
    let text = "output: \(status.outputLine)" + (standard.map { ", \($0)" } ?? "")
    switch status.outputStatus {
    case .selected: return .ok(text)
    case .substituted: return .warning(text, "connect the device, or choose one of “mpris-playerd devices”")
    case .silent: return .warning(text, "start PipeWire or PulseAudio, or set audio-sink")
    case .unavailable: return .warning(text, "see the log of the daemon; it reopens the output automatically")
    }
  }
}
