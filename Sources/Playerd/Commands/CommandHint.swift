/// Suggests a correction for a word that is not a command.
enum CommandHint {
  /// Returns the end of a message: the command that the word means in other players, the most similar command, or the
  /// list of the commands.
  static func text(for word: String) -> String {
    let word = word.lowercased()
    // A short word of another player stands for itself alone.
    let similar = RootCommand.commandNames + otherNames.keys.filter { $0.count > 3 }.sorted()
    let name = otherNames[word].map { _ in word } ?? Spelling.nearest(to: word, among: similar)
    guard let name else { return "; “\(Names.executable) --help” lists the commands" }
    return "; did you mean “\(otherNames[name] ?? name)”?"
  }

  /// Words of mpc, cmus, playerctl, mpv and of speech that are not commands, and the commands of their meaning.
  static let otherNames = [
    "append": "add", "enqueue": "add", "insert": "queue next", "addnext": "queue next", "loadfile": "open",
    "start": "play", "unpause": "play", "continue": "play", "playpause": "toggle", "cycle": "toggle",
    "player-play": "play", "player-pause": "toggle", "player-stop": "stop", "player-next": "next",
    "player-prev": "previous", "playlist-next": "next", "playlist-prev": "previous", "playlist-clear": "clear",
    "playlist-shuffle": "shuffle", "cdprev": "previous", "pause-if-playing": "pause",
    "info": "status", "metadata": "status", "nowplaying": "status", "now": "status", "np": "status", "show": "status",
    "state": "status", "stats": "status", "song": "status", "title": "status",
    "back": "previous", "skip": "next", "forward": "seek +10", "ff": "seek +10", "rewind": "seek -10",
    "restart": "seek 0", "replay": "seek 0", "goto": "jump", "select": "jump", "searchplay": "jump",
    "setvol": "volume", "louder": "volume +5", "quieter": "volume -5", "softer": "volume -5", "silence": "mute",
    "faster": "speed +0.1", "slower": "speed -0.1", "repeat": "loop playlist", "single": "loop track",
    "ab-loop": "repeat-ab", "consume": "remove", "delete": "remove", "crop": "clear", "empty": "clear", "ls": "list",
    "tracks": "list",
    "queued": "list", "load": "playlist play", "playlists": "playlist", "lsplaylists": "playlist",
    "listplaylists": "playlist", "renplaylist": "playlist rename", "addplaylist": "playlist append",
    "delplaylist": "playlist delete", "outputs": "devices", "sinks": "devices", "sink": "output", "device": "output",
    "chapters": "chapter list", "timer": "sleep", "redo": "undo", "kill": "quit", "close": "quit", "shutdown": "quit",
    "follow": "watch", "subscribe": "watch", "idle": "watch", "idleloop": "watch", "configuration": "config",
    "settings": "config", "check": "doctor", "help": "--help", "version": "--version",
  ]

  /// The options of cmus-remote that have the meaning of a command.
  static let otherOptions = [
    "-p": "play", "-u": "toggle", "-s": "stop", "-n": "next", "-r": "previous", "-v": "volume", "-k": "seek",
    "-Q": "status", "-c": "clear", "-S": "shuffle", "-R": "loop", "-f": "open", "-l": "open", "-P": "playlist",
  ]
}
