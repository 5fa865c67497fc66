import DBus
import PlayerdInterfaces
import PlayerdSystem

/// The layout: the player at the top, the panel or the queue below it, and the message or the keys at the bottom.
extension PlayerScreen {
  /// A line of the player with the order in which lines are left out if the terminal is too small: the highest first.
  private struct Candidate {
    var row: StyledText
    var priority: Int
  }

  /// The division of the terminal.
  private struct Plan {
    var player: [StyledText]
    /// Whether an empty line separates the player from the part below it.
    var hasGap = false
    /// The number of lines for the part below the player.
    var middle = 0
    /// The lines at the bottom of the terminal.
    var bottom: [StyledText] = []
  }

  /// The least number of lines of a queue that is not asked for.
  private static let leastQueue = 2
  /// The least number of lines for the separate line of the volume.
  private static let leastForVolume = 12
  /// The least number of lines below the player for an empty line between them.
  private static let leastForGap = 6
  /// The least width for a bar between the times.
  private static let leastForTimes = 40

  /// The lines that can be drawn; one line of the terminal stays free, so that drawing does not scroll its contents away.
  private var room: Int { max(1, size.lines - 1) }
  /// The columns that can be drawn; not the last one, after which some terminals wrap.
  private var width: Int { max(0, size.columns - 1) }

