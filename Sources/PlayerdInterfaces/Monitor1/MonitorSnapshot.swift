package import MPRISService

/// The state of a player beyond MPRIS, at one time.
///
/// It contains the properties of `org.playerd.Monitor1` and of the queue. If nothing is loaded, the snapshot has a
/// nil track, and is paused without a reason.
package struct MonitorSnapshot: Equatable, Sendable {
  /// The current track; nil if nothing is loaded.
  package var track: MPRISTrackID?
  /// The loading status of the current track.
  package var itemStatus = ItemStatus.unknown
  /// Whether the position advances.
  package var timeControlStatus = TimeControlStatus.paused
  /// The reason for waiting while ``timeControlStatus`` is `waitingToPlay`.
  package var waitingReason: WaitingReason?
  package var isPlaybackBufferEmpty = false
  package var isPlaybackBufferFull = false
  package var isPlaybackLikelyToKeepUp = false
  /// The fill level of the buffer, 0 to 100.
  package var bufferingPercent = 100
  package var loadedTimeRanges: [Range<Duration>] = []
  package var seekableTimeRanges: [Range<Duration>] = []
  package var anchor = Anchor()
  /// The current track's duration; nil if it is unknown or endless.
  package var duration: Duration?
  /// The current track's chapters, in order of time.
  package var chapters: [Chapter] = []
  /// The index of the chapter at the position; nil for none.
  package var currentChapter: Int?
  /// The current track's index in the queue, from 0; nil if nothing is loaded.
  package var queueIndex: Int?
  /// The number of tracks in the queue.
  package var queueCount = 0
  /// A number that differs after each change of the queue.
  package var queueRevision: UInt64 = 0
  /// `off`, `tracks` or `albums`.
  package var shuffleMode = "off"
  /// Whether the sound is muted, whatever the volume is.
  package var isMuted = false
  /// The last failure; nil if none has occurred.
  package var lastFailure: Failure?
  /// The state of `org.playerd.Extras1`.
  package var extras = ExtrasSnapshot()

  package init() {}

  package enum ItemStatus: String, Hashable, Sendable, CaseIterable {
    /// Not loaded yet.
    case unknown
    /// Loaded and playable.
    case readyToPlay
    /// Not playable.
    case failed
  }

  package enum TimeControlStatus: String, Hashable, Sendable, CaseIterable {
    /// Paused or stopped; does not start without a command.
    case paused
    case waitingToPlay
    case playing
  }

  /// The reason why the player waits before it plays.
  package enum WaitingReason: String, Hashable, Sendable, CaseIterable {
    /// The buffer is empty or filling.
    case toMinimizeStalls
    /// The track is being opened.
    case evaluatingBufferingRate
    /// The item is not known yet: a playlist, a folder or a server is being read.
    case noItemToPlay
    /// The output is lost, and is being reopened.
    case noOutput
    /// The connection to a broadcast is lost, and is retried.
    case noConnection
  }

  /// The position at an instant, and its rate since then.
  package struct Anchor: Hashable, Sendable {
    package var position = Duration.zero
    /// The instant: microseconds of `CLOCK_MONOTONIC`.
    package var monotonicMicroseconds: Int64 = 0
    /// The media seconds per second; 0 while the position does not advance.
    package var rate = 0.0

    package init() {}
  }

  package struct Chapter: Hashable, Sendable {
    package var start: Duration
    /// The duration; 0 if unknown.
    package var duration: Duration
    /// The title; empty if there is none.
    package var title: String

    package init(start: Duration, duration: Duration, title: String) {
      (self.start, self.duration, self.title) = (start, duration, title)
    }
  }

  /// A failure of a track or of the output.
  package struct Failure: Hashable, Sendable {
    /// The kind of failure, such as `not-found`.
    package var code: String
    /// The message for the user, one sentence.
    package var message: String
    /// The track's URI; empty if the failure is not of a track.
    package var uri: String

    package init(code: String, message: String, uri: String = "") {
      (self.code, self.message, self.uri) = (code, message, uri)
    }
  }
}
