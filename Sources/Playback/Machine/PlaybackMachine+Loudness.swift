/// The request to measure the loudness of upcoming files.
extension PlaybackMachine {
  /// Requests the measurement of the upcoming files, if they have changed; in low power mode, of none.
  mutating func requestLoudness() {
    guard let setting = configuration.replayGain, setting.measurement != nil else { return }
    let basis = LoudnessRequest.Basis(
      isPlaying: intent == .playing && !settings.isLowPowerModeEnabled, revision: queue.revision,
      current: queue.current?.id, loop: queue.loop)
    guard basis != measured.basis else { return }
    let groups = basis.isPlaying ? LoudnessRequest.groups(of: queue, mode: setting.mode) : []
    let isChanged = groups != measured.groups
    measured = LoudnessRequest(basis: basis, groups: groups)
    if isChanged { perform(.measureLoudness(of: groups)) }
  }
}
