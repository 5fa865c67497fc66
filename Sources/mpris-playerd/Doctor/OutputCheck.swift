import GstPlayer

/// Where the sound would go.
enum OutputCheck {
  static func findings(_ configuration: Configuration) async -> [Finding] {
    if !configuration.audioSink.isEmpty {
      do throws(PlayerError) {
        try PlayerConfiguration.checkAudioSink(configuration.audioSink)
        return [.ok("the output is the configured “\(configuration.audioSink)”")]
      } catch {
        return [.error(error.message, "correct the key audio-sink")]
      }
    }
    let outputs = await AudioOutput.all()
    let device = configuration.audioDevice
    guard !outputs.isEmpty else {
      return [
        .warning("there is no output device; it plays silently", "start PipeWire or PulseAudio, or set audio-sink")
      ]
    }
    if !device.isEmpty, !outputs.contains(where: { $0.id == device }) {
      return [
        .warning("the output device “\(device)” is not there", "see “mpris-playerd devices”, and set audio-device")
      ]
    }
    let used = outputs.first { $0.id == device } ?? outputs.first { $0.isDefault }
    return [.ok("\(outputs.count) output devices; in use: \(used?.name ?? "the sound system's choice")")]
  }
}
