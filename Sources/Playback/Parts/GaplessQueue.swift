/// A gapless successor of the current item, and the facts known about it.
struct GaplessSuccessor: Codable, Sendable {
  /// The maximum number of successors; only very short items, and those without data, lead to more requests.
  static let limit = 8
  /// The greatest delay from the arrival at the output to the first audible sample; an output buffers less.
  static let latestStart = StreamProgress.leastGap

  @RecordedItem var item: Player.Item
  let token: StreamToken
  /// The playback after which it becomes audible; nil until its stream has reached the output.
  var remaining: Duration?
  /// The instant since which `remaining` passes; nil while the pipeline does not run.
  var since: MonotonicTime?
  /// Whether the stream before it ends without this successor: the queue was edited, or the successor failed early.
  var isWithdrawn = false
  /// The media time at which the output ends the stream; nil for the end of the media.
  var cut: Duration?
  /// The duration of its media.
  var media: Duration?
  /// The facts with which it becomes the current item.
  var state = CurrentItem(isSeekable: true)
  /// The output's lead if the stream has an output of its own; see ``LoadedStream/outputLead``.
  var outputLead: Duration?
  /// The last reported fill level of GStreamer's queue; nil if none was reported.
  var queued: Int?
  /// The last reported progress of a network stream.
  var progress = StreamProgress()
  /// A failure after its stream had begun: reported when the item becomes current.
  var failure: PlayerError?

  /// Whether its stream has reached the output.
  var hasStarted: Bool { remaining != nil }

  /// The instant at which it becomes audible; nil while the pipeline does not run, or while that is unknown.
  var start: MonotonicTime? {
    guard let remaining, let since else { return nil }
    return since + remaining
  }

  /// Stops the countdown to the start when the pipeline stops running; the remaining duration is kept.
  mutating func freeze(at now: MonotonicTime) {
    guard let remaining, let since else { return }
    self.remaining = max(Duration.zero, remaining - (now - since))
    self.since = nil
  }

  /// Continues the countdown to the start.
  mutating func run(from now: MonotonicTime) { if hasStarted, since == nil { since = now } }
}

/// The gapless successors of the current item, in playback order.
///
/// There is more than one if items are shorter than the data that the output buffers. The data of such an item has been
/// read, and GStreamer requests its successor, while an earlier item is still audible.
extension [GaplessSuccessor] {
  /// The instant at which the first successor becomes audible; nil while that is unknown.
  var firstStart: MonotonicTime? { isEmpty ? nil : self[0].start }
  /// Whether the stream of the first successor has reached the output.
  var hasFirstStarted: Bool { !isEmpty && self[0].hasStarted }
  /// Whether the first successor has not reached the output, and is not withdrawn.
  var awaitsFirst: Bool { !isEmpty && !self[0].hasStarted && !self[0].isWithdrawn }

  /// Whether no further successor is accepted, because the last one is withdrawn.
  var isClosed: Bool { last?.isWithdrawn == true }

  /// The successors that will be played.
  var kept: ArraySlice<GaplessSuccessor> { isClosed ? dropLast() : self[...] }

  func index(of token: StreamToken) -> Int? { firstIndex { $0.token == token } }

  subscript(_ token: StreamToken) -> GaplessSuccessor? { index(of: token).map { self[$0] } }

  mutating func update(_ token: StreamToken, _ change: (inout GaplessSuccessor) -> Void) {
    if let index = index(of: token) { change(&self[index]) }
  }

  /// Withdraws a successor and those after it.
  mutating func withdraw(_ token: StreamToken) {
    guard let index = index(of: token) else { return }
    removeSubrange((index + 1)...)
    self[index].isWithdrawn = true
  }

  /// Lets the first `count` successors begin that have not reached the output, because it has passed them.
  mutating func begin(before count: Int, in remaining: Duration, since: MonotonicTime?) {
    for index in indices.prefix(count) where !self[index].hasStarted {
      (self[index].remaining, self[index].since) = (remaining, since)
    }
  }

  mutating func freeze(at now: MonotonicTime) { for index in indices { self[index].freeze(at: now) } }

  mutating func run(from now: MonotonicTime) { for index in indices { self[index].run(from: now) } }
}
