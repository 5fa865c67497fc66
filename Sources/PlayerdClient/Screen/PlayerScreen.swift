import DBus
package import PlayerdInterfaces
import PlayerdSystem

/// The state of the screen, as a pure value: keys change it and return requests, and its lines follow from it.
package struct PlayerScreen: Sendable {
  /// The part below the player.
  package enum Panel: Equatable, Sendable {
    case none, lyrics
    /// The keys, with the page of their list.
    case help(page: Int)
    /// The tracks after the current one; nil until they are read.
    case next([QueuedTrack]?)
    case find(TrackSearch)
  }

  /// The state of the daemon; nil while none runs.
  var player: WatchedPlayer?
  var lyrics = LyricsSheet()
  /// A message for the user, until the next key.
  var notice: String?
  /// The columns and lines of the terminal.
  var size = (columns: 80, lines: 24)
  private(set) var panel: Panel
  /// Whether the current line of the lyrics is shown.
  private(set) var hasLyricsLine = false
  /// Whether the screen asks the user if playback continues.
  private(set) var asksToContinue = false

  init(panel: Panel = .none) { self.panel = panel }

  /// Whether the lyrics are followed.
  var followsLyrics: Bool { hasLyricsLine || panel == .lyrics }

  /// Whether the tracks after the current one are shown.
  var showsNext: Bool { if case .next = panel { true } else { false } }

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
      // There is nothing to ask about.
      guard player != nil else { return .leave(continues: false) }
      asksToContinue = true
      return nil
    case .character("?"):
      if case .help(let page) = panel, page + 1 < helpPages.count {
        panel = .help(page: page + 1)
      } else if case .help = panel {
        panel = .none
      } else {
        panel = .help(page: 0)
      }
    case .character("l"):
      hasLyricsLine.toggle()
      return panel == .lyrics ? nil : .lyrics(hasLyricsLine)
    case .tab:
      panel = showsNext ? .none : .next(nil)
      return showsNext ? .readNext : nil
    case .character("/"):
      panel = .find(TrackSearch())
      return .readQueue
    case .escape: panel = .none
    default: return ScreenKeys.action(of: key)
    }
    return nil
  }

  private mutating func answer(_ key: ScreenKey) -> PlayerAction? {
    asksToContinue = false
    switch key {
    case .character("y"), .character("Y"): return .leave(continues: true)
    case .character("n"), .character("N"), .character("q"): return .leave(continues: false)
    default: return nil
    }
  }

  private mutating func find(_ key: ScreenKey, _ search: inout TrackSearch) -> PlayerAction? {
    switch key {
    case .escape: panel = .none
    case .enter:
      guard let track = search.selection else {
        search.playsWhenRead = search.tracks == nil
        return nil
      }
      panel = .none
      return .play(track.index, revision: search.revision)
    case .up: search.select(-1)
    case .down, .tab: search.select(1)
    case .backspace: search.text = String(search.text.dropLast())
    case .character(let character): search.text.append(character)
    case .left, .right, .paste: break
    }
    return nil
  }

  // MARK: Tracks

  /// The request after a change of the queue; nil if the panel does not show tracks.
  var queueRequest: PlayerAction? {
    switch panel {
    case .next: .readNext
    case .find: .readQueue
    case .none, .help, .lyrics: nil
    }
  }

  /// Shows tracks that were read for the panel; `isAll` if they are the whole queue.
  ///
  /// - Returns: The request of an Enter that was typed before they were read.
  mutating func show(_ page: QueuePage, isAll: Bool) -> PlayerAction? {
    switch panel {
    case .next where !isAll: panel = .next(page.rows)
    case .find(var search) where isAll:
      let isEntered = search.playsWhenRead
      search.show(page)
      panel = .find(search)
      return isEntered ? press(.enter) : nil
    default: break
    }
    return nil
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
