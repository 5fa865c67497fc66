import DBus
import PlayerdInterfaces
import PlayerdSystem

/// The layout: the player at the top, the panel or the queue below it, and the message or the keys at the bottom.
extension PlayerScreen {
  /// The object of a click.
  enum Target: Equatable {
    /// A place in the progress bar: the position in microseconds.
    case position(Int64)
    /// The index of a track in the queue.
    case track(Int64)
    /// The place of a track among the found ones.
    case found(Int)
  }

  /// A line of the screen.
  private struct Row {
    var text: StyledText
    /// Returns the object of a click in a column; nil for none.
    var target: (_ column: Int) -> Target? = { _ in nil }
  }

  /// A line of the player with the order in which lines are left out if the terminal is too small: the highest first.
  private struct Candidate {
    var row: Row
    var priority: Int
  }

  /// The division of the terminal.
  private struct Plan {
    var player: [Row]
    /// Whether an empty line separates the player from the part below it.
    var hasGap = false
    /// The number of lines for the part below the player.
    var middle = 0
    /// The lines at the bottom of the terminal.
    var bottom: [Row] = []
  }

  /// The least number of lines of a queue that is not asked for.
  private static let leastQueue = 2
  /// The least number of lines for the separate line of the volume.
  private static let leastForVolume = 12
  /// The least number of lines below the player for an empty line between them.
  private static let leastForGap = 6
  /// The least width for a bar between the times.
  private static let leastForTimes = 40
  /// The least width of a terminal for the lyrics beside the queue, and the columns between them.
  private static let (leastForBoth, gapOfBoth) = (100, 3)

  /// The lines that can be drawn; one line of the terminal stays free, so that drawing does not scroll its contents away.
  private var room: Int { max(1, size.lines - 1) }
  /// The columns that can be drawn; not the last one, after which some terminals wrap.
  private var width: Int { max(0, size.columns - 1) }

  /// Returns the lines, which fit into the terminal.
  func rows(at now: Int64) -> [StyledText] { layout(at: now).map { $0.text.cut(toColumns: width) } }

  /// Returns the object of a click in a cell; nil for none.
  func target(at cell: ScreenCell, _ now: Int64) -> Target? {
    let rows = layout(at: now)
    return rows.indices.contains(cell.line) && cell.column < width ? rows[cell.line].target(cell.column) : nil
  }

  private func layout(at now: Int64) -> [Row] {
    if room == 1, let player, message.isEmpty, panel == .queue, !showsLyrics, list.selected == nil {
      let line = WatchLine(player: player, position: player.position(at: now))
      return [Row(text: StyledText(line.text(width: size.columns)))]
    }
    let plan = plan(at: now)
    var rows = plan.player + (plan.hasGap ? [Row(text: StyledText(""))] : []) + middleRows(plan.middle)
    if !plan.bottom.isEmpty {
      let free = max(0, room - rows.count - plan.bottom.count)
      rows += Array(repeating: Row(text: StyledText("")), count: free) + plan.bottom
    }
    return rows
  }

  /// Returns the microseconds until the shown time changes; nil while the position is held.
  func redrawDelay(at now: Int64) -> Int64? {
    guard let player, let position = player.position(at: now), let rate = player.positionRate, rate > 0,
      player.duration.map({ position < $0 }) ?? true
    else { return nil }
    let rest = 1_000_000 - position % 1_000_000
    return max(1000, Int64((Double(rest) / rate).rounded(.up)))
  }

  // MARK: Division

  /// The number of lines for the tracks of the queue or of a search.
  var listRows: Int {
    // The division depends on the lines of the player, not on its time.
    let middle = plan(at: 0).middle
    switch panel {
    case .help: return 0
    case .find: return max(0, middle - 1)
    case .queue: return showsQueue ? middle : 0
    }
  }

  /// Whether the lyrics are beside the queue if both are shown.
  private var hasBoth: Bool { size.columns >= Self.leastForBoth }
  /// Whether the queue is shown; while a track is selected also in a narrow terminal with lyrics.
  private var showsQueue: Bool { !showsLyrics || hasBoth || list.selected != nil }

