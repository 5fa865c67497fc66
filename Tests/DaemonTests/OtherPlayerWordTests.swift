import ArgumentParser
import Testing

@testable import Playerd

/// Words that users of other players type.
@Suite("Suggestions for words of other players")
struct OtherPlayerWordTests {
  /// Words, each with the suggestion; nil for none.
  ///
  /// A command after `=` has the word as a name.
  private static let words: [(String, String?)] = [
    // mpc
    ("add", "=add"), ("clear", "=clear"), ("crop", nil), ("current", "=status"), ("queued", "list"), ("ls", "list"),
    ("cdprev", nil), ("consume", nil), ("del", "=remove"), ("delete", "remove"), ("insert", "queue next"),
    ("seekthrough", "seek"), ("searchplay", "jump"), ("single", "stop-after on"), ("random", "=shuffle"),
    ("repeat", "loop playlist"), ("update", nil), ("rescan", nil), ("stats", nil), ("outputs", "devices"),
    ("enable", nil), ("disable", nil), ("toggleoutput", nil), ("lsplaylists", "playlist"), ("load", "add"),
    ("addplaylist", "playlist append"), ("renplaylist", "playlist rename"), ("clearplaylist", nil), ("prio", nil),
    ("replaygain", nil), ("mixrampdb", nil), ("mixrampdelay", nil), ("sticker", nil), ("channels", nil),
    ("sendmessage", nil), ("idle", "watch"), ("idleloop", "watch"), ("mount", nil), ("albumart", nil),
    ("findadd", nil), ("searchadd", nil), ("listall", nil), ("toggle", "=toggle"), ("prev", "=previous"),
    // mpv
    ("loadfile", "open"), ("loadlist", "open"), ("playlist-next", "next"), ("playlist-prev", "previous"),
    ("playlist-clear", nil), ("playlist-remove", nil), ("playlist-move", nil), ("playlist-shuffle", "shuffle on"),
    ("playlist-unshuffle", nil), ("playlist-play-index", "jump"), ("ab-loop", "repeat-ab"), ("cycle", nil),
    ("multiply", nil), ("set", nil), ("show-text", nil), ("show-progress", "status"), ("revert-seek", nil),
    ("frame-step", nil), ("frame-back-step", nil), ("screenshot", nil), ("sub-add", nil), ("af", nil), ("run", nil),
    ("keypress", nil), ("script-message", nil), ("quit-watch-later", "quit"),
    // cmus
    ("player-play", "play"), ("player-pause", "toggle"), ("player-stop", "stop"), ("player-next", "next"),
    ("player-prev", "previous"), ("player-pause-playback", nil), ("vol", "=volume"), ("win-next", nil), ("view", nil),
    ("refresh", nil), ("update-cache", nil), ("filter", nil), ("shell", nil), ("echo", nil), ("mark", nil),
    ("push", nil), ("pwd", nil), ("cd", nil), ("invert", nil), ("unmark", nil), ("bind", nil), ("tqueue", nil),
    // playerctl, mocp, VLC and audtool
    ("play-pause", "=toggle"), ("metadata", "status"), ("position", "=seek"), ("info", "status"), ("enqueue", "add"),
    ("append", "add"), ("unpause", "play"), ("ff", "seek +10"), ("fwd", "seek +10"), ("rew", "seek -10"),
    ("rewind", "seek -10"), ("volup", "volume +5"), ("voldown", "volume -5"), ("faster", "speed +0.1"),
    ("slower", "speed -0.1"), ("normal", nil), ("fullscreen", nil), ("equalizer", nil), ("recursively", nil),
    // Speech
    ("skip", "next"), ("back", "previous"), ("start", "play"), ("now", "status"), ("song", "status"), ("goto", "jump"),
    ("louder", "volume +5"), ("repeat-one", "loop track"), ("repeat-all", "loop playlist"),
    ("repeat-off", "loop none"), ("unshuffle", "shuffle off"), ("tracks", "list"), ("timer", "sleep"),
    ("kill", "quit"), ("export", "save"), ("bookmark", nil), ("like", nil), ("history", nil), ("browse", nil),
    ("eject", nil), ("hello", nil),
  ]

  @Test("A word is a command, or suggests the command of its meaning; without a meaning it suggests none")
  func suggestions() {
    #expect(Self.words.count >= 60 && Set(Self.words.map(\.0)).count == Self.words.count)
    for (word, meaning) in Self.words {
      let command = RootCommand.configuration.subcommands.first { $0.configuration.names.contains(word) }
      if let meaning, meaning.hasPrefix("=") {
        #expect(command?.configuration.commandName == String(meaning.dropFirst()), "\(word)")
      } else {
        #expect(command == nil, "\(word)")
        let end = meaning.map { "did you mean “\($0)”?" } ?? "“mpris-playerd --help” lists the commands"
        #expect(CommandHint.text(for: word) == "; " + end, "\(word)")
      }
    }
  }

  @Test("An unknown word stops the whole command line, also with arguments")
  func refused() {
    for (word, meaning) in Self.words where meaning?.hasPrefix("=") != true {
      for arguments in [[word], [word, "10"], [word, "on"], [word, "/"], ["/", word]] {
        // No command is among them, so all are items.
        #expect(ArgumentOrder.ordered(["-q"] + arguments).first == "-q", "\(arguments)")
        #expect(ItemArguments(arguments, playlistFolder: nil).unknownCommand != nil, "\(arguments)")
      }
    }
  }
}
