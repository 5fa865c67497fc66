/// Announces files to the source of loudness, requests their gains, and applies the gains and the silence that it reports.
extension PlaybackMachine {
  /// Announces the upcoming files if they have changed, and none in low power mode.
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

  /// Requests the gain and the silence of a file that is opened.
  ///
  /// The source answers once with the gain, which does not change later.
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

  /// Notes that a stream is silent from a media time to its end.
  ///
  /// This is ignored if the next item could not begin there even if it was opened now.
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