  private func plan(at now: Int64) -> Plan {
    let message = Array(message.prefix(room))
    let free = room - message.count
    let least = leastMiddle(in: free)
    var plan = Plan(
      player: chosen(candidates(at: now), max(0, free - least)), bottom: message.map { Row(text: $0) })
    plan.middle = free - plan.player.count
    if message.isEmpty, plan.middle > least, let keys = footer {
      plan.bottom = [Row(text: keys)]
      plan.middle -= 1
    }
    if plan.middle >= max(Self.leastForGap, least + 1) {
      plan.hasGap = true
      plan.middle -= 1
    }
    if least == 0, plan.middle < Self.leastQueue { plan.middle = 0 }
    return plan
  }

  /// The number of lines below the player that precede the lines of the player.
  private func leastMiddle(in free: Int) -> Int {
    switch panel {
    case .help(let page): min(free, helpRows(page).count)
    case .find: min(free, 3)
    case .queue: showsLyrics || list.selected != nil ? min(max(1, free - 1), 3) : 0
    }
  }

  private func middleRows(_ count: Int) -> [Row] {
    guard count > 0 else { return [] }
    switch panel {
    case .help(let page): return helpRows(page).prefix(count).map { Row(text: $0) }
    case .find(let search): return rows(of: search, count)
    case .queue where !showsLyrics: return queueRows(count, width: width)
    case .queue where hasBoth: return rowsOfBoth(count)
    case .queue where showsQueue: return queueRows(count, width: width)
    case .queue: return lyricsRows(count, width: width).map { Row(text: $0) }
    }
  }

  private func chosen(_ candidates: [Candidate], _ count: Int) -> [Row] {
    let kept = candidates.indices.sorted { (candidates[$0].priority, $0) < (candidates[$1].priority, $1) }.prefix(count)
    return kept.sorted().map { candidates[$0].row }
  }

  // MARK: Player

  private func candidates(at now: Int64) -> [Candidate] {
    guard let player else {
      return [Candidate(row: Row(text: StyledText("waiting for \(Names.executable)")), priority: 1)]
    }
    let position = player.position(at: now)
    let title = TrackTitle.text(player.title, nil, uri: player.uri)
    let style = StyledText.Style(status: player.status, timeControlStatus: player.timeControlStatus)
    let hasVolume = room >= Self.leastForVolume && width >= Self.leastForTimes
    let settings = joinedTexts([player.placeText, hasVolume ? nil : volume(of: player), modes(of: player)], by: ", ")
    let state = StyledText(state(of: player), style) + StyledText(settings.isEmpty ? "" : ", " + settings, .dim)
    let indent = StyledText("  ")
    var progress = progress(of: player, position, style)
    progress = Row(text: indent + progress.text) { [progress] in progress.target($0 - indent.columns) }
    let rows: [(text: StyledText, priority: Int)] = [
      (state, 3), (hasVolume ? volumeRow(of: player) : StyledText(""), 6), (StyledText(chapter(of: player)), 5),
    ]
    let symbol = WatchLine(player: player, position: position).symbol
    let first = StyledText(symbol + " " + (title.isEmpty ? nothing(in: player) : title), .bold)
    let credit = joinedTexts([player.artist, player.album], by: " – ")
    return [Candidate(row: Row(text: first), priority: 1)]
      + (credit.isEmpty ? [] : [Candidate(row: Row(text: indent + StyledText(credit)), priority: 4)])
      + (progress.text.columns > indent.columns ? [Candidate(row: progress, priority: 2)] : [])
      + rows.filter { $0.text.columns > 0 }.map { Candidate(row: Row(text: indent + $0.text), priority: $0.priority) }
  }

  private func nothing(in player: WatchedPlayer) -> String {
    player.timeControlStatus == "waitingToPlay" ? "opening" : "nothing to play"
  }

