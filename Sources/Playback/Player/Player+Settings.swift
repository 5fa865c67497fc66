/// The settings of a player, which apply to all items, and the choices for the current item.
extension Player {
  // MARK: Volume and output

  /// The volumes that can be set, linear; 1 is unchanged.
  public static let volumeRange = Player.Configuration.volumeRange

  /// The highest volume that another program may set at the output, linear; the player sets a higher one back to it.
  package var maximumVolume: Double {
    get { core.value { $0.settings.maximumVolume } }
    set { core.apply(.setMaximumVolume(Configuration.clamped(volume: newValue) ?? maximumVolume)) }
  }

  /// The length of the fades at a pause, a stop and a resume, 0 to 5 s; it is clamped.
  package var fade: Duration {
    get { core.value { $0.settings.fade } }
    set { core.apply(.setFade(Configuration.clamped(fade: newValue))) }
  }

  /// The volume, linear, within ``volumeRange``; 1 is unchanged.
  ///
  /// A volume beyond the range is clamped, and one that is not finite is ignored. The counterpart of `AVPlayer.volume`.
  /// Another program may change it too, for example the desktop's mixer.
  public var volume: Double {
    get { core.value { $0.settings.volume } }
    set { if let volume = Player.Configuration.clamped(volume: newValue) { core.apply(.setVolume(volume)) } }
  }

  /// Whether the audio is muted, regardless of the volume; the counterpart of `AVPlayer.isMuted`.
  public var isMuted: Bool {
    get { core.value { $0.settings.isMuted } }
    set { core.apply(.setMuted(newValue)) }
  }

  /// The selected output, nil for the configured one; the counterpart of `AVPlayer.audioOutputDeviceUniqueID`.
  ///
  /// Setting it continues playback on another device from the same position. A device that cannot be opened is retried
  /// like one that was removed, and the position is kept. `AudioOutput.all()` of GstPlayer returns the devices.
  public var audioOutput: AudioOutput? {
    get { core.value { $0.settings.audioOutput } }
    set { core.apply(.setAudioOutput(newValue)) }
  }

  /// Whether the player saves power: the loudness of files without tags is not measured, nor the duration of files whose
  /// header may be wrong.
  public var isLowPowerModeEnabled: Bool {
    get { core.value { $0.settings.isLowPowerModeEnabled } }
    set { core.apply(.setLowPowerMode(newValue)) }
  }

  // MARK: Rate

  /// The rates that can be set.
  public static let rateRange = 0.25...4.0

  /// The requested rate, within ``rateRange``, also while paused; 1 is normal.
  ///
  /// A positive rate beyond the range is clamped. Zero, a negative rate, and one that is not finite are ignored:
  /// reverse playback is not supported. The rate applies to the following items as well. Setting it does not start
  /// playback or change the default rate. The pitch is kept, unless ``Player/Configuration/timePitchAlgorithm``
  /// specifies otherwise.
  ///
  /// The counterpart of `AVPlayer.rate`, except for 0, which is ``pause(fading:)`` here.
  public var rate: Double {
    get { core.value { $0.settings.rate } }
    set { if let rate = Self.clamped(newValue) { core.apply(.setRate(rate)) } }
  }

  /// The rate at which ``play()`` resumes from Paused and Stopped, within ``rateRange``; the counterpart of
  /// `AVPlayer.defaultRate`.
  ///
  /// Nil, the initial value, resumes at the rate that was set last. A rate beyond the range is clamped or ignored, as
  /// for ``rate``. Setting it does not start playback or change the current rate.
  public var defaultRate: Double? {
    get { core.value { $0.settings.defaultRate } }
    set {
      let rate = newValue.flatMap(Self.clamped)
      guard rate != nil || newValue == nil else { return }
      core.apply(.setDefaultRate(rate))
    }
  }

  /// The treatment of the pitch at another rate; the counterpart of `AVPlayerItem.audioTimePitchAlgorithm`.
  ///
  /// The initial value is ``Player/Configuration/timePitchAlgorithm``. A change opens the output again, with the audible
  /// sample.
  public var timePitchAlgorithm: Player.Configuration.TimePitchAlgorithm {
    get { core.value { $0.settings.timePitch } }
    set { core.apply(.setTimePitch(newValue)) }
  }

  /// Returns the nearest rate that can be set; nil for one that is ignored.
  private static func clamped(_ rate: Double) -> Double? {
    rate.isFinite && rate > 0 ? min(max(rateRange.lowerBound, rate), rateRange.upperBound) : nil
  }

  // MARK: Buffering

