package import DBus

/// One consistent view of a running daemon: the values of `org.playerd.Control1.GetStatus`.
///
/// Times are microseconds.
package struct PlayerStatus: Equatable, Sendable {
  /// `Playing`, `Paused` or `Stopped`.
  package var status = "Stopped"
  package var timeControlStatus = "paused"
  /// Empty unless `timeControlStatus` is `waitingToPlay`.
  package var reasonForWaiting = ""
  package var bufferingPercent: Int64 = 100
  /// The object path of the current track; nil for an empty queue.
  package var trackID: String?
  package var title: String?
  package var artist: String?
  package var album: String?
  package var uri: String?
  package var position: Int64?
  package var duration: Int64?
  package var rate = 1.0
  /// The MPRIS volume; 1 is unchanged.
  package var volume = 1.0
  package var isMuted = false
  /// `None`, `Track` or `Playlist`.
  package var loop = "None"
  package var isShuffled = false
  /// `off`, `tracks` or `albums`.
  package var shuffleMode = "off"
  /// From 0; nil for an empty queue.
  package var queueIndex: Int64?
  package var queueCount: Int64 = 0
  /// Whether Next and Previous select another track.
  package var hasNext = false
  package var hasPrevious = false
  /// From 0; nil outside chapters.
  package var chapterIndex: Int64?
  package var chapterCount: Int64 = 0
  package var chapterTitle: String?
  /// The remaining time of the sleep timer; nil if it is off.
  package var sleepRemaining: Int64?
  /// Whether the sleep timer stops after the track instead of pausing when it expires.
  package var sleepsAfterTrack = false
  package var stopsAfterCurrent = false
  /// The number of tracks, the current one included, after which the player stops; 0 for none.
  package var stopsAfterTracks: Int64 = 0
  /// The time in which two tracks are audible together; nil for none.
  package var crossfade: Int64?
  /// The same when a command selects another track.
  package var crossfadeOnSkip: Int64?
  /// Whether each track leaves the queue when it was played.
  package var isConsuming = false
  /// The name of the other player for which playback is paused; nil for none.
  package var pausedFor: String?
  /// The folder of the book that the current track belongs to; nil for none.
  package var book: String?
  package var repeatStart: Int64?
  package var repeatEnd: Int64?
  /// The ID of the selected output device; empty for the configured one.
  package var output = ""
  package var outputName: String?

  /// The sink or device in the configuration; nil for the default of the sound system.
  package var configuredOutput: String?
  package var outputStatus = OutputStatus.selected
  /// `unknown`, `readyToPlay` or `failed`: the status of the current track.
  package var itemStatus = "unknown"
  /// Whether the position in the current track can be set.
  package var isSeekable = false
  /// The first and the last position that can be set; nil if unknown.
  package var seekableStart: Int64?
  package var seekableEnd: Int64?
  /// The last failed track that is in the queue and has not played since: its error, its object path and its URI; nil for none.
  package var lastErrorCode: String?
  package var lastErrorMessage: String?
  package var lastErrorTrackID: String?
  package var lastErrorURI: String?

  /// The ID of the process that decodes and plays; nil while there is none.
  package var engineProcessID: Int64?

  /// What restricts that process, such as `Landlock 7, seccomp`, or `off`; nil while there is none.
  package var engineSandbox: String?

  package init() {}

  /// The destination of the sound, compared with the selected output.
  package enum OutputStatus: String, DBusConvertible, Sendable {
    /// The selected or configured output.
    case selected
    /// Another device of the sound system.
    case substituted
    /// None: playback continues without sound.
    case silent
    /// None: the output failed and is being reopened.
    case unavailable
  }
}

extension PlayerStatus: ValueRecord {
  package static let fields: [ValueField<Self>] = [
    .init("status", \.status), .init("timeControlStatus", \.timeControlStatus),
    .init("reasonForWaitingToPlay", \.reasonForWaiting), .init("bufferingPercent", \.bufferingPercent),
    .init("trackId", \.trackID), .init("title", \.title), .init("artist", \.artist), .init("album", \.album),
    .init("uri", \.uri), .init("position", \.position, isTime: true), .init("duration", \.duration, isTime: true),
    .init("rate", \.rate), .init("volume", \.volume), .init("muted", \.isMuted), .init("loop", \.loop),
    .init("shuffle", \.isShuffled), .init("shuffleMode", \.shuffleMode),
    .init("queueIndex", \.queueIndex), .init("queueCount", \.queueCount),
    .init("hasNext", \.hasNext), .init("hasPrevious", \.hasPrevious), .init("chapterIndex", \.chapterIndex),
    .init("chapterCount", \.chapterCount), .init("chapterTitle", \.chapterTitle),
    .init("sleepRemaining", \.sleepRemaining, isTime: true), .init("sleepsAfterTrack", \.sleepsAfterTrack),
    .init("stopsAfterCurrent", \.stopsAfterCurrent), .init("stopsAfterTracks", \.stopsAfterTracks),
    .init("crossfade", \.crossfade, isTime: true), .init("crossfadeOnSkip", \.crossfadeOnSkip, isTime: true),
    .init("consume", \.isConsuming), .init("pausedFor", \.pausedFor), .init("book", \.book),
    .init("repeatStart", \.repeatStart, isTime: true),
    .init("repeatEnd", \.repeatEnd, isTime: true), .init("output", \.output), .init("outputName", \.outputName),
    .init("configuredOutput", \.configuredOutput), .init("outputStatus", \.outputStatus),
    .init("itemStatus", \.itemStatus), .init("seekable", \.isSeekable),
    .init("seekableStart", \.seekableStart, isTime: true), .init("seekableEnd", \.seekableEnd, isTime: true),
    .init("lastErrorCode", \.lastErrorCode),
    .init("lastErrorMessage", \.lastErrorMessage), .init("lastErrorTrackId", \.lastErrorTrackID),
    .init("lastErrorUri", \.lastErrorURI),
    .init("engineProcessId", \.engineProcessID), .init("engineSandbox", \.engineSandbox),
  ]

  /// The path of the current track, for calls with a track argument.
  package var trackPath: ObjectPath? { trackID.flatMap { try? ObjectPath($0) } }
}
