import DBus
import PlayerdInterfaces
import PlayerdSystem

/// The state of the screen, as a pure value: keys change it and return requests, and its lines follow from it.
package struct PlayerScreen: Sendable {
  /// The part below the player.
  package enum Panel: Equatable, Sendable {
    /// The queue.
    case none
    case lyrics
    /// The keys, with the page of their list.
    case help(page: Int)
    case find(TrackSearch)
  }

  /// The state of the daemon; nil while none runs.
  var player: WatchedPlayer? { didSet { if player == nil { list = QueueList() } } }
  var lyrics = LyricsSheet()
  /// A message for the user, until the next key.
  var notice: String?
  /// The columns and lines of the terminal.
  var size = (columns: 80, lines: 24)
  private(set) var panel: Panel
  private(set) var list = QueueList()
  /// Whether the current line of the lyrics is shown.
  private(set) var hasLyricsLine = false
  /// Whether the screen asks the user if playback continues.
  private(set) var asksToContinue = false
  /// The panel without help and search: the lyrics, or the queue.
  private let base: Panel
  /// Whether this command has started the daemon; otherwise it only shows it, and leaving does not ask.
  let ownsPlayer: Bool
  /// The keys without an effect that were reported.
  private var reported: Set<Character> = []

  init(panel: Panel = .none, ownsPlayer: Bool = false) {
    (self.panel, self.ownsPlayer) = (panel, ownsPlayer)
    base = panel == .lyrics ? .lyrics : .none
  }

  /// Whether the lyrics are followed.
  var followsLyrics: Bool { hasLyricsLine || base == .lyrics }

  // MARK: Keys

  /// Changes the state by a key; returns its request.
  mutating func press(_ key: ScreenKey) -> PlayerAction? {
    // A pasted text is a part of the typed one, and no request.
    if case .paste(let text) = key {
      if case .find(var search) = panel {
        search.text.unicodeScalars.append(contentsOf: text.unicodeScalars.filter { !$0.isControl })
        panel = .find(search)
      }
      return nil
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
        panel = base
      } else {
        panel = .help(page: 0)
      }
    case .character("l"):
      hasLyricsLine.toggle()
      return base == .lyrics ? nil : .lyrics(hasLyricsLine)
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
    case .escape: if panel == base { list.deselect() } else { panel = base }
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
    case .escape: panel = base
    case .enter:
      guard let track = search.selection else {
        search.playsWhenRead = search.tracks == nil
        return nil
      }
      panel = base
      return .play(track.index, revision: search.revision)
    case .up: search.select(-1)
    case .down, .tab: search.select(1)
    case .pageUp: search.select(-Int(listPage))
    case .pageDown: search.select(Int(listPage))
    case .home: search.select(-search.found.count)
    case .end: search.select(search.found.count)
    case .backspace: search.text = String(search.text.dropLast())
    case .character(let character): search.text.append(character)
    case .left, .right, .paste: break
    }
    return nil
  }

  // MARK: Queue

  /// The distance of a page in the list.
  private var listPage: Int64 { Int64(max(1, listRows - 1)) }

  private mutating func select(_ distance: Int64) {
    if case .help = panel { panel = base }
    list.select(distance, from: player?.queueIndex, of: player?.queueCount ?? 0)
  }

  /// Plays or removes the selected track.
  private mutating func change(by key: ScreenKey) -> PlayerAction? {
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
    panel = .find(search)
    return isEntered ? press(.enter) : nil
  }
}

/// A search in the queue while the user types.
package struct TrackSearch: Equatable, Sendable {
  /// The whole queue; nil until it is read.
  private(set) var tracks: [QueuedTrack]? { didSet { search() } }
  /// The revision of that queue.
  private(set) var revision: UInt64 = 0
  var text = "" { didSet { search() } }
  /// Whether Enter was typed before the queue was read.
  var playsWhenRead = false
  private(set) var found: [QueuedTrack] = []
  private(set) var selected = 0

  var selection: QueuedTrack? { found.indices.contains(selected) ? found[selected] : nil }

  /// Searches in a queue that was read; the same track stays selected.
  mutating func show(_ queue: QueuePage) {
    let selectedID = selection?.trackID
    (revision, tracks) = (queue.revision, queue.rows)
    selected = found.firstIndex { $0.trackID != nil && $0.trackID == selectedID } ?? 0
  }

  /// Selects the found track that is so many tracks away.
  mutating func select(_ distance: Int) { selected = min(max(0, selected + distance), max(0, found.count - 1)) }

  private mutating func search() {
    let words = SearchWords(text.split(separator: " ").map { String($0) })
    found = (tracks ?? []).filter { $0.matches(words) }
    selected = 0
    playsWhenRead = false
  }
}
