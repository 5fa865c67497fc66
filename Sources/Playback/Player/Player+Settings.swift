/// The settings of the audio and of the queue.
extension Player {
  // MARK: Volume and output

  /// The volumes that can be set, linear; 1 is unchanged.
  public static let volumeRange = Player.Configuration.volumeRange

  /// The highest volume that another program may set at the output, linear; the player sets a higher one back to it.
  package var maximumVolume: Double {
    get { core.value { $0.settings.maximumVolume } }
    set { core.apply(.setMaximumVolume(Configuration.clamped(volume: newValue) ?? maximumVolume)) }
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
