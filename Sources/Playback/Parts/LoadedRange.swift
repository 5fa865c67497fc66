/// The received range of a network stream that readers see, and when an event announces another one.
///
/// The range contains the position while playback advances. Its end moves back only with the position, by a seek or after a
/// stall. Both bounds are in quarters of a second, and change together, at most four times a second.
struct LoadedRange: Codable, Equatable, Sendable {
  /// The greatest estimate of the end of the received data since the last flush, in time of the item.
  private var end = Duration.zero
  /// The range that readers see; nil while nothing is received.
  private(set) var shown: Range<Duration>?
  /// The instant since which readers see it.
  private var since = MonotonicTime(nanoseconds: 0)
  /// The range in the last event.
  private(set) var announced: Range<Duration>?
  /// The instant at which an event is to announce the grown range; nil if it was announced.
  private(set) var due: MonotonicTime?

  /// The time for which readers see the same range, unless the position leaves it.
  private static let interval = Duration.milliseconds(250)
  /// The time before the end of the range at which it is measured.
  static let lead = Duration.milliseconds(250)

  /// Whether a range contains a position; the end of the item belongs to the range up to it.
  private static func contains(_ position: Duration, _ range: Range<Duration>?, until end: Duration?) -> Bool {
    guard let range, range.lowerBound <= position else { return false }
    return position < range.upperBound || range.upperBound == end
  }

  /// Whether readers see a range with a position in it; `end` is the item's duration.
  func shows(_ position: Duration, until end: Duration?) -> Bool { Self.contains(position, shown, until: end) }

  /// Whether playback is about to leave the range that clients know.
  func isLeft(at position: Duration, until end: Duration?) -> Bool {
    announced.map { !Self.contains(position + Self.lead, $0, until: end) } ?? false
  }

  /// Returns the range of the data from a position to `received`, within the item; nil if nothing is held.
  static func around(_ position: Duration, to received: Duration, until duration: Duration?) -> Range<Duration>? {
    let quarter = Duration.milliseconds(250)
    var start = quarter.multiplied(by: position.wholeNanoseconds / 250_000_000)
    // Rounded up without a sum, because a server may state the greatest time.
    let (quarters, rest) = received.wholeNanoseconds.quotientAndRemainder(dividingBy: 250_000_000)
    var upper = max(quarter.multiplied(by: rest > 0 ? quarters + 1 : quarters), start + quarter)
    if let duration {
      upper = min(upper, duration)
      // At the end of the item, nothing is left.
      if start >= upper { start = max(.zero, upper - quarter) }
    }
    return start < upper ? start..<upper : nil
  }

  /// The end of the received data, which never moves back.
  func end(_ estimate: Duration) -> Duration { max(end, estimate) }

  mutating func extend(to estimate: Duration) { end = end(estimate) }

  /// Shows another range; returns false if the present one has not been shown long enough, and stays.
  mutating func show(_ new: Range<Duration>?, at position: Duration, until end: Duration?, now: MonotonicTime) -> Bool {
    guard new != shown else { return true }
    if new != nil, shows(position, until: end), now < since + Self.interval { return false }
    (shown, since) = (new, now)
    return true
  }

  /// Lets an event announce the range that is not shown yet.
  mutating func announceLater() { due = due ?? since + Self.interval }

  /// Announces the range that readers see; another one that is not shown yet follows.
  mutating func announce(isNewest: Bool) {
    due = isNewest ? nil : since + Self.interval
    noteAnnounced()
  }

  /// Notes that an event has a snapshot with the range.
  ///
  /// One that was shown when the position left the range before it may be followed by others without end, so an event of
  /// another kind is enough.
  mutating func noteAnnounced() { announced = shown }

  /// Forgets the range, because the stream continues at another position.
  mutating func flush() { (end, shown, announced, due) = (.zero, nil, nil, nil) }
}
