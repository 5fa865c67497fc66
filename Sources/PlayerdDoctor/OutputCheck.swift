import Playback
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdSystem

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
        fault = .error("\(error.message)", "correct the key audio-sink")
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
    let text = standard.map { (name: String) -> FindingText in "; the default is \(name)" } ?? ""
    let devices = Finding.ok("\(term: counted(outputs.count, "output device"))\(text)")
    return (outputs.isEmpty ? [] : [devices]) + [finding(status, standard: device.isEmpty ? standard : nil)]
  }

  /// Returns the finding for an output; `standard` is the name of the default device if the output is that device.
  private static func finding(_ status: PlayerStatus, standard: String? = nil) -> Finding {
    let names = [status.outputName, status.output, status.configuredOutput]
    let text: FindingText =
      "output: \(FindingText(status.outputLine, names: names))"
      + (standard.map { (name: String) -> FindingText in ", \(name)" } ?? "")
    switch status.outputStatus {
    case .selected: return .ok(text)
    case .substituted: return .silence(text, "connect the device, or choose one of “mpris-playerd devices”")
    case .silent: return .silence(text, "start PipeWire or PulseAudio, or set audio-sink")
    case .unavailable: return .silence(text, "see the log of the daemon; it reopens the output automatically")
    }
  }
}