  /// Whether playback waits for a full buffer when it starts, and when the buffer has run dry; initially true.
  ///
  /// The counterpart of `AVPlayer.automaticallyWaitsToMinimizeStalling`. If it is false, playback starts with the data
  /// that is available, and a buffer that runs dry pauses the player.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get { core.value { $0.settings.automaticallyWaits } }
    set { core.apply(.setAutomaticallyWaits(newValue)) }
  }

  /// The duration of a network stream to buffer ahead of the position, 1 s to 10 min; nil for the engine's default,
  /// about 2 s.
  ///
  /// A duration beyond the range is clamped. A change applies from the next item that is opened. The counterpart of
  /// `AVPlayerItem.preferredForwardBufferDuration`.
  public var preferredForwardBufferDuration: Duration? {
    get { core.value { $0.settings.forwardBuffer } }
    set { core.apply(.setForwardBuffer(Player.Configuration.clamped(forwardBuffer: newValue))) }
  }

  /// The time that a playing stream may spend without data before it fails or is reconnected; 0.1 s or more.
  ///
  /// A shorter time is clamped. A change applies at once. The initial value is ``Player/Configuration/networkTimeout``.
  public var networkTimeout: Duration {
    get { core.value { $0.settings.networkTimeout } }
    set { core.apply(.setNetworkTimeout(Player.Configuration.clamped(timeout: newValue))) }
  }

  /// Plays at a rate with the buffered data, without waiting for more; the counterpart of
  /// `AVPlayer.playImmediately(atRate:)`.
  ///
  /// If the buffer is empty, or runs dry later, playback waits until it is full again.
  ///
  /// - Parameter rate: Within ``rateRange``; a positive rate beyond it is clamped. The call does nothing if the rate is
  ///   zero, negative or not finite. The default rate is not used.
  public func playImmediately(atRate rate: Double = 1) {
    if let rate = Self.clamped(rate) { core.apply(.playImmediately(rate: rate)) }
  }

  // MARK: Audio tracks

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

  // MARK: Crossfades

  /// The time in which the end of an item and the start of the next one are audible together; zero, the default, for no
  /// crossfades.
  ///
  /// Limited to ``Crossfade/lengths``, 0 to 15 s. These items follow gaplessly:
  ///
  /// - Items that follow each other in an album: they have the same folder and the same album tag.
  /// - Parts of the same media, and a repeated item.
  /// - Items with chapters, and items of 20 minutes and more.
  /// - Live streams.
  /// - Items shorter than twice the time.
  /// - A next item that is not ready in time.
  ///
  /// The next item becomes current with its first sample. The end of the previous one is reported when its last
  /// sample has been played.
  public var crossfade: Duration {
    get { core.value { $0.settings.crossfade.length } }
    set { changeCrossfade { $0.length = newValue } }
  }

  /// The course of the levels in a crossfade.
  public var crossfadeCurve: Player.CrossfadeCurve {
    get { core.value { $0.settings.crossfade.curve } }
    set { changeCrossfade { $0.curve = newValue } }
  }

  /// The length of the crossfade when a command selects another item, for example ``advanceToNextItem()``; zero, the
  /// default, for none.
  ///
  /// Limited to ``Crossfade/skipLengths``, 0 to 5 s.
  public var crossfadeOnSkip: Duration {
    get { core.value { $0.settings.crossfade.skipLength } }
    set { changeCrossfade { $0.skipLength = newValue } }
  }

  /// Whether no crossfade begins at the end of an item; for a program that seeks back before that.
  package var isCrossfadeSuspended: Bool {
    get { core.value { $0.settings.isCrossfadeSuspended } }
    set { core.apply(.suspendCrossfade(newValue)) }
  }

  private func changeCrossfade(_ change: (inout Player.Crossfade) -> Void) {
    var crossfade = core.value { $0.settings.crossfade }
    change(&crossfade)
    core.apply(.setCrossfade(crossfade))
  }

  // MARK: Queue

  /// The loop mode, which decides what follows the end of an item; it replaces `AVPlayerLooper`.
  public var loop: Player.LoopMode {
    get { core.value { $0.queue.loop } }
    set { core.apply(.setLoop(newValue)) }
  }

  /// Whether the queue plays in random order, otherwise in list order.
  ///
  /// A new random order begins with the current item.
  public var isShuffled: Bool {
    get { core.value { $0.queue.isShuffled } }
    set { core.apply(.setShuffled(newValue)) }
  }

  /// Changes the random order; the same mode again keeps the order.
  ///
  /// - Parameters:
  ///   - mode: The mode.
  ///   - names: The name of the album of each item whose tags are known, for ``ShuffleMode/albums``: a text that is the same
  ///     for the items of one album in one folder.
  package func setShuffleMode(_ mode: Player.ShuffleMode, names: [Player.Item.ID: String] = [:]) {
    core.apply(
      .setShuffleMode(mode, names: names.mapValues { AlbumGroups.Name(truncatingIfNeeded: $0.hashValue) }))
  }

  /// The action when an item has played to its end; initially ``ActionAtItemEnd/advance``.
  ///
  /// If an item has ended and stays current, its position is its duration, and the player is not shown as playing.
  /// ``play()`` starts it again, as in desktop players; AVPlayer would stay at the end. A looped item repeats
  /// regardless of the action, unless that is to stop. ``advanceToNextItem()`` advances regardless of the action.
  ///
  /// If ``ActionAtItemEnd/none`` has kept the current item at its end, another action is performed at once.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { core.value { $0.settings.actionAtItemEnd } }
    set { core.apply(.setActionAtItemEnd(newValue)) }
  }
}