  /// The bar between the elapsed and the remaining time; in a narrow terminal before the elapsed one.
  private func progress(of player: WatchedPlayer, _ position: Int64?, _ style: StyledText.Style) -> Row {
    let times = WatchLine(player: player, position: position).times
    guard let position, let duration = player.duration, duration > 0 else { return Row(text: StyledText(times)) }
    let bar = ProgressBar(
      position: position, duration: duration, marks: player.chapters.map(\.start), loaded: player.loadedRanges)
    guard width >= Self.leastForTimes else {
      let room = width - 2 - times.columns - 2
      guard room >= 4 else { return Row(text: StyledText(times)) }
      return Row(text: bar.styled(style, width: room) + StyledText("  " + times)) { column in
        bar.time(inColumn: column, width: room).map { .position($0) }
      }
    }
    // Whole seconds, so that both times change at once.
    let rest = (duration / 1_000_000 - position / 1_000_000) * 1_000_000
    let (left, right) = (ClockTime.text(position) + "  ", "  -\(ClockTime.text(rest)) / \(ClockTime.text(duration))")
    let room = max(0, width - 2 - left.columns - right.columns)
    return Row(text: StyledText(left) + bar.styled(style, width: room) + StyledText(right)) { column in
      bar.time(inColumn: column - left.columns, width: room).map { .position($0) }
    }
  }

  private func state(of player: WatchedPlayer) -> String {
    let waiting = WatchLine(player: player, position: nil).waiting
    guard waiting.isEmpty else { return String(waiting.drop { $0 == " " }) }
    return player.status == "Paused" ? PlayerStatus.text(ofPauseFor: player.pausedFor) : player.status.lowercased()
  }

  private func volume(of player: WatchedPlayer) -> String {
    "volume " + PlayerStatus.percent(ofVolume: player.volume) + (player.isMuted ? ", muted" : "")
  }

  private func volumeRow(of player: WatchedPlayer) -> StyledText {
    let columns = 20
    let filled = Int((min(max(0, player.volume), 1) * Double(columns)).rounded())
    // The characters are in the fonts of the console too.
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
    return StyledText("volume " + PlayerStatus.percent(ofVolume: player.volume) + "  ")
      + StyledText(bar, player.isMuted ? .dim : .plain) + StyledText(player.isMuted ? "  muted" : "")
  }

  private func modes(of player: WatchedPlayer) -> String {
    let settings: [String?] = [
      player.rate == 1 ? nil : "speed " + PlayerStatus.text(ofRate: player.rate),
      player.loop == "None" ? nil : "loop \(player.loop.lowercased())",
      PlayerStatus.text(ofShuffle: player.shuffleMode), player.isConsuming ? "consume" : nil,
      player.book == nil ? nil : "book",
    ]
    return joinedTexts(settings, by: ", ")
  }

  private func chapter(of player: WatchedPlayer) -> String {
    let chapters = player.chapters
    guard let index = player.currentChapter, chapters.indices.contains(index) else { return "" }
    return joinedTexts(["chapter \(index + 1) of \(chapters.count)", chapters[index].title], by: ": ")
  }

  // MARK: Bottom

  /// The lines of the question or the message; they have precedence over all others.
  private var message: [StyledText] {
    let text = asksToContinue ? "Keep playing? Enter: yes, n: quit" : notice ?? ""
    return text.wrapped(toColumns: width).map { StyledText($0, .bold) }
  }

  /// The keys that matter now, as many as fit; nil if they are listed above.
  private var footer: StyledText? {
    var keys: [String]
    if case .help = panel {
      return nil
    } else if case .find = panel {
      keys = ["Enter play", "↑↓ select", "Esc back"]
    } else if list.selected != nil {
      keys = ["Enter play", "d remove", "u undo", "Esc back", "? keys", ownsPlayer ? "q leave" : "q close"]
    } else {
      keys = ["? keys", ownsPlayer ? "q leave" : "q close"]
      if let player {
        keys.insert(player.status == "Playing" ? "space pause" : "space play", at: 0)
        keys += ["↑↓ select", "/ find", "< > track", "← → seek", "9 0 volume", "l lyrics"]
      }
    }
    while keys.count > 1, keys.joined(separator: "  ").columns > width { keys.removeLast() }
    return StyledText(keys.joined(separator: "  "), .dim)
  }

  // MARK: Panels

  /// The page of the list of keys, with a note if there are more.
  private func helpRows(_ page: Int) -> [StyledText] {
    let pages = helpPages
    // The terminal may be larger than it was when the page was selected.
    let shown = min(page, pages.count - 1)
    let note = "\(shown + 1)/\(pages.count)  ?: \(shown + 1 < pages.count ? "more keys" : "close")"
    return pages[shown] + (pages.count > 1 ? [StyledText(note, .dim)] : [])
  }

