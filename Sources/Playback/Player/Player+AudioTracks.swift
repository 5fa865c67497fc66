extension Player {
  /// Plays another of the current item's audio tracks, from the same place on; the counterpart of
  /// `AVPlayerItem.select(_:in:)`.
  ///
  /// It holds for as long as the item is the current one, also when it is repeated. Which track an item begins with follows
  /// from ``PlayerConfiguration/preferredAudioLanguages``. Does nothing when there is no such track, or when it is the one
  /// that is heard.
  ///
  /// - Parameter index: The place in ``Snapshot/audioTracks``.
  public func selectAudioTrack(at index: Int) { core.apply { $0.selectAudioTrack(index, now: $1) } }

  /// Sets the languages whose audio tracks are played, the one liked best first; the counterpart of
  /// `AVPlayer.setMediaSelectionCriteria(_:forMediaCharacteristic:)`.
  ///
  /// It holds from the next item that is opened.
  ///
  /// - Parameter languages: See ``PlayerConfiguration/preferredAudioLanguages``.
  public func setPreferredAudioLanguages(_ languages: [String]) {
    core.apply { machine, _ in machine.setAudioLanguages(languages) }
  }
}
