/// Makes the requests to the engine that follow from the state after each decision.
extension PlaybackMachine {
  /// Requests the measurement of the upcoming files, if they have changed; in low power mode, of none.
  mutating func requestLoudness() {
    let gain = configuration.replayGain.flatMap { $0.measurement == nil ? nil : $0 }
    let findsSilence = configuration.silenceTrimming != nil
    guard gain != nil || findsSilence else { return }
    let basis = LoudnessRequest.Basis(
      isPlaying: intent == .playing && !settings.isLowPowerModeEnabled, revision: queue.revision,
      current: queue.current?.id, loop: queue.loop)
    guard basis != measured.basis else { return }
    let groups =
      basis.isPlaying ? LoudnessRequest.groups(of: queue, mode: gain?.mode ?? .track, findsSilence: findsSilence) : []
    let isChanged = groups != measured.groups
    measured = LoudnessRequest(basis: basis, groups: groups)
    if isChanged { perform(.measureLoudness(of: groups)) }
  }

  /// Sends the description of the current item to the engine, if its stream or its metadata have changed.
  mutating func describeStream() {
    guard configuration.application != nil else { return }
    let stream = phase.isLoaded ? (token: token, revision: current.details.revision) : nil
    guard stream?.token != described?.token || stream?.revision != described?.revision else { return }
    described = stream
    guard stream != nil, let item = queue.current else { return }
    perform(.describeStream(StreamDescription(item, current.details.metadata)))
  }
}
