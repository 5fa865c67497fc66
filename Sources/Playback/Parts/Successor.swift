/// An item that follows the current one without a command, and whose stream is open.
struct Successor: Codable, Sendable {
  /// The maximum number of open successors; only very short items, and those without data, lead to more than one.
  static let limit = 8

  /// The overlap with the end of the current item, in positions of that item.
  struct Overlap: Codable, Equatable, Sendable {
    /// The position at which this item begins.
    var start: Duration
    /// The position at which the current item ends: its duration, or where skipped silence begins.
    var end: Duration

    var length: Duration { end - start }
  }

  @RecordedItem var item: Player.Item
  let token: StreamToken
  /// The gain by its measured loudness.
  var gain = MeasuredGain.decided(nil)
  /// Whether its stream is ready to play.
  var isSettled = false
  var isLive = false
  /// Whether all of its samples are decoded.
  var isRead = false
  /// The duration of its media.
  var media: Duration?
  /// The facts with which it becomes the current item.
  var state = CurrentItem(isSeekable: true)
  /// The last reported fill level of GStreamer's queue; nil if none was reported.
  var queued: Int?
  /// The last reported progress of a network stream.
  var progress = StreamProgress()
  /// The overlap with which it begins; nil if it follows gaplessly.
  var overlap: Overlap?
}

/// The successors of the current item, in playback order.
extension [Successor] {
  subscript(_ token: StreamToken) -> Successor? { first { $0.token == token } }

  /// Changes the successor of a stream, if there is one; returns whether there is.
  @discardableResult
  mutating func update(_ token: StreamToken, _ change: (inout Successor) -> Void) -> Bool {
    guard let index = firstIndex(where: { $0.token == token }) else { return false }
    change(&self[index])
    return true
  }

  /// Removes a successor and those after it.
  mutating func remove(from token: StreamToken) {
    if let index = firstIndex(where: { $0.token == token }) { removeSubrange(index...) }
  }
}
