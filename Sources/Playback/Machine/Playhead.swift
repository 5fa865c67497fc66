/// The state of the playhead at one instant: the part of the machine that the time observers need.
struct Playhead: Sendable {
  var item: Player.Item?
  /// The stream of the item.
  var stream: StreamToken
  var duration: Duration?
  var chapters: [Chapter]
  var lyrics: [LyricsLine]
  /// The titles of a radio station.
  var titles: [StreamTitle]
  /// The ID3 tags of the stream.
  var tags: [TimedTag]
  var anchor: PositionAnchor
  /// The current position; it follows the anchor while `isMoving`.
  var position: Duration
  var playbackRun: (number: UInt64, start: Duration)
  var isMoving: Bool
  var isSeeking: Bool
  /// The instant at which the engine last reported its position.
  var measured: MonotonicTime
  /// The position at which the position stands after a fade-out; nil without one.
  var fadedOut: Duration?
  /// The end of the item if it ends now.
  var end: Duration
  /// The item before the current one, while it fades out.
  var outgoing: OutgoingStream?
  /// Whether playback advances; seeks do not change this.
  var advances: Bool
  /// Whether playback is stopped and nothing is loaded.
  var isStopped: Bool
}

extension PlaybackMachine {
  /// Returns the playhead before a decision; the report that the current item has ended shows how far it was played.
  func playhead(before input: PlaybackInput?, at now: MonotonicTime) -> Playhead {
    guard case .event(.stream(let stream, .ended(let end))) = input, mayEnd(stream) else { return playhead(at: now) }
    var machine = self
    machine.noteEnd(at: end)
    return machine.playhead(at: now)
  }

  func playhead(at now: MonotonicTime) -> Playhead {
    let position = position(at: now)
    return Playhead(
      item: queue.current, stream: token, duration: current.details.duration, chapters: current.details.chapters,
      lyrics: queue.current?.isClip == true ? [] : current.details.lyrics, titles: isBroadcast ? current.titles : [],
      tags: current.tags, anchor: timebase.anchor, position: position, playbackRun: timebase.playbackRun,
      isMoving: timebase.isRunning && !loaded.isSeeking, isSeeking: loaded.isSeeking, measured: timebase.measured,
      fadedOut: silenceBegin.map(timebase.position), end: endPosition(reached: position),
      outgoing: outgoing, advances: advances, isStopped: intent == .stopped)
  }
}
