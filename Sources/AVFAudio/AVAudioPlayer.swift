public import Foundation
import GstPlayer
import Synchronization

/// A player for one file, or for audio in memory.
///
/// Creating it reads the header of the file, and blocks until that is done. Methods may be called on any thread; the delegate
/// is called on the main queue, which a program has to run.
///
/// <https://developer.apple.com/documentation/avfaudio/avaudioplayer>
open class AVAudioPlayer: NSObject, @unchecked Sendable {  // `state` is a lock
  let media: AVAudioMedia
  let player: Player
  let mix = SoundMix()
  let activity = PlayerDefaults.activity
  let state = Mutex(AVAudioPlayerState())

  /// Creates a player for a file; the type of the file is recognised from its data.
  ///
  /// - Throws: An error of the domain `NSOSStatusErrorDomain`, with a description.
  public convenience init(contentsOf url: URL) throws { try self.init(contentsOf: url, fileTypeHint: nil) }

  /// Creates a player for a file; the hint is ignored, because the type is recognised from the data.
  public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    media = try AVAudioMedia(url)
    player = Player(configuration: PlayerDefaults.configuration ?? Player.Configuration(), mix: mix)
    super.init()
    begin()
  }

  /// Creates a player for a file in memory, and keeps a copy of the file.
  public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }

  /// Creates a player for a file in memory; the hint is ignored, because the type is recognised from the data.
  public init(data: Data, fileTypeHint utiString: String?) throws {
    media = try AVAudioMedia(data)
    player = Player(configuration: PlayerDefaults.configuration ?? Player.Configuration(), mix: mix)
    super.init()
    begin()
  }

  deinit {
    state.withLock { $0.search }?.cancel()
    activity.remove(ObjectIdentifier(self))
  }

  /// The delegate, which is not retained.
  open weak var delegate: (any AVAudioPlayerDelegate)? {
    get { state.withLock { $0.delegate }.value }
    set {
      let reference = AVAudioPlayerState.WeakDelegate(value: newValue)
      state.withLock { $0.delegate = reference }
    }
  }

  // MARK: Playback

  /// Opens the media and the output, so that playback starts with less delay; returns true.
  @discardableResult
  open func prepareToPlay() -> Bool {
    prepare()
    return true
  }

  /// Plays from the current time; returns true.
  @discardableResult
  open func play() -> Bool {
    start()
    return true
  }

  /// Plays at a time of ``deviceCurrentTime``, or at once if it has passed; returns true.
  ///
  /// ``isPlaying`` is true at once. The start is exact if the player is prepared about a second before. A pause, a stop and a
  /// change of the current time cancel it.
  @discardableResult
  open func play(atTime time: TimeInterval) -> Bool {
    start(at: time)
    return true
  }

  /// Pauses; the current time is kept.
  open func pause() { halt() }

  /// Ends playback; the current time is kept.
  open func stop() { halt() }

  /// Whether the player plays.
  open var isPlaying: Bool { player.snapshot.transport == .playing }

  /// The number of times that the audio repeats after its first play; negative repeats until it is stopped.
  ///
  /// A change during playback counts from the present play.
  open var numberOfLoops: Int {
    get { state.withLock { $0.loops } }
    set { setLoops(newValue) }
  }

  // MARK: Time

  /// The seconds of the audio; 0 if they are unknown.
  open var duration: TimeInterval { media.duration }

  /// The position in seconds; 0 after the end.
  ///
  /// A change moves the position to that sample.
  open var currentTime: TimeInterval {
    get { player.snapshot.position / .seconds(1) }
    set { seek(to: newValue) }
  }

  /// The present time of the clock of ``play(atTime:)``, in seconds, equal to `ProcessInfo.systemUptime`.
  open var deviceCurrentTime: TimeInterval { ProcessInfo.processInfo.systemUptime }

  // MARK: Sound

  /// The volume, linear, 0 to 1; mixers of the desktop do not see it.
  open var volume: Float {
    get { state.withLock { $0.volume } }
    set { setVolume(newValue, fadeDuration: 0) }
  }

  /// Fades to a volume; the duration is a time of the audio.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    guard volume.isFinite else { return }
    let volume = min(max(0, volume), 1)
    state.withLock { $0.volume = volume }
    mix.setVolume(Double(volume), over: .seconds(duration.isFinite ? min(max(0, duration), 3600) : 0))
  }

  /// The balance: −1 is the left channel alone, 1 the right one.
  open var pan: Float {
    get { state.withLock { $0.pan } }
    set {
      guard newValue.isFinite else { return }
      let pan = min(max(-1, newValue), 1)
      state.withLock { $0.pan = pan }
      mix.setBalance(Double(pan))
    }
  }

  /// Whether ``rate`` has an effect; initially false.
  open var enableRate: Bool {
    get { state.withLock { $0.isRateEnabled } }
    set {
      state.withLock { $0.isRateEnabled = newValue }
      applyRate()
    }
  }

  /// The rate, 0.5 to 2, if ``enableRate`` is true; the pitch is kept.
  open var rate: Float {
    get { state.withLock { $0.rate } }
    set {
      guard newValue.isFinite else { return }
      state.withLock { $0.rate = min(max(0.5, newValue), 2) }
      applyRate()
    }
  }

  // MARK: The output

  /// The identifier of the output, an ``AVAudioSessionPortDescription/uid``; nil, initially, for the default one.
  ///
  /// The devices are listed asynchronously, so playback that begins at once may begin on the default output. If there is no such
  /// device, the output is kept.
  open var currentDevice: String? {
    get { state.withLock { $0.device } }
    set { selectDevice(newValue) }
  }

  /// The output channels for the channels of the audio; only stored, because the sound server assigns them.
  open var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { state.withLock { $0.channelAssignments } }
    set { state.withLock { $0.channelAssignments = newValue } }
  }

  // MARK: Meters

  /// Whether the levels of the channels are measured; initially false.
  open var isMeteringEnabled: Bool {
    get { state.withLock { $0.isMetered } }
    set {
      state.withLock { $0.isMetered = newValue }
      mix.setMetered(newValue)
    }
  }

  /// Reads the levels that are audible now, for the two functions below.
  open func updateMeters() {
    let levels = mix.levels
    state.withLock { $0.levels = levels }
  }

  /// Returns the average power of a channel at the last ``updateMeters()``, in dB below full scale: −160 to 0.
  open func averagePower(forChannel channelNumber: Int) -> Float { decibels(\.average, channelNumber) }

  /// Returns the peak power of a channel at the last ``updateMeters()``, in dB below full scale: −160 to 0.
  open func peakPower(forChannel channelNumber: Int) -> Float { decibels(\.peak, channelNumber) }

  private func decibels(_ level: KeyPath<ChannelLevel, Double>, _ channel: Int) -> Float {
    let levels = state.withLock { $0.levels }
    guard levels.indices.contains(channel) else { return -160 }
    return Float(min(max(-160, 20 * log10(levels[channel][keyPath: level])), 0))
  }

  // MARK: Media

  /// The URL of the file; nil for a file in memory.
  open var url: URL? { media.url }
  /// The file in memory; nil for a URL.
  open var data: Data? { media.data }
  /// The number of channels; 2 if the file does not specify it.
  open var numberOfChannels: Int { media.channelCount }
  /// The format of the file: the sample rate, the channels, and the codec and the bit rate if they are known.
  open var settings: [String: Any] { media.settings }
  /// The standard format with the sample rate and the channels of the file.
  open var format: AVAudioFormat { media.format }
}
