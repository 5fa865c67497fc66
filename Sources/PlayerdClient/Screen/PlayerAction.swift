/// A request of the screen to the player, or to the program.
enum PlayerAction: Equatable, Sendable {
  case toggle, next, previous, mute, shuffle, loop
  /// Microseconds relative to the position.
  case seek(Int64)
  /// Microseconds from the start of a track; without an effect if it is no longer the current one.
  case seekTo(Int64, trackID: String)
  /// Returns to what a station sends now.
  case live
  /// Percent relative to the volume.
  case volume(Int)
  /// A factor of the speed; 0 for the normal speed.
  case speed(Double)
  /// Plays the track with this index in the queue of a revision.
  case play(Int64, revision: UInt64)
  /// Removes the track with this index in the queue of a revision.
  case remove(Int64, name: String, revision: UInt64)
  /// Reverses the last edit of the queue.
  case undo
  /// Reads all tracks of the queue.
  case readQueue
  /// Begins or ends to follow the lyrics.
  case lyrics(Bool)
  /// Ends the program; the player continues or quits.
  case leave(continues: Bool)
}

/// The keys of the screen in the order of its help, as in mpv and cmus.
enum ScreenKeys {
  static let help: [(keys: String, effect: String)] = [
    ("space", "pause or resume"), ("← →", "seek 5 seconds"), (", .", "seek a minute, e: live"),
    ("< >", "previous or next track"), ("9 0", "volume"), ("m", "mute"), ("[ ]", "speed, Backspace: normal"),
    ("s", "shuffle"), ("r", "loop: playlist, track, none"), ("l", "show or hide the lyrics"),
    ("↑ ↓", "select a track of the queue"), ("PgUp", "a page up, PgDn: down"),
    ("Home", "the first track, End: the last"), ("Tab", "the current track, or back"),
    ("Enter", "play the selected track"), ("d", "remove the selected track"), ("u", "undo the last edit of the queue"),
    ("/", "find a track"), ("Esc", "back"), ("?", "this list; again: its next page"), ("q", "leave; the music goes on"),
  ]

  /// The actions of the mouse.
  static let mouseHelp: [(keys: String, effect: String)] = [
    ("click", "seek in the bar; select; twice: play"), ("wheel", "scroll the queue; else volume"),
  ]

  /// Returns the request of a key that needs no other state.
  static func action(of key: ScreenKey) -> PlayerAction? {
    switch key {
    case .character(" "): .toggle
    case .left: .seek(-5_000_000)
    case .right: .seek(5_000_000)
    case .character(","): .seek(-60_000_000)
    case .character("."): .seek(60_000_000)
    case .character("e"): .live
    case .character("<"): .previous
    case .character(">"): .next
    case .character("9"): .volume(-2)
    case .character("0"): .volume(2)
    case .character("m"): .mute
    case .character("["): .speed(1 / 1.1)
    case .character("]"): .speed(1.1)
    case .backspace: .speed(0)
    case .character("s"): .shuffle
    case .character("r"): .loop
    case .character("u"): .undo
    default: nil
    }
  }
}
