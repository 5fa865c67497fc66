import AVFoundation
import MPRISService

/// The rules from the values of the centers to the state of an MPRIS player.
///
/// It does not read a clock; times come from the caller's clock.
struct NowPlayingState: Sendable {
  /// The values at the end of a turn of the main queue.
  struct Input: Sendable {
    var info: NowPlayingInfo?
    /// A number that changes whenever the program sets an info.
    var revision: UInt64 = 0
    /// The time at which the info was set.
    var time = Duration.zero
    var artURL: String?
    var playbackState = MPNowPlayingPlaybackState.unknown
    /// Whether a player of the program plays; nil if none ever has.
    var isPlaying: Bool?
    var commands = OfferedCommands()
  }

  /// A position that advances with a speed from a time on.
  private struct Clock {
    var position = Duration.zero
    var time = Duration.zero
    var speed = 0.0

    func position(at now: Duration, in length: Duration?) -> Duration {
      min(max(position + (now - time) * speed, .zero), length ?? .seconds(Int64.max >> 20))
    }

    /// Continues with another speed.
    mutating func continues(with speed: Double, at now: Duration, in length: Duration?) {
      self = Clock(position: position(at: now, in: length), time: now, speed: speed)
    }
  }

  /// The difference from which an elapsed time is a jump, because programs round it to seconds.
  static let tolerance = Duration.seconds(1)

  /// The state without the position.
  private var shown: MPRISSnapshot
  private var info: NowPlayingInfo?
  private var revision: UInt64 = 0
  private var track: UInt64 = 0
  /// The number of plays of the track that follow each other directly.
  private var passage = 1
  private var clock = Clock()
  /// The clock of the clients, which know the jumps only.
  private var published = Clock()

  init(_ identity: MPNowPlayingInfoCenter.Identity) {
    shown = MPRISSnapshot(identity: identity.name, desktopEntry: identity.desktopEntry)
    (shown.hasLoop, shown.hasShuffle, shown.hasVolume) = (false, false, false)
  }

  /// The state as clients can read it.
  func snapshot(at now: Duration) -> MPRISSnapshot {
    var snapshot = shown
    snapshot.position = clock.position(at: now, in: info?.duration)
    return snapshot
  }

  /// Takes the values over, and returns the event for clients; nil if nothing has changed for them.
  mutating func update(to input: Input, at now: Duration) -> MPRISPlayerEvent? {
    let before = shown
    let elapsed = input.revision == revision ? nil : input.info?.elapsed
    revision = input.revision
    shown.status = status(of: input)
    showRate(of: input)
    let speed = shown.status == .playing ? input.info?.rate ?? shown.rate : 0
    clock.continues(with: speed, at: now, in: info?.duration)
    published.continues(with: shown.status == .playing ? shown.rate : 0, at: now, in: info?.duration)
    selectTrack(of: input, elapsed: elapsed, at: now)
    let length = info?.duration
    if let elapsed {
      clock = Clock(position: elapsed, time: input.time, speed: speed)
      clock.continues(with: speed, at: now, in: length)
    }
    showCommands(of: input)
    let position = clock.position(at: now, in: length)
    let difference = position - published.position(at: now, in: length)
    if info != nil, difference > Self.tolerance || difference < .zero - Self.tolerance {
      (published.position, published.time) = (position, now)
      return .seeked(to: position)
    }
    return shown.isUnchanged(in: before) ? nil : .changed
  }

  private func status(of input: Input) -> MPRISPlaybackStatus {
    switch input.playbackState {
    case .playing: .playing
    case .paused, .interrupted: .paused
    case .stopped: .stopped
    case .unknown:
      // Programs often leave the rate at 1 when their player pauses.
      if let rate = input.info?.rate {
        rate == 0 || input.isPlaying == false ? .paused : .playing
      } else if input.isPlaying == true {
        .playing
      } else {
        input.info == nil ? .stopped : .paused
      }
    }
  }

  /// Shows the rate of playback, also while it is paused, and the accepted ones.
  private mutating func showRate(of input: Input) {
    let rate = input.info?.rate.flatMap { $0 > 0 ? $0 : nil }
    shown.rate = rate ?? input.info?.defaultRate ?? 1
    let accepted = input.commands.rates + [1, shown.rate]
    (shown.minimumRate, shown.maximumRate) = (accepted.min() ?? 1, accepted.max() ?? 1)
  }

  /// Begins a track if the info describes another item, or the same one again from its start.
  private mutating func selectTrack(of input: Input, elapsed: Duration?, at now: Duration) {
    let (old, new) = (info, input.info)
    info = new
    guard let new else {
      (clock, published) = (Clock(time: now), Clock(time: now))
      shown.metadata = .none
      return
    }
    if let old, old.isSameItem(as: new) {
      if isRepetition(elapsed, of: old, at: now) {
        passage += 1
        published.position = .zero
      }
    } else {
      (track, passage) = (track + 1, 1)
      (clock.position, published.position) = (.zero, .zero)
    }
    shown.metadata = new.metadata(track: MPRISTrackID(track, passage: passage), artURL: input.artURL)
  }

  /// Whether the elapsed time returns from the end of the item to its start while it plays.
  private func isRepetition(_ elapsed: Duration?, of item: NowPlayingInfo, at now: Duration) -> Bool {
    guard let elapsed, let length = item.duration, length > Self.tolerance * 2, shown.status == .playing else {
      return false
    }
    return elapsed < Self.tolerance && clock.position(at: now, in: length) > length - Self.tolerance
  }

  private mutating func showCommands(of input: Input) {
    let commands = input.commands
    shown.canPlay = commands.canPlay
    shown.canPause = commands.canPause
    shown.canGoNext = commands.canGoNext
    shown.canGoPrevious = commands.canGoPrevious
    shown.canSeek = commands.canSeek && input.info.map { !$0.isLive } ?? false
    shown.hasLoop = commands.loop != nil
    shown.loop = commands.loop ?? .none
    shown.hasShuffle = commands.shuffle != nil
    shown.shuffle = commands.shuffle ?? false
  }
}

/// The commands that are enabled and have a handler.
struct OfferedCommands: Equatable, Sendable {
  var canPlay = false
  var canPause = false
  var canGoNext = false
  var canGoPrevious = false
  var canSeek = false
  /// The accepted rates; none if the rate cannot be changed.
  var rates: [Double] = []
  /// The present repetition; nil if it cannot be changed.
  var loop: MPRISLoopStatus?
  /// The present order; nil if it cannot be changed.
  var shuffle: Bool?
  /// Whether there is a command for a client, or one that clients cannot send.
  var isAny = false
}
