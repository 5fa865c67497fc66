/// The gapless successors of the current item, in playback order.
///
/// There is more than one if items are shorter than the data that the output buffers. The data of such an item has been
/// read, and GStreamer requests its successor, while an earlier item is still audible.
struct GaplessQueue: Codable, Sendable {
  /// An item that follows, and the facts known about it.
  struct Successor: Codable, Sendable {
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
    /// The last reported fill level of GStreamer's queue; nil if none was reported.
    var queued: Int?
    /// A failure after its stream had begun: reported when the item becomes current.
    var failure: PlayerError?

    /// Whether its stream has reached the output.
    var hasStarted: Bool { remaining != nil }

    /// The instant at which it becomes audible; nil while the pipeline does not run, or while that is unknown.
    var start: MonotonicTime? {
      guard let remaining, let since else { return nil }
      return since + remaining
    }
  }

  /// The maximum number of successors; only items without data can lead to more requests.
  static let limit = 32

  private(set) var successors: [Successor] = []

  /// The instant at which a successor was last offered or reported, or playback last began.
  var expectedSince = MonotonicTime(nanoseconds: 0)

  var isEmpty: Bool { successors.isEmpty }
  var first: Successor? { successors.first }
  /// The instant at which the first successor becomes audible; nil while that is unknown.
  var firstStart: MonotonicTime? { isEmpty ? nil : successors[0].start }
  /// Whether the stream of the first successor has reached the output.
  var hasFirstStarted: Bool { !isEmpty && successors[0].hasStarted }
  /// Whether the first successor has not reached the output, and is not withdrawn.
  var awaitsFirst: Bool { !isEmpty && !successors[0].hasStarted && !successors[0].isWithdrawn }
  var last: Successor? { successors.last }
  var count: Int { successors.count }

  /// Whether no further successor is accepted, because the last one is withdrawn.
  var isClosed: Bool { successors.last?.isWithdrawn == true }

  /// The successors that will be played.
  var kept: ArraySlice<Successor> { isClosed ? successors.dropLast() : successors[...] }

  func index(of token: StreamToken) -> Int? { successors.firstIndex { $0.token == token } }

  subscript(_ token: StreamToken) -> Successor? { index(of: token).map { successors[$0] } }

  mutating func offer(_ item: Player.Item, _ token: StreamToken, cut: Duration?) {
    successors.append(Successor(item: item, token: token, cut: cut))
  }

  mutating func update(_ token: StreamToken, _ change: (inout Successor) -> Void) {
    if let index = index(of: token) { change(&successors[index]) }
  }

  /// Withdraws a successor and those after it.
  mutating func withdraw(_ token: StreamToken) {
    guard let index = index(of: token) else { return }
    successors.removeSubrange((index + 1)...)
    successors[index].isWithdrawn = true
  }

  mutating func takeFirst() -> Successor? { successors.isEmpty ? nil : successors.removeFirst() }

  /// Stops the countdown of each successor when the pipeline stops running; the remaining durations are kept.
  mutating func freeze(at now: MonotonicTime) {
    for index in successors.indices {
      guard let remaining = successors[index].remaining, let since = successors[index].since else { continue }
      successors[index].remaining = max(Duration.zero, remaining - (now - since))
      successors[index].since = nil
    }
  }

  mutating func run(from now: MonotonicTime) {
    for index in successors.indices where successors[index].hasStarted && successors[index].since == nil {
      successors[index].since = now
    }
  }
}
