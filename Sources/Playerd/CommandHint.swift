import ArgumentParser
import PlayerdSystem

/// Suggests a correction for a word that is not a command.
///
/// A suggestion has the meaning of the word in the other player. If this player lacks such a command, not even a similar word is
/// suggested.
enum CommandHint {
  /// Returns the end of a message: the command that the word means in other players, together with the word after it, the
  /// most similar command, or the list of the commands.
  static func text(for word: String, before next: String? = nil) -> String {
    let word = word.lowercased()
    if let meaning = next.flatMap({ phrases[word]?[$0.lowercased()] }) ?? otherNames[word] {
      return suggestion(meaning)
    }
    // A short word of another player stands for itself alone.
    let similar = RootCommand.commandNames + otherNames.keys.filter { $0.count > 3 }.sorted()
    guard !unknown.contains(word), let name = Spelling.nearest(to: word, among: similar) else {
      return "; “\(Names.executable) --help” lists the commands"
    }
    return suggestion(otherNames[name] ?? name)
  }

  private static func suggestion(_ command: String) -> String { "; did you mean “\(command)”?" }

  /// Returns the end of a message about a word that is not a subcommand of a group, such as `queue`: the subcommand that it
  /// means, or the most similar one; empty if there is none.
  static func text(for word: String, in group: String, among names: [String]) -> String {
    let word = word.lowercased()
    let others = otherNames.compactMapValues { command in
      let name = command.hasPrefix(group + " ") ? String(command.dropFirst(group.count + 1)) : command
      return names.contains(name) ? name : nil
    }
    let words = others.merging(groupNames[group] ?? [:]) { $1 }
    if let name = words[word] { return suggestion("\(group) \(name)") }
    let similar = names + words.keys.filter { $0.count > 3 }.sorted()
    guard !unknown.contains(word), let name = Spelling.nearest(to: word, among: similar) else { return "" }
    return suggestion("\(group) \(words[name] ?? name)")
  }

  /// Returns the message for `help WORD` with a word that is not a command, for which the parser prints the whole help; nil for
  /// all other arguments.
  static func unknownHelp(in arguments: [String]) -> String? {
    guard arguments.first == "help", arguments.count > 1, !arguments[1].hasPrefix("-"),
      !(RootCommand.commandNames + ["help"]).contains(arguments[1])
    else { return nil }
    return "\(arguments[1]): not a command\(text(for: arguments[1]))"
  }

  /// Returns the command that a rejected command line means, if its argument is a word; nil if unknown.
  static func command(for arguments: [String]) -> String? {
    guard let option = arguments.first else { return nil }
    if let command = otherOptions[option] { return command }
    guard arguments.count > 1,
      let command = RootCommand.configuration.subcommands.first(where: { $0.configuration.names.contains(option) })
    else { return nil }
    return otherArguments[command.configuration.commandName ?? ""]?[arguments[1].lowercased()]?.joined(separator: " ")
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
    "state": "status", "song": "status", "title": "status",
    "back": "previous", "skip": "next", "forward": "seek +10", "ff": "seek +10", "fwd": "seek +10",
    "rewind": "seek -10", "rew": "seek -10", "seekthrough": "seek", "replay": "seek 0",
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
    "outputs": "devices", "sinks": "devices", "sink": "output", "device": "output",
    "chapters": "chapter list", "timer": "sleep", "kill": "quit", "close": "quit", "shutdown": "quit",
    "quit-watch-later": "quit", "show-progress": "status",
    "follow": "watch", "subscribe": "watch", "idle": "watch", "idleloop": "watch", "configuration": "config",
    "settings": "config", "check": "doctor", "help": "--help", "version": "--version",
  ]

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
    "playlist-unshuffle", "cdprev", "consume", "prio", "restart", "cycle", "clearerror", "partition", "outputset",
    "unsubscribe", "bind", "filter", "invert", "record", "edit", "love", "star", "quiet", "stats", "tqueue", "lqueue",
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
    "toggle": ["mute": ["mute"], "shuffle": ["shuffle"], "pause": ["toggle"], "play": ["toggle"]],
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

  /// The options of cmus-remote that have the meaning of a command; “-l” and “-P” only select the list that others change.
  private static let otherOptions = [
    "-p": "play", "-u": "toggle", "-U": "pause", "-s": "stop", "-n": "next", "-r": "previous", "-v": "volume",
    "-k": "seek", "-Q": "status", "-c": "clear", "-S": "shuffle", "-R": "loop playlist", "-f": "open",
  ]
}
