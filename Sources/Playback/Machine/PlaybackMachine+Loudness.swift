/// Sends the source of loudness the files that follow and those that are opened, and applies the gains and the silence that it
/// finds.
extension PlaybackMachine {
  /// Announces the upcoming files, if they have changed; in low power mode, none.
  mutating func announceFiles() {
    guard configuration.measuresFiles else { return }
    let basis = LoudnessRequest.Basis(
      isPlaying: intent == .playing && !settings.isLowPowerModeEnabled, revision: queue.revision,
      current: queue.current?.id, loop: queue.loop)
    guard basis != measured.basis else { return }
    let groups =
      basis.isPlaying
      ? LoudnessRequest.groups(
        of: queue, mode: configuration.measuredGain?.mode ?? .track,
        findsSilence: configuration.silenceTrimming != nil) : []
    let isChanged = groups != measured.groups
    measured = LoudnessRequest(basis: basis, groups: groups)
    if isChanged { effects.append(.announceFiles(groups)) }
  }

  /// Requests the gain and the silence of a file that is opened; the gain is decided now, and does not change.
  mutating func requestLoudness(of item: Player.Item, _ stream: StreamToken) {
    guard item.isLocal, configuration.measuresFiles else { return }
    if configuration.measuredGain != nil { setGain(.awaited, of: stream) }
    effects.append(.requestLoudness(of: item.uri, for: stream, asSuccessor: stream != token))
  }

  private mutating func setGain(_ gain: MeasuredGain, of stream: StreamToken) {
    if stream == token { loaded.gain = gain } else { loaded.successors.update(stream) { $0.gain = gain } }
  }

  /// Applies a report of the source of loudness, unless its stream is closed.
  mutating func handle(_ report: LoudnessReport, now: MonotonicTime) {
    switch report {
    case .gain(let gain, let stream): if phase.isLoaded { setGain(.decided(gain), of: stream) }
    case .silence(let time, let stream): if phase.isLoaded { silenceFound(stream, from: time, now: now) }
    case .warning(let text): emit(.warning(text))
    }
  }

  /// Handles that a stream is silent from a media time to its end; ignores it if the next item cannot begin there even
  /// when it is opened at once.
  private mutating func silenceFound(_ stream: StreamToken, from time: Duration, now: MonotonicTime) {
    guard let silence = itemTime(time, of: stream), silence > .zero, let item = item(of: stream) else { return }
    if stream == token {
      let lead =
        Self.lead + Self.shortPreparation(of: follower() ?? item) + min(settings.crossfade.length, Self.shortest)
      guard position(at: now) + lead * loaded.rate < silence else { return }
    }
    changeItem(of: stream) { $0.silence = silence }
  }
}
