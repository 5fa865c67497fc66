public import AVFoundation
import Synchronization

/// A value of a command that a program sets.
private final class Setting<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  var current: Value {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// A command to skip an interval.
///
/// An MPRIS client can choose any interval. The commands are used for this if
/// ``MPRemoteCommandCenter/changePlaybackPositionCommand`` is not offered.
/// <https://developer.apple.com/documentation/mediaplayer/mpskipintervalcommand>
public final class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {  // each `Setting` is a lock
  private let intervals = Setting<[Double]>([])

  /// The intervals in seconds that a remote control shows; only stored, because clients of MPRIS choose their own.
  public var preferredIntervals: [NSNumber] {
    get { intervals.current.map { NSNumber(value: $0) } }
    set { intervals.current = newValue.map(\.doubleValue) }
  }
}

/// A command to like, dislike or bookmark the item; clients of MPRIS cannot send it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpfeedbackcommand>
public final class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {  // each `Setting` is a lock
  private let active = Setting(false)
  private let titles = Setting((long: "", short: ""))

  /// Whether the feedback has been given.
  public var isActive: Bool {
    get { active.current }
    set { active.current = newValue }
  }

  /// The title of the command.
  public var localizedTitle: String {
    get { titles.current.long }
    set { titles.current.long = newValue }
  }

  /// The title of the command where space is limited.
  public var localizedShortTitle: String {
    get { titles.current.short }
    set { titles.current.short = newValue }
  }
}

/// A command to rate the item; clients of MPRIS cannot send it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpratingcommand>
public final class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {  // each `Setting` is a lock
  private let bounds = Setting<(Float, Float)>((0, 1))

  /// The lowest rating.
  public var minimumRating: Float {
    get { bounds.current.0 }
    set { bounds.current.0 = newValue }
  }

  /// The highest rating.
  public var maximumRating: Float {
    get { bounds.current.1 }
    set { bounds.current.1 = newValue }
  }
}

/// A command to change the rate: `Rate` of MPRIS.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangeplaybackratecommand>
public final class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {  // each `Setting` is a lock
  private let rates = Setting<[Double]>([])

  /// The rates that the program accepts; a client's rate is rounded to the nearest one.
  ///
  /// If the list is empty, rates from 0.25 to 4 are accepted.
  public var supportedPlaybackRates: [NSNumber] {
    get { rates.current.map { NSNumber(value: $0) } }
    set {
      rates.current = newValue.map(\.doubleValue)
      changed()
    }
  }

  /// The positive rates in ascending order, or the bounds of a player.
  var acceptedRates: [Double] {
    let accepted = rates.current.filter { $0 > 0 && $0.isFinite }.sorted()
    return accepted.isEmpty ? [0.25, 4] : accepted
  }

  /// Returns the accepted rate that is nearest to the rate of a client.
  func nearest(to rate: Double) -> Double {
    guard !rates.current.isEmpty else { return rate }
    return acceptedRates.min { abs($0 - rate) < abs($1 - rate) } ?? rate
  }
}

/// A command to change the elapsed time: `SetPosition` and `Seek` of MPRIS.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangeplaybackpositioncommand>
public final class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}  // adds no state

/// A command to change the random order: `Shuffle` of MPRIS.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangeshufflemodecommand>
public final class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {  // each `Setting` is a lock
  private let type = Setting(MPShuffleType.off)

  /// The present mode, which clients see.
  public var currentShuffleType: MPShuffleType {
    get { type.current }
    set {
      type.current = newValue
      changed()
    }
  }
}

/// A command to change the repetition: `LoopStatus` of MPRIS.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangerepeatmodecommand>
public final class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {  // each `Setting` is a lock
  private let type = Setting(MPRepeatType.off)

  /// The present mode, which clients see.
  public var currentRepeatType: MPRepeatType {
    get { type.current }
    set {
      type.current = newValue
      changed()
    }
  }
}

/// The repetition of a queue.
///
/// <https://developer.apple.com/documentation/mediaplayer/mprepeattype>
public enum MPRepeatType: Int, Sendable {
  /// No repetition: `None` of MPRIS.
  case off = 0
  /// The item is repeated: `Track` of MPRIS.
  case one = 1
  /// The queue is repeated: `Playlist` of MPRIS.
  case all = 2
}

/// The random order of a queue.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpshuffletype>
public enum MPShuffleType: Int, Sendable {
  /// No random order.
  case off = 0
  /// The items are in random order.
  case items = 1
  /// The collections are in random order.
  case collections = 2
}

/// How long a language option applies.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangelanguageoptionsetting>
public enum MPChangeLanguageOptionSetting: Int, Sendable {
  /// No change.
  case none = 0
  /// For the item that plays.
  case nowPlayingItemOnly = 1
  /// For all items.
  case permanent = 2
}
