import Playback
package import PlayerdConfiguration
package import PlayerdMedia
import PlayerdSystem
import Synchronization

/// Checks that the samples of a file reach the output unchanged.
package struct SampleCheck {
  let file: String
  let configuration: Configuration
  let comparison: SampleComparison
  /// The stream at the sound server; nil if it is unknown.
  let server: ServerStream?

  /// Plays a file with a configuration, and compares the samples.
  package static func findings(
    _ file: String, _ configuration: Configuration, _ media: any MediaFramework
  ) async -> [Finding] {
    var player = configuration.player
    if !configuration.outputDevice.isEmpty {
      let device = await media.audioOutputs().first { $0.id == configuration.outputDevice }
      guard let device else {
        let device = configuration.outputDevice
        return [.error("the output device \(device) is not connected", "connect it, or clear audio-device")]
      }
      player.audioSink = device.sinkDescription
    }
    let found = Mutex<ServerStream?>(nil)
    do throws(PlayerError) {
      let comparison = try await media.compareSamples(
        of: FileURI.absolute(from: file), player, rate: configuration.rate
      ) { processID in found.withLock { $0 = ServerStream.current(of: processID) } }
      return SampleCheck(
        file: file, configuration: configuration, comparison: comparison, server: found.withLock { $0 }
      ).findings
    } catch {
      return [.error("\(file): \(error.message)", "play a file that mpris-playerd can play, at a working output")]
    }
  }

  var findings: [Finding] {
    guard let decoded = comparison.decoded, let output = comparison.output, output.count > 0 else {
      return [.error("\(file): no samples reached the output", "play a longer file")]
    }
    guard let sink = comparison.sink else {
      return [.error("no output could be opened", "start PipeWire or PulseAudio, or set audio-sink")]
    }
    var findings = fileFindings(decoded) + playerFindings(decoded, output)
    let isServed = ["pulsesink", "pipewiresink"].contains(sink)
    if isServed, let server {
      findings += serverFindings(server, decoded.format)
    } else if findings.allSatisfy({ $0.level != .error }) {
      // The stream of a file that fails may have ended before it was found.
      findings.append(
        isServed
          ? .warning("the format of the sound server is unknown", "install pulseaudio-utils 16 or newer")
          : .warning("the format behind \(sink) is unknown", "set audio-sink to pulsesink to check it too"))
    }
    if findings.allSatisfy({ $0.level != .error }) { findings.insert(success(decoded), at: 0) }
    return findings
  }

  private func success(_ decoded: SampleComparison.Samples) -> Finding {
    let codec = comparison.codec.map { "\($0)\(comparison.isLossy ? ", lossy" : ""), " } ?? ""
    let source = comparison.fileDigest == nil ? "decoder" : "file"
    let format = "\(codec)\(text(decoded.format)), \(decoded.count) samples"
    return .ok("\(file) is unchanged at the output: \(format), MD5 of the \(source) \(decoded.digest ?? "")")
  }

  private func text(_ format: SampleComparison.Format) -> String {
    let channels = "\(format.channels) channel\(format.channels == 1 ? "" : "s")"
    return "\(format.rate) Hz, \(format.bits) bit\(format.isFloat ? " floating point" : ""), \(channels)"
  }

  // MARK: Obstacles

  private func fileFindings(_ decoded: SampleComparison.Samples) -> [Finding] {
    guard let digest = comparison.fileDigest, digest != decoded.digest else { return [] }
    return [.error("the decoded samples differ from the MD5 of \(file)", "replace the file; it is damaged")]
  }

  private func playerFindings(
    _ decoded: SampleComparison.Samples, _ output: SampleComparison.Samples
  ) -> [Finding] {
    var findings: [Finding] = []
    let volume = min(configuration.volume, configuration.maximumVolume)
    if volume != 1 {
      findings.append(.error("the volume is \(Int((volume * 100).rounded())) %", "set volume to 100"))
    }
    if configuration.rate != 1 { findings.append(.error("the speed is \(configuration.rate)", "set rate to 1")) }
    guard output.digest != decoded.digest || output.digest == nil else {
      // Nothing is measured during the comparison.
      if configuration.replayGain != .off {
        findings.append(
          .warning("ReplayGain applies measured loudness, if the file has no tags", "set replay-gain to off"))
      }
      return findings
    }
    if configuration.replayGain != .off {
      let source = "of the tags or of the measured loudness"
      findings.append(.error("ReplayGain applies the gain \(source)", "set replay-gain to off"))
    }
    guard findings.isEmpty else { return findings }
    let (before, after) = (decoded.format, output.format)
    if before.rate != after.rate || before.channels != after.channels || after.bits < before.bits
      || before.isFloat != after.isFloat
    {
      return [.error("the output accepts \(text(after)) instead of \(text(before))", "choose another output")]
    }
    return [.error("the samples change between the decoder and the output", "report this with the file")]
  }

  private func serverFindings(_ server: ServerStream, _ format: SampleComparison.Format) -> [Finding] {
    var findings: [Finding] = []
    if let volume = server.streamVolume, configuration.volume == 1 {
      findings.append(.error("the sound server plays the stream at \(volume)", "set its volume to 100 % in a mixer"))
    }
    if let volume = server.deviceVolume {
      findings.append(.error("the volume of \(server.device) is \(volume)", "set it to 100 % in a mixer"))
    }
    if server.isMuted { findings.append(.error("the sound server mutes the stream", "unmute it in a mixer")) }
    if server.rate != format.rate {
      findings.append(
        .error(
          "the sound server converts \(format.rate) Hz to \(server.rate) Hz for \(server.device)",
          !server.isPipeWire
            ? "set avoid-resampling or default-sample-rate of PulseAudio"
              + (configuration.matchRate ? "; match-rate works with PipeWire only" : "")
            : configuration.matchRate ? "choose a device with this rate" : "set match-rate to true"))
    }
    // Two channels play a single one unchanged.
    if server.channels != format.channels, (format.channels, server.channels) != (1, 2) {
      findings.append(
        .error(
          "the sound server converts \(format.channels) to \(server.channels) channels for \(server.device)",
          "choose a device with \(counted(format.channels, "channel"))"))
    }
    guard let bits = server.bits else {
      return findings + [.warning("the format \(server.encoding) of \(server.device) is unknown", "report this")]
    }
    if format.isFloat ? !server.isFloat : bits < format.bits {
      let source = "\(format.bits) bit\(format.isFloat ? " floating point" : "")"
      let mixing = server.isPipeWire && server.encoding.hasPrefix("s32") ? ", mixed in floating point" : ""
      findings.append(
        .error(
          "the sound server converts \(source) to \(server.encoding)\(mixing) for \(server.device)",
          format.isFloat || mixing.isEmpty
            ? "choose a sample format of the device with more bits in the sound server"
            : "choose an output without a sound server, such as alsasink"))
    }
    return findings
  }
}
