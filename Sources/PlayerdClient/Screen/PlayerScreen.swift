import DBus
import PlayerdInterfaces
import PlayerdSystem

/// The state of the screen, as a pure value: keys change it and return requests, and its lines follow from it.
struct PlayerScreen: Sendable {
  /// The part below the player.
  enum Panel: Equatable, Sendable {
    /// The queue; with the lyrics beside it, or instead of it in a narrow terminal.
    case queue
    /// The keys, with the page of their list.
    case help(page: Int)
    case find(TrackSearch)
  }

  /// The state of the daemon; nil while none runs.
  var player: WatchedPlayer? { didSet { if player == nil { (list, lyrics) = (QueueList(), nil) } } }
  /// The lyrics of the current track; nil until they are read.
  var lyrics: LyricsSheet?
  /// A message for the user, until the next key.
  var notice: String?
  /// The columns and lines of the terminal.
  var size = (columns: 80, lines: 24)
  private(set) var panel = Panel.queue
  private(set) var list = QueueList()
  /// Whether the lyrics are shown and followed.
  private(set) var showsLyrics: Bool
  /// Whether the screen asks the user if playback continues.
  private(set) var asksToContinue = false
  /// Whether this command has started the daemon; otherwise it only shows it, and leaving does not ask.
  let ownsPlayer: Bool
  /// Whether the terminal reports its mouse.
  let hasMouse: Bool
  /// The keys without an effect that were reported.
  private var reported: Set<Character> = []
  /// The last click if it has selected a track, and its time in microseconds.
  private var lastClick: (cell: ScreenCell, time: Int64)?

  init(showsLyrics: Bool = false, ownsPlayer: Bool = false, hasMouse: Bool = false) {
    (self.showsLyrics, self.ownsPlayer, self.hasMouse) = (showsLyrics, ownsPlayer, hasMouse)
  }

  // MARK: Keys

  /// Changes the state by a key at an instant of `CLOCK_MONOTONIC` in microseconds; returns its request.
  mutating func press(_ key: ScreenKey, at now: Int64) -> PlayerAction? {
    // A pasted text is a part of the typed one, and no request.
    if case .paste(let text) = key {
      if case .find(var search) = panel {
        search.text.unicodeScalars.append(contentsOf: text.unicodeScalars.filter { !$0.isControl })
        panel = .find(search)
      }
      return nil
    }
    switch key {
    case .click(let cell): return asksToContinue ? nil : click(cell, at: now)
    case .wheel(let step, let cell): return asksToContinue ? nil : turnWheel(step, at: cell, now)
    default: lastClick = nil
    }
    notice = nil
    if asksToContinue { return answer(key) }
    if case .find(var search) = panel {
      let action = find(key, &search)
      if case .find = panel { panel = .find(search) }
      return action
    }
    switch key {
    case .character("q"):
      guard ownsPlayer else { return .leave(continues: true) }
      // There is nothing to ask about.
      guard player != nil else { return .leave(continues: false) }
      asksToContinue = true
    case .character("?"):
      if case .help(let page) = panel, page + 1 < helpPages.count {
        panel = .help(page: page + 1)
      } else if case .help = panel {
        panel = .queue
      } else {
        panel = .help(page: 0)
      }
    case .character("l"):
      panel = .queue
      showsLyrics.toggle()
      lyrics = nil
      return .lyrics(showsLyrics)
    case .character("/"):
      panel = .find(TrackSearch())
      return .readQueue
    case .up: select(-1)
    case .down: select(1)
    case .pageUp: select(-listPage)
    case .pageDown: select(listPage)
    case .home: select(-QueuePage.totalLimit)
    case .end: select(QueuePage.totalLimit)
    case .tab: if list.selected == nil { select(0) } else { list.deselect() }
    case .escape: if panel == .queue { list.deselect() } else { panel = .queue }
    case .enter, .character("d"): return change(by: key)
    default:
      if let action = ScreenKeys.action(of: key) { return action }
      if case .character(let character) = key, reported.insert(character).inserted {
        notice = "no key “\(character)”; ? lists the keys"
      }
    }
    return nil
  }

  private mutating func answer(_ key: ScreenKey) -> PlayerAction? {
    asksToContinue = false
    switch key {
    case .enter, .character("y"), .character("Y"), .character("q"): return .leave(continues: true)
    case .character("n"), .character("N"): return .leave(continues: false)
    default: return nil
    }
  }

  private mutating func find(_ key: ScreenKey, _ search: inout TrackSearch) -> PlayerAction? {
    switch key {
    case .escape: panel = .queue
    case .enter: if !search.revealSelection(in: listRows) { return play(&search) }
    case .up: search.select(-1)
    case .down, .tab: search.select(1)
    case .pageUp: search.select(-Int(listPage))
    case .pageDown: search.select(Int(listPage))
    case .home: search.select(-search.found.count)
    case .end: search.select(search.found.count)
    case .backspace: search.text = String(search.text.dropLast())
    case .character(let character): search.text.append(character)
    case .left, .right, .paste, .click, .wheel: break
    }
    return nil
  }

  /// Plays the selected track of a search, or later if the queue is not read yet.
  private mutating func play(_ search: inout TrackSearch) -> PlayerAction? {
    guard let track = search.selection else {
      search.playsWhenRead = search.tracks == nil
      return nil
    }
    panel = .queue
    return .play(track.index, revision: search.revision)
  }

  // MARK: Mouse

  /// The longest time between the presses of a double click, in microseconds.
  static let doubleClickTime: Int64 = 500_000
  /// The tracks that a step of the wheel scrolls.
  private static let wheelStep = 3

