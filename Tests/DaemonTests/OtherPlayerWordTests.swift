import ArgumentParser
import TestSupport
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
    ("cdprev", nil), ("consume", "=consume"), ("del", "=remove"), ("delete", "remove"), ("insert", "queue next"),
    ("seekthrough", "seek"), ("searchplay", "jump"), ("single", "stop-after on"), ("random", "=shuffle"),
    ("repeat", "loop playlist"), ("update", nil), ("rescan", nil), ("stats", nil), ("outputs", "devices"),
    ("enable", "output"), ("disable", nil), ("toggleoutput", "output"), ("lsplaylists", "playlist"), ("load", "add"),
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

  /// Words, each with the whole suggestion; nil for none.
  private static let lines: [(String, String?)] = [
    // The name of a player before its command
    ("mpc next", "next"), ("playerctl volume 0.5", "volume"), ("mpc volume +5", "volume +5"),
    ("audtool playback-pause", "toggle"),
    ("cmus-remote -n", "next"), ("mocp -G", "toggle"), ("mpc enable 1", "output"), ("mpv zzz", nil),
    // One word for several, and the words of mpv
    ("set volume 20", "volume 20"), ("set-volume 10", "volume 10"), ("volume=50", "volume 50"),
    ("set speed fast", "speed"),
    ("SEEK=+10", "seek +10"), ("seekto 30", "seek"), ("set zzz", nil),
    // The number of a track
    ("3", "jump 3"), ("track 3", "jump 3"), ("song 3", "jump 3"), ("song", "status"), ("track", "status"),
    // A short word is not a misspelt word of another player.
    ("sng", nil), ("nxt", "next"),
  ]

  @Test("The words after a word decide too, and one word may be several")
  func lines() {
    for (line, meaning) in Self.lines {
      #expect(CommandHint.meaning(of: line.split(separator: " ").map(String.init)) == meaning, "\(line)")
    }
    #expect(
      CommandHint.meaning(of: ["volume 50"]) == "volume 50" && CommandHint.meaning(of: ["seek +10"]) == "seek +10")
    #expect(CommandHint.meaning(of: ["My Album"]) == nil && CommandHint.meaning(of: [""]) == nil)
    #expect(CommandHint.meaning(of: ["mpc", "add", "a b.flac"]) == "add", "It cannot be typed without quotes")
  }

  @Test(
    "An option of another player suggests an option or a command; with two meanings both",
    arguments: [
      ("--vol 50", ["--volume"]), ("--append x", ["--enqueue"]), ("--random", ["--shuffle"]), ("-G", ["toggle"]),
      ("--loop-file=inf", ["--loop track"]), ("--player=spotify next", ["--instance"]), ("-p vlc next", ["--instance"]),
      ("-p", ["play"]), ("-f", ["open", "next"]), ("-U", ["pause", "play"]), ("-v", ["volume", "--version"]),
      ("status --follow", ["watch"]), ("--HELP", ["--help"]), ("--one-instance", []), ("-j 50%", ["seek"]),
    ])
  func options(typed: String, meanings: [String]) throws {
    let arguments = typed.split(separator: " ").map(String.init)
    let message = try #require(Self.message(arguments))
    let option = try #require(CommandHint.unknownOption(in: message))
    #expect(CommandHint.meanings(ofOption: option, in: arguments) == meanings)
  }

  @Test(
    "A suggestion of the parser that is not similar is left out",
    arguments: [
      ("--vol 50", false), ("--append x", false), ("--exit", false), ("--one-instance", false),
      ("toggle --quite", true), ("--enqeue x", true), ("--shufle x", true),
    ])
  func parserSuggestions(typed: String, isKept: Bool) throws {
    let message = try #require(Self.message(typed.split(separator: " ").map(String.init)))
    #expect(CommandHint.revised(message).contains("Did you mean") == isKept, "\(message)")
    #expect(CommandHint.revised(message).hasPrefix("Unknown option '"))
  }

  private static func message(_ arguments: [String]) -> String? {
    do {
      _ = try RootCommand.parseAsRoot(ArgumentOrder.ordered(arguments))
      return nil
    } catch {
      return RootCommand.message(for: error)
    }
  }

  @Test(
    "A first word that is no command is judged before the options and a request for help",
    arguments: [
      ("metadata --format x", "did you mean “status”?"), ("mixrampdb -17", "“mpris-playerd --help” lists the commands"),
      ("paus --help", "did you mean “pause”?"), ("zzz --help", "lists the commands"),
      ("--help zzz", "lists the commands"),
      ("help paus", "did you mean “pause”?"), ("playlist plya --help", "did you mean “playlist play”?"),
      ("cmus-remote -n", "did you mean “next”?"), ("queue zzz --help", "“mpris-playerd help queue” lists the commands"),
    ])
  func firstWords(typed: String, end: String) {
    let message = CommandHint.mistake(in: typed.split(separator: " ").map(String.init)) { nil }
    #expect(message?.hasSuffix(end) == true, "\(message ?? "")")
  }

  @Test(
    "A command, an item and the completion of a shell are no mistakes",
    arguments: [
      "pause --help", "help pause", "help playlist play", "help", "--help", "/ --help", "a.flac --help", "-- zzz", "-",
      "---completion zzz", "--generate-completion-script bash", "", "playlist --help", "volume loud", "help help",
    ])
  func noMistakes(typed: String) {
    #expect(CommandHint.mistake(in: typed.split(separator: " ").map(String.init)) { nil } == nil)
  }

  @Test("A file, a playlist or a command that a word names is suggested")
  func items() async throws {
    func message(_ words: String...) -> String? {
      ItemArguments.unknownCommand(words[0], before: Array(words.dropFirst()), playlistFolder: nil)?.message
    }
    // The tests run in the folder of the package.
    #expect(message("Package")?.hasSuffix("; did you mean “Package.swift”?") == true)
    #expect(message("mpv", "Package.swift")?.hasSuffix("; leave out “mpv”") == true)
    #expect(message("volume") == "volume: not a file, URL or playlist; as a command, it comes first")
    try await withTemporaryDirectory { folder in
      let bytes = Array(folder.path.utf8)
      for name in ["Evening", "Mix 1"] { try folder.write("", to: "\(name).m3u8") }
      func hint(_ word: String) -> String? {
        ItemArguments.unknownCommand(word, before: [], playlistFolder: bytes)?.message
      }
      #expect(hint("Evning")?.hasSuffix("; did you mean “Evening”?") == true)
      #expect(hint("EVENING")?.hasSuffix("; did you mean “Evening”?") == true)
      #expect(hint("Evening") == nil && hint("zzzzz")?.hasSuffix("lists the commands") == true)
    }
  }

  @Test(
    "A word after queue or playlist is a subcommand, a command, a track or a playlist",
    arguments: [
      ("queue", "3", "jump 3"), ("queue", "shuffle", "shuffle"), ("queue", "remvoe", "queue remove"),
      ("playlist", "Evning", "playlist play Evening"), ("playlist", "evening", "playlist play Evening"),
      ("playlist", "plya", "playlist play"), ("playlist", "Mix 2", nil), ("queue", "pop", nil),
      ("playlist", "clear", nil),
    ])
  func subcommands(group: String, word: String, meaning: String?) throws {
    let command = try #require(RootCommand.configuration.subcommands.first { $0.configuration.commandName == group })
    let end = meaning.map { "did you mean “\($0)”?" } ?? "“mpris-playerd help \(group)” lists the commands"
    let message = command.unknownSubcommand(word, playlists: group == "queue" ? [] : ["Evening", "Mix 1"])
    #expect(message == "\(word): not a command of “\(group)”; " + end)
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
