import DBus
import PlayerdInterfaces

extension PlayerScreen {
  /// A line with the order in which lines are left out if the terminal is too small: the highest first.
  private struct Candidate {
    var row: ScreenRow
    var priority: Int
  }

  /// Returns the lines for a terminal, none of which fills its last column: some terminals wrap after it.
  ///
  /// One line of the terminal stays free, so that drawing does not scroll its contents away.
  func rows(columns: Int, lines: Int, at now: Int64) -> [ScreenRow] {
    let room = max(1, lines - 1)
    let width = max(0, columns - 1)
    var candidates = panelCandidates(room: room)
    guard let player else {
      candidates = [Candidate(row: ScreenRow(text: "waiting for \(Names.executable)"), priority: 1)] + candidates
      return Self.chosen(candidates, room: room, width: width)
    }
    let position = player.position(at: now)
    if room == 1, message == nil, panel == .none {
      return [ScreenRow(text: WatchLine(player: player, position: position).text(width: columns))]
    }
    return Self.chosen(playerCandidates(player, position, width) + candidates, room: room, width: width)
  }

  /// Returns the microseconds until the shown time changes; nil while the position is held.
  func redrawDelay(at now: Int64) -> Int64? {
    guard let player, let position = player.position(at: now), let rate = player.positionRate, rate > 0,
      player.duration.map({ position < $0 }) ?? true
    else { return nil }
    let rest = 1_000_000 - position % 1_000_000
    return max(1000, Int64((Double(rest) / rate).rounded(.up)))
  }

  private static func chosen(_ candidates: [Candidate], room: Int, width: Int) -> [ScreenRow] {
    let kept = candidates.indices.sorted { (candidates[$0].priority, $0) < (candidates[$1].priority, $1) }.prefix(room)
    return kept.sorted().map { index in
      let row = candidates[index].row
      return ScreenRow(text: row.text.withoutControls.cut(toColumns: width), style: row.style)
    }
  }

  // MARK: Player

  private func playerCandidates(_ player: WatchedPlayer, _ position: Int64?, _ width: Int) -> [Candidate] {
    let line = WatchLine(player: player, position: position)
    let title = TrackTitle.text(player.title, nil, uri: player.uri)
    let rows: [(text: String, style: ScreenRow.Style, priority: Int)] = [
      (joinedTexts([player.artist, player.album], by: " – "), .plain, 5),
      (progress(of: player, position, line.times, width - 2), .plain, 2),
      (joinedTexts([state(of: player), place, sound(of: player)], by: ", "), .dim, 4),
      (chapter(of: player), .plain, 6),
      (hasLyricsLine && panel != .lyrics ? lyricsText : "", .plain, 3),
      (panel == .none ? "? lists the keys, q leaves" : "", .dim, 7),
    ]
    let first = ScreenRow(text: line.symbol + " " + (title.isEmpty ? nothing(in: player) : title), style: .bold)
    return [Candidate(row: first, priority: 1)]
      + rows.filter { !$0.text.isEmpty }
      .map { Candidate(row: ScreenRow(text: "  " + $0.text, style: $0.style), priority: $0.priority) }
  }

  private func nothing(in player: WatchedPlayer) -> String {
    player.timeControlStatus == "waitingToPlay" ? "opening" : "nothing to play"
  }

  private func progress(of player: WatchedPlayer, _ position: Int64?, _ times: String, _ width: Int) -> String {
    guard let position, let duration = player.duration, duration > 0 else { return times }
    let bar = ProgressBar(position: position, duration: duration, marks: player.chapters.map(\.start))
    let rest = width - times.columns - 2
    return rest < 4 ? times : bar.text(width: rest) + "  " + times
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

  /// The question or the message; it has precedence over every other line.
  private var message: ScreenRow? {
    if asksToContinue { return ScreenRow(text: "Continue playing? y: yes, n: quit the player", style: .bold) }
    return notice.map { ScreenRow(text: $0, style: .bold) }
  }

  private func panelCandidates(room: Int) -> [Candidate] {
    var rows: [ScreenRow] = []
    switch panel {
    case .none: break
    case .help:
      let width = ScreenKeys.help.map(\.keys.columns).max() ?? 0
      rows = ScreenKeys.help.map { keys, effect in
        ScreenRow(text: "  " + keys + String(repeating: " ", count: width - keys.columns + 2) + effect)
      }
    case .lyrics: rows = lyricsRows(room: room)
    case .next(let tracks): rows = nextRows(tracks)
    case .find(let search): rows = search.rows(room: room)
    }
    var candidates = rows.map { Candidate(row: $0, priority: 3) }
    // The user must see the typed text.
    if case .find = panel { candidates[0].priority = 0 }
    return (message.map { [Candidate(row: $0, priority: 0)] } ?? []) + candidates
  }

  private func nextRows(_ tracks: [QueuedTrack]?) -> [ScreenRow] {
    guard let tracks else { return [] }
    if player?.isShuffled == true { return [ScreenRow(text: "  the next tracks are in random order", style: .dim)] }
    if tracks.isEmpty { return [ScreenRow(text: "  this is the last track of the queue", style: .dim)] }
    let width = "\(tracks.last?.number ?? 0)".count
    return tracks.map { ScreenRow(text: $0.line(width: width)) }
  }

  /// The current line in bold, between as many others as fit.
  private func lyricsRows(room: Int) -> [ScreenRow] {
    guard !lyrics.lines.isEmpty else { return [ScreenRow(text: "  no lyrics with times", style: .dim)] }
    let count = max(1, min(lyrics.lines.count, room - 3, 15))
    let first = min(max(0, (lyrics.index ?? 0) - count / 2), lyrics.lines.count - count)
    return (first..<first + count).map { index in
      ScreenRow(text: "  " + lyrics.lines[index].text, style: index == lyrics.index ? .bold : .dim)
    }
  }
}

extension TrackSearch {
  /// The typed text, and the found tracks around the selected one.
  fileprivate func rows(room: Int) -> [ScreenRow] {
    let result = tracks == nil ? "reading the queue" : found.isEmpty ? "no track has it" : ""
    let head = ScreenRow(text: "/" + text + "▏" + (result.isEmpty ? "" : "  " + result), style: .bold)
    let count = max(1, min(found.count, room - 3, 10))
    let first = max(0, min(selected - count / 2, found.count - count))
    let width = "\(found.last?.number ?? 0)".count
    return [head]
      + found.indices.dropFirst(first).prefix(count).map { index in
        ScreenRow(text: found[index].line(width: width), style: index == selected ? .reverse : .plain)
      }
  }
}