  private mutating func click(_ cell: ScreenCell, at now: Int64) -> PlayerAction? {
    // The list may have moved since the first click has selected the track.
    if let last = lastClick, last.cell == cell, now - last.time <= Self.doubleClickTime {
      return press(.enter, at: now)
    }
    lastClick = nil
    notice = nil
    let rows = listRows
    switch target(at: cell, now) {
    case .position(let position)?:
      return player?.trackID.map { .seekTo(position, trackID: $0) }
    case .track(let index)?:
      list.select(shown: index, in: rows, current: player?.queueIndex)
      lastClick = (cell, now)
    case .found(let place)?:
      guard case .find(var search) = panel else { break }
      search.select(shown: place, in: rows)
      panel = .find(search)
      lastClick = (cell, now)
    case nil: break
    }
    return nil
  }

  private mutating func turnWheel(_ step: Int, at cell: ScreenCell, _ now: Int64) -> PlayerAction? {
    guard cell.column < size.columns, cell.line < size.lines else { return nil }
    notice = nil
    let rows = listRows
    switch target(at: cell, now) {
    case .track?: list.scroll(Int64(step * Self.wheelStep), in: rows, current: player?.queueIndex)
    case .found?:
      guard case .find(var search) = panel else { break }
      search.scroll(step * Self.wheelStep, in: rows)
      panel = .find(search)
    case .position?, nil: return player == nil ? nil : .volume(-2 * step)
    }
    return nil
  }

  // MARK: Queue

  /// The distance of a page in the list.
  private var listPage: Int64 { Int64(max(1, listRows - 1)) }

  private mutating func select(_ distance: Int64) {
    if case .help = panel { panel = .queue }
    list.select(distance, from: player?.queueIndex, of: player?.queueCount ?? 0)
  }

  /// Plays or removes the selected track.
  private mutating func change(by key: ScreenKey) -> PlayerAction? {
    // Nothing happens to a track that was scrolled away.
    if list.revealSelection(in: listRows, current: player?.queueIndex) { return nil }
    guard let track = list.selection, let revision = list.revision else {
      notice = "select a track with ↑ ↓ first"
      return nil
    }
    if list.isChanging { return nil }
    guard key == .enter else {
      list.beginChange()
      return .remove(track.index, name: track.name, revision: revision)
    }
    list.deselect()
    return .play(track.index, revision: revision)
  }

  /// The part of the queue that has to be read for the list; nil for none.
  mutating func queuePart() -> Range<Int64>? {
    guard let player else { return nil }
    return list.request(rows: listRows, current: player.queueIndex, revision: player.queueRevision)
  }

  /// Shows a part of the queue in the list; returns whether to read it once more after a while.
  mutating func show(part: QueuePage) -> Bool { player != nil && list.show(part) }

  /// Reads the part once more.
  mutating func reloadPart() { list.invalidate() }

  /// Reads the tracks again after one has begun or failed; returns the request of a search.
  mutating func reloadTracks() -> PlayerAction? {
    list.invalidate()
    if case .find = panel { return .readQueue }
    return nil
  }

  /// Shows the whole queue, which was read for a search.
  ///
  /// - Returns: The request of an Enter that was typed before it was read.
  mutating func show(_ queue: QueuePage) -> PlayerAction? {
    guard case .find(var search) = panel else { return nil }
    let isEntered = search.playsWhenRead
    search.show(queue)
    let action = isEntered ? play(&search) : nil
    if action == nil { panel = .find(search) }
    return action
  }
}

/// A search in the queue while the user types.
struct TrackSearch: Equatable, Sendable {
  /// The whole queue; nil until it is read.
  private(set) var tracks: [QueuedTrack]? { didSet { search() } }
  /// The revision of that queue.
  private(set) var revision: UInt64 = 0
  var text = "" { didSet { search() } }
  /// Whether Enter was typed before the queue was read.
  var playsWhenRead = false
  private(set) var found: [QueuedTrack] = []
  private(set) var selected = 0
  private var window = ListWindow()

  var selection: QueuedTrack? { found.indices.contains(selected) ? found[selected] : nil }

  /// Searches in a queue that was read; the same track stays selected.
  mutating func show(_ queue: QueuePage) {
    let selectedID = selection?.trackID
    (revision, tracks) = (queue.revision, queue.rows)
    selected = found.firstIndex { $0.trackID != nil && $0.trackID == selectedID } ?? 0
  }

  /// Selects the found track that is so many tracks away.
  mutating func select(_ distance: Int) {
    selected = min(max(0, selected + distance), max(0, found.count - 1))
    window.centre()
  }

  /// Selects a found track that is shown, in a number of rows, where it is.
  mutating func select(shown place: Int, in rows: Int) {
    window.scroll(to: Int64(shown(in: rows).lowerBound))
    selected = place
  }

  /// Shows other found tracks in a number of rows.
  mutating func scroll(_ distance: Int, in rows: Int) {
    let shown = shown(in: rows)
    window.scroll(to: Int64(min(max(0, shown.lowerBound + distance), found.count - shown.count)))
  }

  /// Shows the selected track if it was scrolled away; returns whether it was.
  mutating func revealSelection(in rows: Int) -> Bool {
    guard !window.isCentred, !shown(in: rows).contains(selected) else { return false }
    window.centre()
    return true
  }

  /// Returns the places of the found tracks that are shown in a number of rows.
  func shown(in rows: Int) -> Range<Int> {
    let shown = window.shown(in: rows, of: Int64(found.count), around: Int64(selected))
    return Int(shown.lowerBound)..<Int(shown.upperBound)
  }

  private mutating func search() {
    let words = SearchWords(text.split(separator: " ").map { String($0) })
    found = (tracks ?? []).filter { $0.matches(words) }
    selected = 0
    window.centre()
    playsWhenRead = false
  }
}
