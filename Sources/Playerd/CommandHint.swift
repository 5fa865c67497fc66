import ArgumentParser
import PlayerdSystem

/// Suggests a correction for a word that is not a command.
///
/// A suggestion has the meaning of the word in the other player. If this player lacks such a command, not even a similar word is
/// suggested.
enum CommandHint {
  /// Returns the end of a message: the command that a word means, together with the words after it, or the list of the commands.
  static func text(for word: String, before rest: [String] = []) -> String {
    meaning(of: [word] + rest).map { suggestion([$0]) } ?? "; “\(Names.executable) --help” lists the commands"
  }

  /// Returns the end of a message that suggests texts.
  static func suggestion(_ texts: [String]) -> String {
    "; did you mean \(texts.map { "“\($0)”" }.joined(separator: " or "))?"
  }

  /// Returns the command that words mean which do not begin with one, in other players or by their spelling; nil if unknown.
  static func meaning(of words: [String]) -> String? {
    guard let word = words.first?.lowercased() else { return nil }
    let rest = Array(words.dropFirst())
    if let next = rest.first {
      if let meaning = phrases[word]?[next.lowercased()] { return meaning }
      if numbered.contains(word), SignedArgument.wholeNumber(next) != nil { return "jump \(next)" }
      if prefixes.contains(word) {
        return command(rest) ?? (next.hasPrefix("-") ? otherOptions[next]?.first : meaning(of: rest))
      }
    }
    if let meaning = otherNames[word] { return meaning }
    if !word.isEmpty, SignedArgument.wholeNumber(word) != nil { return "jump \(word)" }
    // One word for several: “volume=50”, “volume 50” in quotes, “set-volume”.
    let parts = word.replacing(#/^set[-_]/#, with: "set ").split { " =".contains($0) }.map(String.init)
    if parts.count > 1 {
      return command(parts + rest) ?? (prefixes.contains(parts[0]) ? meaning(of: parts + rest) : nil)
    }
    // A short word of another player stands for itself alone, and a short word is only similar to a command.
    let others = word.count > 3 ? otherNames.keys.filter { $0.count > 3 }.sorted() : []
    guard !unknown.contains(word), let name = Spelling.nearest(to: word, among: RootCommand.commandNames + others)
    else {
      return nil
    }
    return otherNames[name] ?? name
  }

  /// Returns the command that words begin with, with its arguments if they are valid and can be typed like this; nil if they begin
  /// with none.
  private static func command(_ words: [String]) -> String? {
    guard let name = words.first?.lowercased(), RootCommand.commandNames.contains(name) else { return nil }
    let words = [name] + words.dropFirst()
    let isValid = (try? RootCommand.parseAsRoot(ArgumentOrder.ordered(words))) != nil
    return isValid && !words.contains { $0.contains(" ") } ? words.joined(separator: " ") : name
  }

  /// Returns the end of a message about a word that is not a subcommand of a group, such as `queue`: the subcommand or the command
  /// that it means, the most similar one, or a playlist; empty if there is none.
  static func text(for word: String, in group: String, among names: [String], playlists: [String] = []) -> String {
    let typed = word
    let word = word.lowercased()
    let others = otherNames.compactMapValues { command in
      let name = command.hasPrefix(group + " ") ? String(command.dropFirst(group.count + 1)) : command
      return names.contains(name) ? name : nil
    }
    let words = others.merging(groupNames[group] ?? [:]) { $1 }
    if let name = words[word] { return suggestion(["\(group) \(name)"]) }
    if group == "queue" {
      if let number = SignedArgument.wholeNumber(word), number > 0 { return suggestion(["jump \(number)"]) }
      if RootCommand.commandNames.contains(word), !names.contains(word) { return suggestion([word]) }
    }
    let similar = names + words.keys.filter { $0.count > 3 }.sorted() + playlists
    guard !unknown.contains(word), let name = Spelling.nearest(to: typed, among: similar) else { return "" }
    if playlists.contains(name) { return suggestion(["playlist play \(name)"]) }
    return suggestion(["\(group) \(words[name] ?? name)"])
  }

  /// Returns the message about the first word of a command line if it should be a command and is none; nil otherwise.
  ///
  /// The parser rejects only the options after such a word, or prints its help.
  static func mistake(in arguments: [String], playlistFolder: () -> [UInt8]?) -> String? {
    let isHelp = arguments.first == "help"
    let (command, _, options, rest) = ArgumentOrder.parts(of: isHelp ? Array(arguments.dropFirst()) : arguments)
    guard let word = rest.first, word != "--", word != "-",
      !options.contains(where: { $0.hasPrefix("---") || $0.hasPrefix("--generate-") })
    else { return nil }
    guard command == RootCommand.self else {
      return command.configuration.subcommands.isEmpty ? nil : command.unknownSubcommand(word)
    }
    let others = Array(rest.dropFirst())
    if isHelp { return word == "help" ? nil : "\(word): not a command\(text(for: word, before: others))" }
    return ItemArguments.unknownCommand(word, before: others, playlistFolder: playlistFolder())?.message
  }

  /// Returns the option that a message of the parser calls unknown; nil for any other message.
  static func unknownOption(in message: String) -> String? {
    message.firstMatch(of: #/Unknown option '([^'=]+)/#).map { String($0.1) }
  }

  /// Returns what an unknown option means in other players: an option or a command; empty if unknown.
  static func meanings(ofOption option: String, in arguments: [String]) -> [String] {
    // “playerctl -p NAME COMMAND”.
    if option == "-p", arguments.count > 2 { return ["--instance"] }
    return otherOptions[option.hasPrefix("--") ? option.lowercased() : option] ?? []
  }

  /// Returns the message of the parser with the number as it was typed, and without its suggestion if that is not similar.
  static func revised(_ message: String) -> String {
    let message = message.replacing("−", with: "-")
    guard let match = message.firstMatch(of: #/(Unknown option '-+([^'=]+)[^']*')\. Did you mean '-+([^']+)'\?/#),
      Spelling.nearest(to: String(match.2), among: [String(match.3)]) == nil
    else { return message }
    return message.replacing(match.0, with: match.1)
  }

  /// Returns the command that a command line with an unsuitable first argument means; nil if unknown.
  static func command(for arguments: [String]) -> String? {
    let (command, names, _, rest) = ArgumentOrder.parts(of: arguments)
    guard names.count == 1, let word = rest.first else { return nil }
    return otherArguments[command.configuration.commandName ?? ""]?[word.lowercased()]?.joined(separator: " ")
  }

  /// Words of mpc, cmus, playerctl, mpv and of speech that are not commands, and the commands of their meaning.
  static let otherNames = [
    "append": "add", "enqueue": "add", "load": "add", "insert": "queue next", "addnext": "queue next",
    "loadfile": "open", "loadlist": "open", "export": "save",
    "start": "play", "unpause": "play", "continue": "play", "playpause": "toggle",
    "player-play": "play", "player-pause": "toggle", "player-stop": "stop", "player-next": "next",
    "player-prev": "previous", "playlist-next": "next", "playlist-prev": "previous",
    "playlist-shuffle": "shuffle on", "pause-if-playing": "pause",
    "info": "status", "metadata": "status", "nowplaying": "status", "now": "status", "np": "status", "show": "status",
    "state": "status", "song": "status", "track": "status", "title": "status",
    "back": "previous", "skip": "next", "forward": "seek +10", "ff": "seek +10", "fwd": "seek +10",
    "rewind": "seek -10", "rew": "seek -10", "seekthrough": "seek", "seekto": "seek", "seek-to": "seek",
    "replay": "seek 0",
    "goto": "jump", "select": "jump", "searchplay": "jump", "playlist-play-index": "jump",
    "setvol": "volume", "volup": "volume +5", "volumeup": "volume +5", "louder": "volume +5", "voldown": "volume -5",
    "volumedown": "volume -5", "quieter": "volume -5", "softer": "volume -5", "silence": "mute on",
    "faster": "speed +0.1", "slower": "speed -0.1", "fast": "speed +0.1", "rate": "speed", "tempo": "speed",
    "slow": "speed -0.1", "loud": "volume +5", "fade": "crossfade",
    "repeat": "loop playlist", "repeat-all": "loop playlist", "repeat-one": "loop track", "repeat-off": "loop none",
    "single": "stop-after on", "unshuffle": "shuffle off",
    "ab-loop": "repeat-ab", "delete": "remove", "empty": "clear", "ls": "list",
    "tracks": "list",
    "queued": "list", "playlists": "playlist", "lsplaylists": "playlist",
    "listplaylists": "playlist", "renplaylist": "playlist rename", "addplaylist": "playlist append",
    "enable": "output", "toggleoutput": "output", "playback-pause": "toggle", "playback-play": "play",
    "playback-stop": "stop", "outputs": "devices", "sinks": "devices", "sink": "output", "device": "output",
    "chapters": "chapter list", "timer": "sleep", "kill": "quit", "close": "quit", "shutdown": "quit",
    "quit-watch-later": "quit", "show-progress": "status",
    "follow": "watch", "subscribe": "watch", "idle": "watch", "idleloop": "watch", "configuration": "config",
    "settings": "config", "check": "doctor", "help": "--help", "version": "--version",
  ]

  /// Names of players, and a word, that a command of this player may follow.
  static let prefixes: Set = [
    "audtool", "cmus-remote", "mocp", "mpc", "mplayer", "mpv", "playerctl", "vlc", "set", Names.executable,
  ]

  /// Words that the number of a track may follow.
  private static let numbered: Set = ["song", "track"]

  /// Words that another one follows, and the commands of both.
  static let phrases = [
    "repeat": ["off": "loop none", "no": "loop none", "0": "loop none", "one": "loop track", "track": "loop track"],
    "single": ["off": "stop-after off", "no": "stop-after off", "0": "stop-after off"],
    "cycle": [
      "pause": "toggle", "mute": "mute", "shuffle": "shuffle", "chapter": "chapter next", "playlist-pos": "next",
    ],
    "silence": ["off": "unmute", "no": "unmute"],
    "playlist-shuffle": ["off": "shuffle off"],
  ]

  /// Words of other players without a command here, for which a similar word has another effect: “crop” and “playlist-clear”
  /// keep the current track, “delplaylist” deletes one entry, “cdprev” restarts the track, “restart” may mean the player,
  /// “stats” counts the songs of a library, and “tqueue” queues random ones.
  static let unknown: Set<String> = [
    "crop", "playlist-clear", "clearplaylist", "delplaylist", "moveplaylist", "playlist-remove", "playlist-move",
    "playlist-unshuffle", "cdprev", "prio", "restart", "cycle", "clearerror", "partition", "outputset",
    "unsubscribe", "bind", "filter", "invert", "record", "edit", "love", "like", "star", "quiet", "stats", "tqueue",
    "lqueue",
  ]

  /// Words for subcommands of a group.
  static let groupNames = [
    "queue": ["play": "jump", "show": "list", "print": "list", "get": "list"],
    "playlist": [
      "remove": "delete", "add": "append", "load": "play", "open": "play", "start": "play", "create": "save",
      "new": "save", "store": "save", "show": "list", "ls": "list", "move": "rename",
    ],
  ]

  /// Words that are not arguments of a command, and the words of the command that they mean.
  static let otherArguments: [String: [String: [String]]] = [
    "volume": [
      "up": ["volume", "+5"], "down": ["volume", "-5"], "louder": ["volume", "+5"], "quieter": ["volume", "-5"],
      "max": ["volume", "100"], "mute": ["mute", "on"], "off": ["mute", "on"], "unmute": ["unmute"], "on": ["unmute"],
    ],
    "seek": [
      "forward": ["seek", "+10"], "back": ["seek", "-10"], "backward": ["seek", "-10"], "start": ["seek", "0"],
      "begin": ["seek", "0"], "end": ["next"],
    ],
    "speed": [
      "up": ["speed", "+0.1"], "fast": ["speed", "+0.1"], "faster": ["speed", "+0.1"], "down": ["speed", "-0.1"],
      "slow": ["speed", "-0.1"], "slower": ["speed", "-0.1"], "normal": ["speed", "1"], "reset": ["speed", "1"],
    ],
    "loop": [
      "on": ["loop", "playlist"], "yes": ["loop", "playlist"], "no": ["loop", "none"], "single": ["loop", "track"],
    ],
    "remove": ["all": ["clear"]], "jump": ["first": ["jump", "1"]],
    "toggle": [
      "repeat": ["loop"], "loop": ["loop"], "mute": ["mute"], "shuffle": ["shuffle"], "pause": ["toggle"],
      "play": ["toggle"],
    ],
    "shuffle": ["yes": ["shuffle", "on"], "no": ["shuffle", "off"]],
    "mute": ["yes": ["mute", "on"], "no": ["mute", "off"]],
    "stop-after": ["yes": ["stop-after", "on"], "no": ["stop-after", "off"]],
    "sleep": ["cancel": ["sleep", "off"], "stop": ["sleep", "off"]],
    "crossfade": ["none": ["crossfade", "off"]],
    "chapter": ["forward": ["chapter", "next"], "back": ["chapter", "previous"], "first": ["chapter", "1"]],
    "next": ["track": ["next"], "chapter": ["chapter", "next"]],
    "previous": ["track": ["previous"], "chapter": ["chapter", "previous"]],
    "clear": ["queue": ["clear"], "all": ["clear"]],
    "config": ["show": ["config"], "get": ["config"], "list": ["config"], "reload": ["reload"]],
  ]

  /// Options of cmus-remote, moc, mpc, mpv, playerctl and VLC, and the options and commands with their meaning; “-f” and “-U” have
  /// two, “-l” of cmus-remote only selects the list that others change.
  static let otherOptions: [String: [String]] = [
    "-p": ["play"], "-u": ["toggle"], "-G": ["toggle"], "-U": ["pause", "play"], "-P": ["pause"], "-s": ["stop"],
    "-n": ["next"], "-r": ["previous"], "-f": ["open", "next"], "-v": ["volume", "--version"], "-V": ["--version"],
    "-k": ["seek"], "-j": ["seek"], "-Q": ["status"], "-i": ["status"], "-c": ["clear"], "-S": ["shuffle"],
    "-R": ["loop playlist"], "-x": ["quit"],
    "--help": ["--help"], "--version": ["--version"], "--vol": ["--volume"], "--append": ["--enqueue"],
    "--playlist-enqueue": ["--enqueue"], "--random": ["--shuffle"], "--loop-file": ["--loop track"],
    "--loop-playlist": ["--loop playlist"], "--play-and-exit": ["--quit-at-end"], "--player": ["--instance"],
    "--toggle-pause": ["toggle"], "--play-pause": ["toggle"], "--previous": ["previous"], "--stop": ["stop"],
    "--play": ["play"], "--exit": ["quit"], "--follow": ["watch"],
  ]
}
