package import PlayerdInterfaces
package import PlayerdSystem

/// Tracks of the queue as a table for a terminal: number, title, artist or failure, and length.
package struct QueueTable {
  /// The space between two columns.
  private static let gap = "  "
  /// The least width of a column of titles or artists.
  private static let leastWidth = 8

  /// The widths of the columns; a column without a width is left out.
  private struct Columns {
    var (number, title, artist, time) = (0, 0, 0, 0)
  }

  /// The tracks in the order of the lines.
  let tracks: [QueuedTrack]
  let isShuffled: Bool
  /// The width of the terminal.
  let width: Int
  /// The highest number of a track, also of those that are not shown.
  private let highest: Int64
  /// The index of the selected track; nil for none.
  private let selected: Int64?

  /// Lists tracks in the order of play.
  package init(_ tracks: [QueuedTrack], width: Int) {
    isShuffled = tracks.contains { ($0.playIndex ?? $0.index) != $0.index }
    self.tracks = isShuffled ? tracks.sorted { ($0.playIndex ?? $0.index) < ($1.playIndex ?? $1.index) } : tracks
    self.width = width
    (highest, selected) = (tracks.map(\.number).max() ?? 0, nil)
  }

  /// Lists a part of a queue of `total` tracks in the order of the list; indices are those of the queue.
  init(part tracks: [QueuedTrack], of total: Int64, current: Int64?, selected: Int64?, width: Int) {
    self.tracks = tracks.map { track in
      var track = track
      track.isCurrent = track.index == current
      return track
    }
    (isShuffled, highest, self.selected, self.width) = (false, total, selected, width)
  }

  package var lines: [StyledText] { lines { _ in true } }

  /// Returns the lines of some of the tracks; the columns fit all of them, so they stay when other tracks are shown.
  func lines(of isShown: (QueuedTrack) -> Bool) -> [StyledText] {
    let columns = columns
    return tracks.filter(isShown).map { line($0, columns) }
  }

  private var columns: Columns {
    var columns = Columns()
    columns.number = "\(highest)".count
    columns.time = tracks.map { Self.time(of: $0).count }.max() ?? 0
    let artists = tracks.map { Self.detail(of: $0).columns }.max() ?? 0
    let titles = tracks.map { Self.title(of: $0).columns }.max() ?? 0
    // One column less, because some terminals wrap after the last column.
    let fixed = 2 + columns.number + Self.gap.count + (columns.time > 0 ? Self.gap.count + columns.time : 0)
    let room = max(Self.leastWidth, width - 1 - fixed)
    columns.title = min(titles, room)
    if artists > 0, room >= 2 * Self.leastWidth + Self.gap.count {
      let shared = room - Self.gap.count
      // The artists get at least a third, and the room that the titles leave.
      columns.artist = min(artists, max(shared / 3, shared - titles))
      columns.title = min(titles, shared - columns.artist)
    }
    return columns
  }

  private func line(_ track: QueuedTrack, _ columns: Columns) -> StyledText {
    let isSelected = track.index == selected
    let number = "\(track.number)".fitted(toColumns: columns.number, isRightAligned: true)
    let mark = (track.isCurrent ? ">" : track.errorMessage == nil ? " " : "!") + (isSelected ? "»" : " ")
    let style: StyledText.Style = track.isCurrent ? .bold : track.errorMessage == nil ? .plain : .red
    let title = Self.title(of: track).fitted(toColumns: columns.title)
    var line = StyledText("\(mark)\(number)\(Self.gap)", track.isCurrent ? .bold : .dim) + StyledText(title, style)
    if columns.artist > 0 {
      let detail = Self.gap + Self.detail(of: track).fitted(toColumns: columns.artist)
      line = line + StyledText(detail, track.errorMessage == nil ? .plain : .red)
    }
    if columns.time > 0 {
      let time = Self.gap + Self.time(of: track).fitted(toColumns: columns.time, isRightAligned: true)
      line = line + StyledText(time, .dim)
    }
    return isSelected ? line.styled(.reverse) : line
  }

  /// The last line: `12 tracks, 48:20, in shuffled order`.
  package var total: StyledText {
    let known = tracks.compactMap(\.duration).filter { $0 > 0 }
    let sum = known.reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
    let unknown = tracks.count - known.count
    let time: String? =
      known.isEmpty ? nil : ClockTime.text(sum) + (unknown == 0 ? "" : " without \(unknown) of unknown length")
    return StyledText(
      joinedTexts([counted(tracks.count, "track"), time, isShuffled ? "in shuffled order" : nil], by: ", "), .dim)
  }

  private static func title(of track: QueuedTrack) -> String {
    TrackTitle.text(track.title, nil, uri: track.uri).withoutControls
  }

  /// The artist, or the reason why the track failed.
  private static func detail(of track: QueuedTrack) -> String {
    (track.errorMessage.map { "failed: \($0)" } ?? track.artist ?? "").withoutControls
  }

  private static func time(of track: QueuedTrack) -> String { track.duration.map { ClockTime.text($0) } ?? "" }
}
