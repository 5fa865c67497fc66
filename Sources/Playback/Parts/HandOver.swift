/// The gapless successors of the current item, in the order in which they are heard.
///
/// More than one when items are shorter than what the output holds: the data of one is read, and its successor is asked
/// for, while an item before it is still heard.
struct HandOver: Sendable {
  /// How far a successor is.
  enum Phase: Equatable, Sendable {
    /// The pipeline has its URI.
    case offered
    /// Its stream has reached the output and is heard after `remaining` more of play; `since` is nil while nothing
    /// runs.
    case started(remaining: Duration, since: MonotonicTime?)
  }

  /// An item that follows, and what is known of it; two are the same when they are as far in the same stream.
  struct Successor: Equatable, Sendable {
    let item: PlayerItem
    let token: StreamToken
    var phase = Phase.offered
    /// Whether the stream before it is to end instead: the queue was edited, or it failed early.
    var isWithdrawn = false
    /// The media time at which the output ends it; nil for the end of the media.
    var cut: Duration?
    var details = ItemDetails.unknown
    /// How long its media is.
    var media: Duration?
    var isSeekable = true
    /// How full GStreamer's queue is, as told last; nil where nothing tells.
    var queued: Int?
    var audio = AudioSelection()
    /// It failed after its stream had begun: told when its turn has come.
    var failure: PlayerError?

    static func == (left: Self, right: Self) -> Bool {
      (left.token, left.phase, left.isWithdrawn) == (right.token, right.phase, right.isWithdrawn)
    }

    var hasStarted: Bool { if case .started = phase { true } else { false } }

    /// When it is heard; nil while nothing runs, or while that is not known.
    var start: MonotonicTime? {
      guard case .started(let remaining, let since?) = phase else { return nil }
      return since + remaining
    }
  }

  /// The most that is handed over at a time: more is only asked for by items with nothing in them.
  static let limit = 32

  private(set) var successors: [Successor] = []

  /// When a successor was last offered or heard of, or playback last began.
  var expectedSince = MonotonicTime(nanoseconds: 0)

  var isEmpty: Bool { successors.isEmpty }
  var first: Successor? { successors.first }
  var last: Successor? { successors.last }
  var count: Int { successors.count }

  /// Whether nothing more is handed over: the last one is withdrawn.
  var isClosed: Bool { successors.last?.isWithdrawn == true }

  /// Those that are to be heard.
  var kept: ArraySlice<Successor> { isClosed ? successors.dropLast() : successors[...] }

  func index(of token: StreamToken) -> Int? { successors.firstIndex { $0.token == token } }

  subscript(_ token: StreamToken) -> Successor? { index(of: token).map { successors[$0] } }

  mutating func offer(_ item: PlayerItem, _ token: StreamToken, cut: Duration?) {
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

  /// Nothing runs any more; what remains until each is heard stays.
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
