/// The choice among the audio tracks of an item.
extension PlaybackMachine {
  /// The pipeline has found out what there is to be heard in a stream, or more of it.
  mutating func audioTracksFound(_ stream: StreamToken, _ tracks: [MediaDescription.AudioTrack], current track: Int) {
    let found = AudioSelection(tracks: tracks, current: track)
    guard stream == token else { return loaded.handOver.update(stream) { $0.audio = found } }
    // A choice made meanwhile is being followed.
    let kept = found.keeping(current.audio.chosen)
    guard kept != current.audio else { return }
    current.audio = kept
    // What is being opened is told of when that is done.
    if phase.isReady { emit(.changed) }
  }

  /// Sets the languages for what is opened from now on.
  mutating func setAudioLanguages(_ languages: [String]) {
    change { $0.audioLanguages = languages }
  }

  /// Plays another audio track of the current item, from the same place on.
  mutating func selectAudioTrack(_ index: Int, now: MonotonicTime) {
    guard current.audio.tracks.indices.contains(index), index != current.audio.current else { return }
    // What flows on while it is switched would be stuck in two tracks at once.
    guard !phase.isReady || current.isSeekable || isBroadcast else { return }
    endFall(now: now)
    current.audio.current = index
    current.audio.chosen = index
    if phase.isReady {
      switchAudioTrack(to: index, now: now)
    } else if phase.isLoading {
      loadAgain(at: position(at: now), now: now)
    }
    emit(.changed)
  }

  private mutating func switchAudioTrack(to index: Int, now: MonotonicTime) {
    let held = position(at: now)
    guard current.isSeekable else { return reconnect(now: now) }
    guard loaded.handOver.isEmpty, loaded.sourceFailure == nil else { return loadCurrent(at: held, now: now) }
    perform(.selectAudioTrack(index, of: token))
    // The output and what leads to it hold some of the track before; at its end an item has nothing left.
    if loaded.run != .ended { seekAgain(to: held, isSilent: intent != .playing, now: now) }
  }
}
