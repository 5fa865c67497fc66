/// The gapless successors of the current item, in playback order.
///
/// There is more than one if items are shorter than the data that the output buffers. The data of such an item has been
/// read, and GStreamer requests its successor, while an earlier item is still audible.
struct GaplessQueue: Codable, Sendable {
  /// The progress of a successor in the pipeline.
  enum Phase: Codable, Equatable, Sendable {
    /// The pipeline has its URI.
    case offered
    /// Its stream has reached the output and becomes audible after `remaining` more of playback; `since` is nil while
    /// the pipeline does not run.
    case started(remaining: Duration, since: MonotonicTime?)
  }

  /// An item that follows, and the facts known about it; two values are equal if they have the same stream, phase and
  /// withdrawal.
  struct Successor: Codable, Equatable, Sendable {
    @RecordedItem var item: Player.Item
    let token: StreamToken
    var phase = Phase.offered
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

    static func == (left: Self, right: Self) -> Bool {
      (left.token, left.phase, left.isWithdrawn) == (right.token, right.phase, right.isWithdrawn)
    }

    var hasStarted: Bool { if case .started = phase { true } else { false } }

    /// The instant at which it becomes audible; nil while the pipeline does not run, or while that is unknown.
    var start: MonotonicTime? {
      guard case .started(let remaining, let since?) = phase else { return nil }
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
  var awaitsFirst: Bool { !isEmpty && successors[0].phase == .offered && !successors[0].isWithdrawn }
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
      guard case .started(let remaining, let since?) = successors[index].phase else { continue }
      successors[index].phase = .started(remaining: max(.zero, remaining - (now - since)), since: nil)
    }
  }

  mutating func run(from now: MonotonicTime) {
    for index in successors.indices {
      guard case .started(let remaining, nil) = successors[index].phase else { continue }
      successors[index].phase = .started(remaining: remaining, since: now)
    }
  }
}
