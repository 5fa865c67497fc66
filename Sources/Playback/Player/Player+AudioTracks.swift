extension Player {
  /// Plays another audio track of the current item from the same position; the counterpart of
  /// `AVPlayerItem.select(_:in:)`.
  ///
  /// The selection applies as long as the item is current, including its repetitions.
  /// ``Player/Configuration/preferredAudioLanguages`` decides which track plays first. The call does nothing if the
  /// track does not exist or already plays.
  ///
  /// - Parameter index: The index in ``Snapshot/audioTracks``.
  public func selectAudioTrack(at index: Int) { core.apply(.selectAudioTrack(index)) }

  /// Changes the volume of an item of the queue over the time of its media; nil for a constant volume.
  ///
  /// A change is audible after the samples in the buffer of the output.
  package func setVolumeCurve(_ curve: VolumeCurve?, of item: Player.Item.ID) {
    core.apply(.setVolumeCurve(curve, of: item))
  }

  /// The preferred languages of audio tracks, the most preferred first; the counterpart of
  /// `AVPlayer.setMediaSelectionCriteria(_:forMediaCharacteristic:)`.
  ///
  /// A change applies from the next item that is opened, see ``Player/Configuration/preferredAudioLanguages``.
  public var preferredAudioLanguages: [String] {
    get { core.value { $0.settings.audioLanguages } }
    set { core.apply(.setAudioLanguages(newValue)) }
  }
}
