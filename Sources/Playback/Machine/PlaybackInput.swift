/// One input of a ``PlaybackMachine``: a command with its arguments, an event of the engine, a wake-up, or the request
/// of a reader.
///
/// The machine changes only by inputs, so the inputs and their instants determine its later states.
enum PlaybackInput: Codable, Sendable {
  case play, prepare, stop
  case playAt(MonotonicTime)
  case pause(fading: Bool)
  case advance(by: Int)
  case playItem(Player.Item.ID)
  case playImmediately(rate: Double)
  case seek(to: Duration, within: Player.SeekTolerance, SeekTicket)
  case cancelPendingSeeks
  // Settings; the caller has checked their ranges.
  case setRate(Double)
  case setDefaultRate(Double?)
  case setVolume(Double)
  case setMaximumVolume(Double)
  case setFade(Duration)
  case setMuted(Bool)
  case setAudioOutput(AudioOutput?)
  case setLoop(Player.LoopMode)
  case setShuffled(Bool)
  case setShuffleMode(Player.ShuffleMode, names: [Player.Item.ID: AlbumGroups.Name])
  case setActionAtItemEnd(Player.ActionAtItemEnd)
  case setAutomaticallyWaits(Bool)
  case setForwardBuffer(Duration?)
  case setNetworkTimeout(Duration)
  case setAudioLanguages([String])
  case setLowPowerMode(Bool)
  case setCrossfade(Player.Crossfade)
  case suspendCrossfade(Bool)
  case setTimePitch(Player.Configuration.TimePitchAlgorithm)
  case selectAudioTrack(Int)
  case setVolumeCurve(VolumeCurve?, of: Player.Item.ID)
  // Edits of the queue.
  case replaceQueue(ItemList, startingAt: Int, playOrder: [Int]?)
  case rearrange(ItemList, playOrder: [Int]?, keepsAlbums: Bool)
  case insert(ItemList, after: Player.Item.ID?)
  case insertAtStart(ItemList)
  case remove(Set<Player.Item.ID>)
  case move(Player.Item.ID, to: Int)
  // The engine, the measurements, the clock and readers.
  case event(EngineEvent)
  case loudness(LoudnessReport)
  case wake
  /// A reader needs a newer measurement of the position.
  case sampleForReader
  /// A reader has received the progress of a network stream.
  case progress(StreamProgress, of: StreamToken)
}
