import PlayerdInterfaces
import PlayerdSystem

/// The screen as lines of text, for screen readers: a line for each change and for the answer to a key, and none is redrawn.
///
/// The keys change the same state as on the screen; the lines are made of its changes.
struct PlainScreen: Sendable {
  /// The key that asks for the track and the time, which no line has otherwise.
  static let timeKey: (key: ScreenKey, keys: String, effect: String) = (
    .character("t"), "t", "the track, the time and the state"
  )

  private var text = WatchText(withholdsLoading: true)
  /// The index of the track that was selected last in the queue.
  private var selected: Int64?
  /// The last answer of a search; nil without one.
  private var found: String?
  /// The line of the lyrics that was printed last; nil while they are off.
  private var lyrics: String?
  /// The number of requested edits whose answer is another line, so that their changes of the queue need none.
  private var answeredEdits = 0
  /// Whether the last key removes a track, so that the next selected one needs no line.
  private var answersRemoval = false

  /// Whether a line waits for ``overdue()``.
  var isWaiting: Bool { text.isWaiting }

  /// Returns the line about a wait that has lasted for ``patience``.
  mutating func overdue() -> String? { text.overdue() }

  /// The time in which a track is usually opened.
  static let patience = Duration.seconds(1)

  /// Returns the lines about an update of the player.
  mutating func lines(of update: WatchFeed.Update) -> [String] {
    let before = text.queue
    let lines = text.lines(of: update)
    guard answeredEdits > 0, let queue = text.queue, queue != before else { return lines }
    answeredEdits -= 1
    return lines.filter { $0 != queue }
  }

  /// Prepares for the answer to a request of a key.
  mutating func expect(_ action: PlayerAction?) {
    answersRemoval = false
    switch action {
    case .remove:
      answeredEdits += 1
      answersRemoval = true
    case .undo: answeredEdits += 1
    // The change may be reported after the answer, and after the next key.
    case .readQueue, nil: break
    default: answeredEdits = 0
    }
  }

  /// Returns the lines about the changes of the screen since the last call, and takes its message.
  mutating func lines(of screen: inout PlayerScreen) -> [String] {
    var lines: [String] = []
    if case .help = screen.panel {
      lines += Self.help
      // The list is printed once.
      _ = screen.press(.escape, at: monotonicMicroseconds())
    }
    if let notice = screen.notice {
      lines.append(Self.withoutArrows(notice))
      screen.notice = nil
    }
    lines += [selection(of: screen), search(of: screen), lyrics(of: screen)].compactMap { $0 }
    return lines.map(\.withoutControls)
  }

  /// Returns the answer to ``timeKey``.
  static func time(_ screen: PlayerScreen, at now: Int64) -> String {
    guard let player = screen.player else { return "waiting for \(Names.executable)" }
    let title = TrackTitle.text(player.title, player.artist, uri: player.uri)
    let time = player.position(at: now).map { position in
      ClockTime.text(position) + (player.duration.map { " of \(ClockTime.text($0))" } ?? "")
    }
    let state =
      player.timeControlStatus == "waitingToPlay"
      ? PlayerStatus.text(ofWait: player.reasonForWaiting, bufferingPercent: player.bufferingPercent)
      : player.status.lowercased()
    return joinedTexts([title, time, state, player.placeText], by: ", ").withoutControls
  }

  // MARK: Changes

  private mutating func selection(of screen: PlayerScreen) -> String? {
    guard screen.list.selected != nil else {
      selected = nil
      return nil
    }
    // A track that is not read yet has no title.
    guard let track = screen.list.selection, track.index != selected else { return nil }
    selected = track.index
    defer { answersRemoval = false }
    guard !answersRemoval else { return nil }
    let failure = track.errorMessage.map { "failed: \($0)" }
    return joinedTexts(["\(track.number): \(track.name)", track.isCurrent ? "current" : nil, failure], by: ", ")
  }

  private mutating func search(of screen: PlayerScreen) -> String? {
    guard case .find(let search) = screen.panel else {
      found = nil
      return nil
    }
    let answer: String
    if search.text.isEmpty {
      answer = "find: type words, select with Up and Down, play with Enter, Esc ends"
    } else if let track = search.selection {
      answer = "\(search.text): \(search.selected + 1) of \(search.found.count), \(track.name)"
    } else if search.tracks != nil {
      answer = "\(search.text): no track has it"
    } else {
      return nil
    }
    guard answer != found else { return nil }
    found = answer
    return answer
  }

  private mutating func lyrics(of screen: PlayerScreen) -> String? {
    guard screen.showsLyrics else {
      defer { lyrics = nil }
      return lyrics == nil ? nil : "lyrics off"
    }
    // The lines are read later than the key.
    let line = screen.lyrics.map { $0.lines.isEmpty ? "no lyrics with times" : $0.text } ?? "lyrics on"
    guard line != lyrics else { return nil }
    lyrics = line
    return line.isEmpty ? nil : line
  }

  // MARK: Keys

  /// The keys and their effects.
  static let help: [String] = {
    let entries =
      [(timeKey.keys, timeKey.effect)] + ScreenKeys.help.map { ($0.keys, $0.keys == "?" ? "this list" : $0.effect) }
    return entries.map { keys, effect in
      keys.split(separator: " ").map { names[String($0)] ?? String($0) }.joined(separator: " or ") + ": " + effect
    }
  }()

  /// The names of keys that a screen reader may skip.
  private static let names = [
    "←": "Left", "→": "Right", "↑": "Up", "↓": "Down", ",": "Comma", ".": "Period", "<": "Less", ">": "Greater",
    "[": "Left bracket", "]": "Right bracket", "/": "Slash", "?": "Question mark",
  ]

  private static func withoutArrows(_ text: String) -> String {
    String(text.flatMap { "←→↑↓".contains($0) ? names[String($0)] ?? "" : String($0) })
  }
}

extension PlayerScreen {
  /// Whether a key asks for the time on a plain terminal; in a search it is a letter.
  func isTimeKey(_ key: ScreenKey) -> Bool {
    if case .find = panel { return false }
    return key == PlainScreen.timeKey.key
  }
}
