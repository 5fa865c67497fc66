import PlayerdInterfaces

/// The list of the queue below the player: the part of the queue that was read, and the selected track.
///
/// A queue may have a million tracks, so only a part around the shown ones is read. The list follows the current track until
/// the user selects another one or scrolls.
struct QueueList: Equatable, Sendable {
  /// The least number of tracks in a part that is read, so that a key rarely needs another one.
  private static let partCount = 200

  /// A part of the queue that is being read, and the revision of the queue when it was requested.
  private struct Request: Equatable {
    var part: Range<Int64>
    var revision: UInt64?
  }

  /// The number of tracks in the queue.
  private(set) var total: Int64 = 0
  /// The revision of the queue that was read; nil until then.
  private(set) var revision: UInt64?
  /// The tracks that were read, in the order of the list.
  private(set) var tracks: [QueuedTrack] = []
  /// The index of the selected track; nil while the list follows the current one.
  private(set) var selected: Int64?
  /// Whether a track was removed and the queue is not read again yet, so that indices may be those of other tracks.
  private(set) var isChanging = false
  private var window = ListWindow()
  private var requested: Request?
  /// The last part that is read once more, because tags were missing.
  private var reread: Request?
  /// Whether the tags or errors of tracks may have changed since they were read.
  private var isOutdated = false

  /// The selected track; nil without one, and until it is read.
  var selection: QueuedTrack? { selected.flatMap { selected in tracks.first { $0.index == selected } } }

  /// Whether the list follows the current track.
  var isFollowing: Bool { selected == nil && window.isCentred }

  // MARK: Selection

  /// Selects the track at a distance from the selected or else the current one, in a queue of `count` tracks.
  mutating func select(_ distance: Int64, from current: Int64?, of count: Int64) {
    if revision == nil { total = count }
    guard total > 0 else { return }
    selected = min(max(0, (selected ?? current ?? 0) + distance), total - 1)
    window.centre()
  }

  /// Selects a track that is shown, in a number of rows, where it is.
  mutating func select(shown index: Int64, in rows: Int, current: Int64?) {
    window.scroll(to: shown(in: rows, current: current).lowerBound)
    selected = index
  }

  /// Shows the selected track if it was scrolled away; returns whether it was.
  mutating func revealSelection(in rows: Int, current: Int64?) -> Bool {
    guard let selected, !window.isCentred, !shown(in: rows, current: current).contains(selected) else { return false }
    window.centre()
    return true
  }

  /// Shows other tracks in a number of rows; the selection stays.
  mutating func scroll(_ distance: Int64, in rows: Int, current: Int64?) {
    let shown = shown(in: rows, current: current)
    window.scroll(to: min(max(0, shown.lowerBound + distance), total - Int64(shown.count)))
  }

  /// Follows the current track again.
  mutating func deselect() {
    selected = nil
    window.centre()
  }

  /// Returns the indices of the tracks that are shown in a number of rows: those around the selected or else the current one,
  /// unless the user has scrolled.
  func shown(in rows: Int, current: Int64?) -> Range<Int64> {
    window.shown(in: rows, of: total, around: selected ?? current ?? 0)
  }

  /// Waits for the next part before another track is removed.
  mutating func beginChange() { isChanging = true }

  // MARK: Reading

  /// Returns the part that has to be read now; nil if the shown tracks are read, or are being read.
  mutating func request(rows: Int, current: Int64?, revision: UInt64?) -> Range<Int64>? {
    guard rows > 0 else { return nil }
    let shown = shown(in: rows, current: current)
    let isRead =
      shown.isEmpty
      || tracks.first.map { $0.index <= shown.lowerBound } ?? false
        && tracks.last.map { $0.index >= shown.upperBound - 1 } ?? false
    if isRead, !isOutdated, self.revision != nil, self.revision == revision { return nil }
    let count = Int64(min(max(Self.partCount, 2 * rows), QueuePage.limit))
    let focus = window.isCentred ? selected ?? current ?? 0 : shown.lowerBound + Int64(shown.count) / 2
    let first = max(0, focus - count / 2)
    let request = Request(part: first..<first + count, revision: revision)
    guard request != requested else { return nil }
    requested = request
    return request.part
  }

  /// Reads the shown tracks again, because their tags or errors may have changed.
  mutating func invalidate() { (isOutdated, requested) = (true, nil) }

  /// Shows a part of the queue that was read; the same track stays selected, or else its place.
  ///
  /// - Returns: Whether to read the part once more after a while: the daemon reads missing tags in the background, and sends
  ///   no signal for them.
  mutating func show(_ part: QueuePage) -> Bool {
    let lacksTags = reread != requested && part.rows.contains { $0.title == nil && $0.errorMessage == nil }
    if lacksTags { reread = requested }
    let selectedID = selection?.trackID
    (total, revision, tracks) = (part.total, part.revision, part.rows)
    (isOutdated, isChanging) = (false, false)
    if total == 0 { window.centre() }
    guard let place = selected else { return lacksTags }
    let same = tracks.first { $0.trackID != nil && $0.trackID == selectedID }
    selected = total == 0 ? nil : same?.index ?? min(place, total - 1)
    return lacksTags
  }
}