  /// Returns the lines, which fit into the terminal.
  func rows(at now: Int64) -> [StyledText] {
    if room == 1, let player, message.isEmpty, panel == .none, list.selected == nil {
      return [StyledText(WatchLine(player: player, position: player.position(at: now)).text(width: size.columns))]
    }
    let plan = plan(at: now)
    var rows = plan.player + (plan.hasGap ? [StyledText("")] : []) + middleRows(plan.middle)
    if !plan.bottom.isEmpty {
      rows += Array(repeating: StyledText(""), count: max(0, room - rows.count - plan.bottom.count)) + plan.bottom
    }
    return rows.map { $0.cut(toColumns: width) }
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
    case .lyrics where list.selected == nil: return 0
    case .none, .lyrics: return middle
    }
  }

  private func plan(at now: Int64) -> Plan {
    let message = Array(message.prefix(room))
    let free = room - message.count
    let least = leastMiddle(in: free)
    var plan = Plan(player: chosen(candidates(at: now), max(0, free - least)), bottom: message)
    plan.middle = free - plan.player.count
    if message.isEmpty, plan.middle > least, let keys = footer {
      plan.bottom = [keys]
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
    case .lyrics: min(max(1, free - 1), 3)
    case .none: list.selected == nil ? 0 : min(max(1, free - 1), 3)
    }
  }

  private func middleRows(_ count: Int) -> [StyledText] {
    guard count > 0 else { return [] }
    switch panel {
    case .help(let page): return Array(helpRows(page).prefix(count))
    case .find(let search): return search.rows(count, current: player?.queueIndex, width: size.columns)
    case .lyrics where list.selected == nil: return lyricsRows(count)
    case .none, .lyrics: return queueRows(count)
    }
  }

  private func chosen(_ candidates: [Candidate], _ count: Int) -> [StyledText] {
    let kept = candidates.indices.sorted { (candidates[$0].priority, $0) < (candidates[$1].priority, $1) }.prefix(count)
    return kept.sorted().map { candidates[$0].row }
  }

  // MARK: Player

  private func candidates(at now: Int64) -> [Candidate] {
    guard let player else { return [Candidate(row: StyledText("waiting for \(Names.executable)"), priority: 1)] }
    let position = player.position(at: now)
    let title = TrackTitle.text(player.title, nil, uri: player.uri)
    let style = StyledText.Style(status: player.status, timeControlStatus: player.timeControlStatus)
    let hasVolume = room >= Self.leastForVolume && width >= Self.leastForTimes
    let settings = joinedTexts([player.placeText, hasVolume ? nil : volume(of: player), modes(of: player)], by: ", ")
    let state = StyledText(state(of: player), style) + StyledText(settings.isEmpty ? "" : ", " + settings, .dim)
    let rows: [(row: StyledText, priority: Int)] = [
      (StyledText(joinedTexts([player.artist, player.album], by: " – ")), 5),
      (progress(of: player, position, style), 2),
      (state, 4),
      (hasVolume ? volumeRow(of: player) : StyledText(""), 7),
      (StyledText(chapter(of: player)), 6),
      (StyledText(hasLyricsLine && panel != .lyrics ? lyricsText : ""), 3),
    ]
    let symbol = WatchLine(player: player, position: position).symbol
    let first = StyledText(symbol + " " + (title.isEmpty ? nothing(in: player) : title), .bold)
    return [Candidate(row: first, priority: 1)]
      + rows.filter { $0.row.columns > 0 }.map { Candidate(row: StyledText("  ") + $0.row, priority: $0.priority) }
  }

  private func nothing(in player: WatchedPlayer) -> String {
    player.timeControlStatus == "waitingToPlay" ? "opening" : "nothing to play"
  }

  /// The bar between the elapsed and the remaining time; in a narrow terminal before the elapsed one.
  private func progress(of player: WatchedPlayer, _ position: Int64?, _ style: StyledText.Style) -> StyledText {
    let times = WatchLine(player: player, position: position).times
    guard let position, let duration = player.duration, duration > 0 else { return StyledText(times) }
    let bar = ProgressBar(
      position: position, duration: duration, marks: player.chapters.map(\.start), loaded: player.loadedRanges)
    guard width >= Self.leastForTimes else {
      let room = width - 2 - times.columns - 2
      return room < 4 ? StyledText(times) : bar.styled(style, width: room) + StyledText("  " + times)
    }
    // Whole seconds, so that both times change at once.
    let rest = (duration / 1_000_000 - position / 1_000_000) * 1_000_000
    let (left, right) = (ClockTime.text(position) + "  ", "  -\(ClockTime.text(rest)) / \(ClockTime.text(duration))")
    return StyledText(left) + bar.styled(style, width: max(0, width - 2 - left.columns - right.columns))
      + StyledText(right)
  }

  private func state(of player: WatchedPlayer) -> String {
    let waiting = WatchLine(player: player, position: nil).waiting
    return waiting.isEmpty ? player.status.lowercased() : String(waiting.drop { $0 == " " })
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
      player.loop == "None" ? nil : "loop \(player.loop.lowercased())", player.isShuffled ? "shuffle" : nil,
    ]
    return joinedTexts(settings, by: ", ")
  }

  private func chapter(of player: WatchedPlayer) -> String {
    let chapters = player.chapters
    guard let index = player.currentChapter, chapters.indices.contains(index) else { return "" }
    return joinedTexts(["chapter \(index + 1) of \(chapters.count)", chapters[index].title], by: ": ")
  }

  private var lyricsText: String { lyrics.lines.isEmpty ? "no lyrics with times" : "♪ " + lyrics.text }

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
    let keysWidth = ScreenKeys.help.map(\.keys.columns).max() ?? 0
    let effectWidth = ScreenKeys.help.map(\.effect.columns).max() ?? 0
    let (margin, gap) = width < 2 + keysWidth + 2 + effectWidth ? ("", " ") : ("  ", "  ")
    let indent = margin.columns + keysWidth + gap.columns
    let entries = ScreenKeys.help.map { keys, effect in
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

  /// The tracks around the selected or else the current one.
  private func queueRows(_ count: Int) -> [StyledText] {
    let shown = list.shown(in: count, current: player?.queueIndex)
    let table = QueueTable(
      part: list.tracks, of: list.total, current: player?.queueIndex, selected: list.selected, width: size.columns)
    return table.lines { shown.contains($0.index) }
  }

  /// The current line with a note and in bold, between as many others as fit.
  private func lyricsRows(_ room: Int) -> [StyledText] {
    guard !lyrics.lines.isEmpty else { return [StyledText("  no lyrics with times", .dim)] }
    let count = min(lyrics.lines.count, room)
    let first = min(max(0, (lyrics.index ?? 0) - count / 2), lyrics.lines.count - count)
    return (first..<first + count).map { index in
      let isCurrent = index == lyrics.index
      return StyledText((isCurrent ? "♪ " : "  ") + lyrics.lines[index].text, isCurrent ? .bold : .dim)
    }
  }
}

extension TrackSearch {
  /// The typed text, and the found tracks around the selected one.
  fileprivate func rows(_ room: Int, current: Int64?, width: Int) -> [StyledText] {
    let result = tracks == nil ? "reading the queue" : found.isEmpty ? "no track has it" : ""
    let head = StyledText("/" + text + "▏" + (result.isEmpty ? "" : "  " + result), .bold)
    let count = max(0, min(found.count, room - 1))
    let first = max(0, min(selected - count / 2, found.count - count))
    let table = QueueTable(
      part: Array(found.dropFirst(first).prefix(count)), of: Int64(tracks?.count ?? 0), current: current,
      selected: selection?.index, width: width)
    return [head] + table.lines
  }
}