  /// The list of keys, in as many pages as the terminal needs; a narrow one wraps the lines.
  var helpPages: [[StyledText]] {
    let help = ScreenKeys.help + (hasMouse ? ScreenKeys.mouseHelp : [])
    let keysWidth = help.map(\.keys.columns).max() ?? 0
    let effectWidth = help.map(\.effect.columns).max() ?? 0
    let (margin, gap) = width < 2 + keysWidth + 2 + effectWidth ? ("", " ") : ("  ", "  ")
    let indent = margin.columns + keysWidth + gap.columns
    let entries = help.map { keys, effect in
      effect.wrapped(toColumns: width - indent).enumerated().map { index, line in
        StyledText((index == 0 ? margin + keys : "").fitted(toColumns: indent - gap.columns) + gap + line)
      }
    }
    let room = room - message.count
    if entries.joined().count <= room { return [Array(entries.joined())] }
    var pages: [[StyledText]] = []
    for entry in entries {
      if let last = pages.last, last.count + entry.count < room {
        pages[pages.count - 1] += entry
      } else {
        pages.append(entry)
      }
    }
    return pages
  }

  /// The shown tracks of the queue.
  private func queueRows(_ count: Int, width: Int) -> [Row] {
    let shown = list.shown(in: count, current: player?.queueIndex)
    let table = QueueTable(
      part: list.tracks, of: list.total, current: player?.queueIndex, selected: list.selected, width: width + 1)
    let indices = list.tracks.map(\.index).filter(shown.contains)
    return zip(indices, table.lines { shown.contains($0.index) }).map { index, line in
      Row(text: line.cut(toColumns: width)) { $0 < width ? .track(index) : nil }
    }
  }

  /// The queue, and the lyrics to the right of it.
  private func rowsOfBoth(_ count: Int) -> [Row] {
    let half = (width - Self.gapOfBoth) / 2
    let (queue, lyrics) = (queueRows(count, width: half), lyricsRows(count, width: half))
    return (0..<max(queue.count, lyrics.count)).map { line in
      var row = line < queue.count ? queue[line] : Row(text: StyledText(""))
      guard line < lyrics.count else { return row }
      let gap = String(repeating: " ", count: half - row.text.columns + Self.gapOfBoth)
      row.text = row.text + StyledText(gap) + lyrics[line].cut(toColumns: half)
      return row
    }
  }

  /// The current line with a note and in bold, between as many others as fit; long lines are wrapped.
  private func lyricsRows(_ count: Int, width: Int) -> [StyledText] {
    guard let lyrics else { return [] }
    guard !lyrics.lines.isEmpty else { return [StyledText("  no lyrics with times", .dim)] }
    let current = lyrics.index ?? 0
    var rows: [StyledText] = []
    var focus = 0
    for index in max(0, current - count)..<min(lyrics.lines.count, current + count) {
      if index == current { focus = rows.count }
      let isCurrent = index == lyrics.index
      let lines = lyrics.lines[index].text.wrapped(toColumns: width - 2)
      rows += (lines.isEmpty ? [""] : lines).enumerated().map { line, text in
        StyledText((isCurrent && line == 0 ? "♪ " : "  ") + text, isCurrent ? .bold : .dim)
      }
    }
    let first = min(max(0, focus - (count - 1) / 2), max(0, rows.count - count))
    return Array(rows.dropFirst(first).prefix(count))
  }

  /// The typed text of a search, and the shown ones of the found tracks.
  private func rows(of search: TrackSearch, _ count: Int) -> [Row] {
    let result = search.tracks == nil ? "reading the queue" : search.found.isEmpty ? "no track has it" : ""
    let head = StyledText("/" + search.text + "▏" + (result.isEmpty ? "" : "  " + result), .bold)
    let shown = search.shown(in: count - 1)
    let table = QueueTable(
      part: Array(search.found[shown]), of: Int64(search.tracks?.count ?? 0), current: player?.queueIndex,
      selected: search.selection?.index, width: size.columns)
    return [Row(text: head)] + zip(shown, table.lines).map { place, line in Row(text: line) { _ in .found(place) } }
  }
}
