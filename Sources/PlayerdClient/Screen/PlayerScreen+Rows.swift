import DBus
import PlayerdInterfaces
import PlayerdSystem

extension PlayerScreen {
  /// A line with the order in which lines are left out if the terminal is too small: the highest first.
  private struct Candidate {
    var row: StyledText
    var priority: Int
  }

  /// The lines that can be drawn; one line of the terminal stays free, so that drawing does not scroll its contents away.
  private var room: Int { max(1, size.lines - 1) }
  /// The columns that can be drawn; not the last one, after which some terminals wrap.
  private var width: Int { max(0, size.columns - 1) }

  /// Returns the lines, which fit into the terminal.
  func rows(at now: Int64) -> [StyledText] {
    guard let player else {
      return chosen([Candidate(row: StyledText("waiting for \(Names.executable)"), priority: 1)] + panelCandidates)
    }
    let position = player.position(at: now)
    if room == 1, message.isEmpty, panel == .none {
      return [StyledText(WatchLine(player: player, position: position).text(width: size.columns))]
    }
    return chosen(playerCandidates(player, position) + panelCandidates)
  }

  /// Returns the microseconds until the shown time changes; nil while the position is held.
  func redrawDelay(at now: Int64) -> Int64? {
    guard let player, let position = player.position(at: now), let rate = player.positionRate, rate > 0,
      player.duration.map({ position < $0 }) ?? true
    else { return nil }
    let rest = 1_000_000 - position % 1_000_000
    return max(1000, Int64((Double(rest) / rate).rounded(.up)))
  }

  private func chosen(_ candidates: [Candidate]) -> [StyledText] {
    let kept = candidates.indices.sorted { (candidates[$0].priority, $0) < (candidates[$1].priority, $1) }.prefix(room)
    return kept.sorted().map { candidates[$0].row.cut(toColumns: width) }
  }

  // MARK: Player

  private func playerCandidates(_ player: WatchedPlayer, _ position: Int64?) -> [Candidate] {
    let line = WatchLine(player: player, position: position)
    let title = TrackTitle.text(player.title, nil, uri: player.uri)
    let style = StyledText.Style(status: player.status, timeControlStatus: player.timeControlStatus)
    let settings = joinedTexts([player.placeText, sound(of: player)], by: ", ")
    let rows: [(row: StyledText, priority: Int)] = [
      (StyledText(joinedTexts([player.artist, player.album], by: " – ")), 5),
      (progress(of: player, position, line.times, style), 2),
      (StyledText(state(of: player), style) + StyledText(", " + settings, .dim), 4),
      (StyledText(chapter(of: player)), 6),
      (StyledText(hasLyricsLine && panel != .lyrics ? lyricsText : ""), 3),
      (StyledText(panel == .none ? "? lists the keys, q leaves" : "", .dim), 7),
    ]
    let first = StyledText(line.symbol + " " + (title.isEmpty ? nothing(in: player) : title), .bold)
    return [Candidate(row: first, priority: 1)]
      + rows.filter { $0.row.columns > 0 }.map { Candidate(row: StyledText("  ") + $0.row, priority: $0.priority) }
  }

  private func nothing(in player: WatchedPlayer) -> String {
    player.timeControlStatus == "waitingToPlay" ? "opening" : "nothing to play"
  }

  private func progress(
    of player: WatchedPlayer, _ position: Int64?, _ times: String, _ style: StyledText.Style
  ) -> StyledText {
    let room = width - 2 - times.columns - 2
    guard room >= 4, let position, let duration = player.duration, duration > 0 else { return StyledText(times) }
    let bar = ProgressBar(position: position, duration: duration, marks: player.chapters.map(\.start))
    return bar.styled(style, width: room) + StyledText("  " + times)
  }

  private func state(of player: WatchedPlayer) -> String {
    let waiting = WatchLine(player: player, position: nil).waiting
    return waiting.isEmpty ? player.status.lowercased() : String(waiting.drop { $0 == " " })
  }

  private func sound(of player: WatchedPlayer) -> String {
    let settings: [String?] = [
      "volume " + PlayerStatus.percent(ofVolume: player.volume), player.isMuted ? "muted" : nil,
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

  // MARK: Panels

  /// The lines of the question or the message; they have precedence over all others.
  private var message: [StyledText] {
    let text = asksToContinue ? "Continue playing? y: yes, n: quit the player" : notice ?? ""
    return text.wrapped(toColumns: width).map { StyledText($0, .bold) }
  }

  private var panelCandidates: [Candidate] {
    var rows: [StyledText] = []
    switch panel {
    case .none: break
    case .help(let page):
      let pages = helpPages
      // The terminal may be larger than it was when the page was selected.
      let shown = min(page, pages.count - 1)
      let note = "\(shown + 1)/\(pages.count)  ?: \(shown + 1 < pages.count ? "more keys" : "close")"
      let rows = message + pages[shown] + (pages.count > 1 ? [StyledText(note, .dim)] : [])
      return rows.map { Candidate(row: $0, priority: 0) }
    case .lyrics: rows = lyricsRows
    case .next(let tracks): rows = nextRows(tracks)
    case .find(let search): rows = search.rows(room: room)
    }
    var candidates = rows.map { Candidate(row: $0, priority: 3) }
    // The user must see the typed text.
    if case .find = panel { candidates[0].priority = 0 }
    return message.map { Candidate(row: $0, priority: 0) } + candidates
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

  private func nextRows(_ tracks: [QueuedTrack]?) -> [StyledText] {
    guard let tracks else { return [] }
    if player?.isShuffled == true { return [StyledText("  the next tracks are in random order", .dim)] }
    if tracks.isEmpty { return [StyledText("  this is the last track of the queue", .dim)] }
    let width = "\(tracks.last?.number ?? 0)".count
    return tracks.map { StyledText($0.line(width: width)) }
  }

  /// The current line in bold, between as many others as fit.
  private var lyricsRows: [StyledText] {
    guard !lyrics.lines.isEmpty else { return [StyledText("  no lyrics with times", .dim)] }
    let count = max(1, min(lyrics.lines.count, room - 3, 15))
    let first = min(max(0, (lyrics.index ?? 0) - count / 2), lyrics.lines.count - count)
    return (first..<first + count).map { index in
      StyledText("  " + lyrics.lines[index].text, index == lyrics.index ? .bold : .dim)
    }
  }
}

extension TrackSearch {
  /// The typed text, and the found tracks around the selected one.
  fileprivate func rows(room: Int) -> [StyledText] {
    let result = tracks == nil ? "reading the queue" : found.isEmpty ? "no track has it" : ""
    let head = StyledText("/" + text + "▏" + (result.isEmpty ? "" : "  " + result), .bold)
    let count = max(1, min(found.count, room - 3, 10))
    let first = max(0, min(selected - count / 2, found.count - count))
    let width = "\(found.last?.number ?? 0)".count
    return [head]
      + found.indices.dropFirst(first).prefix(count).map { index in
        StyledText(found[index].line(width: width), index == selected ? .reverse : .plain)
      }
  }
}
