/// Selects one of the audio tracks of an item.
extension PlaybackMachine {
  /// Registers the audio tracks that the engine has found in a stream.
  mutating func audioTracksFound(_ stream: StreamToken, _ tracks: [AudioTrack], current track: Int) {
    let found = AudioSelection(tracks: tracks, current: track)
    guard stream == token else {
      loaded.successors.update(stream) { $0.state.audio = found }
      return
    }
    // A selection made in the meantime is already being applied.
    let kept = found.keeping(current.audio.chosen)
    current.audio = kept
  }

  /// Plays another audio track of the current item from the same position.
  mutating func selectAudioTrack(_ index: Int, now: MonotonicTime) {
    guard current.audio.tracks.indices.contains(index), index != current.audio.current else { return }
    // Without a seek or a new connection, the data that keeps flowing during the switch would be stuck in two tracks at
    // once.
    guard !phase.isReady || current.isSeekable || isBroadcast else { return }
    finishFadeOut(now: now)
    current.audio.current = index
    current.audio.chosen = index
    let held = position(at: now)
    if phase.isReady, !current.isSeekable {
      reconnect(now: now)
    } else if phase.isLoading || loaded.sourceFailure != nil {
      loadAgain(at: held, now: now)
    } else if phase.isReady {
      perform(.selectAudioTrack(index, of: token))
      // The output and the elements before it still hold data of the previous track, except at the end of the item.
      if loaded.run != .ended { seekAgain(to: held, isSilent: intent != .playing, now: now) }
    }
  }
}
