import CGst
import Dispatch
import EngineProcess
import Playback

/// Detects that the device in use is removed, or that a mixer changes the volume.
extension Pipeline {
  /// The time from a change of the output to its reading.
  ///
  /// A start and a mixer cause a dozen changes within it, and each reading waits for the server three times.
  private static let readingDelay = Duration.milliseconds(50)

  /// Reads the volume and the device of the output soon.
  func outputChanged() {
    guard !isOutputChanged else { return }
    isOutputChanged = true
    outputTimer.set(.now + Self.readingDelay) { [weak self] in self?.assumeIsolated { $0.readOutput() } }
  }

  private func readOutput() {
    isOutputChanged = false
    outputTimer.set(nil) {}
    guard let playbin = unsafe playbin else { return }
    unsafe readSound(playbin)
    followOutput()
  }

  /// Records the device in use, and starts to observe the sound server.
  private func followOutput() {
    guard crossfade.isLoaded,
      let device = unsafe context.withPulseSink({ unsafe GLib.text($0, "current-device") }) ?? nil
    else { return }
    // An output reports no device while it is connecting or after it has disconnected.
    if !device.isEmpty {
      outputInUse.recordDevice(on: device, now: .now)
      report(.outputInUse(stream, device))
    }
    guard outputWatch == nil else { return }
    outputWatch = SoundServerWatch { [weak self] event in self?.enqueue { $0.serverReported(event) } }
  }

  private func serverReported(_ event: SoundServerWatch.Event) {
    switch event {
    case .listed(let ids): outputsListed(ids)
    case .removed(let id): outputRemoved(id)
    case .streamChanged: outputChanged()
    case .added: break
    }
  }

  /// Ends the observation, because a lost server reports nothing; the next playback starts another one.
  func outputWasLost() {
    outputWatch = nil
    isOutputLost = replaceableOutput != nil
  }

  private func outputsListed(_ ids: [AudioOutput.ID]) {
    if let id = outputInUse.missing(among: ids, now: .now) { report(.outputRemoved(id)) }
  }

  private func outputRemoved(_ id: AudioOutput.ID) {
    if outputInUse.isInUse(id, now: .now) { report(.outputRemoved(id)) }
  }
}
