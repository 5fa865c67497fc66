package import PlayerdInterfaces
package import PlayerdSystem

/// Tracks of the queue as a table for a terminal: number, title, artist or failure, and length.
package struct QueueTable {
  /// The space between two columns.
  private static let gap = "  "
  /// The least width of a column of titles or artists.
  private static let leastWidth = 8

  /// The tracks in the order of the lines.
  let tracks: [QueuedTrack]
  let isShuffled: Bool
  /// The width of the terminal.
  let width: Int

  /// Lists tracks in the order of play.
  package init(_ tracks: [QueuedTrack], width: Int) {
    isShuffled = tracks.contains { ($0.playIndex ?? $0.index) != $0.index }
    self.tracks = isShuffled ? tracks.sorted { ($0.playIndex ?? $0.index) < ($1.playIndex ?? $1.index) } : tracks
    self.width = width
  }

  package var lines: [StyledText] {
    let numberWidth = tracks.map { "\($0.number)".count }.max() ?? 0
    let timeWidth = tracks.map { Self.time(of: $0).count }.max() ?? 0
    let artists = tracks.map { Self.detail(of: $0).columns }.max() ?? 0
    let titles = tracks.map { Self.title(of: $0).columns }.max() ?? 0
    // One column less, because some terminals wrap after the last column.
    let fixed = 2 + numberWidth + Self.gap.count + (timeWidth > 0 ? Self.gap.count + timeWidth : 0)
    let room = max(Self.leastWidth, width - 1 - fixed)
    var (titleWidth, artistWidth) = (min(titles, room), 0)
    if artists > 0, room >= 2 * Self.leastWidth + Self.gap.count {
      let shared = room - Self.gap.count
      // The artists get at least a third, and the room that the titles leave.
      artistWidth = min(artists, max(shared / 3, shared - titles))
      titleWidth = min(titles, shared - artistWidth)
    }
    return tracks.map { line($0, numberWidth, titleWidth, artistWidth, timeWidth) }
  }

  private func line(
    _ track: QueuedTrack, _ numberWidth: Int, _ titleWidth: Int, _ artistWidth: Int, _ timeWidth: Int
  ) -> StyledText {
    let number = "\(track.number)".fitted(toColumns: numberWidth, isRightAligned: true)
    let mark = track.isCurrent ? ">" : track.errorMessage == nil ? " " : "!"
    let style: StyledText.Style = track.isCurrent ? .bold : track.errorMessage == nil ? .plain : .red
    let title = Self.title(of: track).fitted(toColumns: titleWidth)
    var line = StyledText("\(mark) \(number)\(Self.gap)", track.isCurrent ? .bold : .dim) + StyledText(title, style)
    if artistWidth > 0 {
      let detail = Self.gap + Self.detail(of: track).fitted(toColumns: artistWidth)
      line = line + StyledText(detail, track.errorMessage == nil ? .plain : .red)
    }
    guard timeWidth > 0 else { return line }
    return line
      + StyledText(Self.gap + Self.time(of: track).fitted(toColumns: timeWidth, isRightAligned: true), .dim)
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
