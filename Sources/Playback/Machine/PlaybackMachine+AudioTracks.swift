/// The choice among the audio tracks of an item.
extension PlaybackMachine {
  /// What is known of an item's audio tracks, and which of them is to be heard.
  struct AudioSelection: Equatable, Sendable {
    var tracks: [MediaDescription.AudioTrack] = []
    var current: Int?
    /// What a command has chosen; nil leaves it to the languages.
    var chosen: Int?

    /// The same with a choice that was made before; one that is not there is none.
    func keeping(_ chosen: Int?) -> AudioSelection {
      var kept = self
      kept.chosen = chosen
      if let chosen, tracks.indices.contains(chosen) { kept.current = chosen }
      return kept
    }
  }

  /// The pipeline has found out what there is to be heard in a stream, or more of it.
  mutating func audioTracksFound(_ stream: StreamToken, _ tracks: [MediaDescription.AudioTrack], current: Int) {
    var found = AudioSelection(tracks: tracks, current: current)
    guard stream == token else { return handOver.update(stream) { $0.audio = found } }
    // A choice made meanwhile is being followed.
    found = found.keeping(audio.chosen)
    guard found != audio else { return }
    audio = found
    // What is being opened is told of when that is done.
    if load == .ready { emit(.changed) }
  }

  /// Sets the languages for what is opened from now on.
  mutating func setAudioLanguages(_ languages: [String]) {
    guard languages != audioLanguages else { return }
    audioLanguages = languages
    perform(.setAudioLanguages(languages))
    emit(.changed)
  }

  /// Plays another audio track of the current item, from the same place on.
  mutating func selectAudioTrack(_ index: Int, now: MonotonicTime) {
    guard audio.tracks.indices.contains(index), index != audio.current else { return }
    // What flows on while it is switched would be stuck in two tracks at once.
    guard load != .ready || isSeekable || isBroadcast else { return }
    endFall(now: now)
    audio.current = index
    audio.chosen = index
    switch load {
    case .ready: switchAudioTrack(to: index, now: now)
    case .loading:
      let ticket = start?.ticket
      start?.ticket = nil
      loadCurrent(at: position(at: now), ticket: ticket, now: now)
    // Whatever is opened next is opened with it.
    case .none, .parked, .outputLost, .sourceLost: break
    }
    emit(.changed)
  }

  private mutating func switchAudioTrack(to index: Int, now: MonotonicTime) {
    let held = position(at: now)
    guard isSeekable else { return reconnect(now: now) }
    guard handOver == .none, sourceFailure == nil else { return loadCurrent(at: held, now: now) }
    perform(.selectAudioTrack(index, of: token))
    // The output and what leads to it hold some of the track before; at its end an item has nothing left.
    if !isAtEnd { seekAgain(to: held, isSilent: intent != .playing, now: now) }
  }
}
