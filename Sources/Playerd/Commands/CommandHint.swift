/// Suggests a correction for a word that is not a command.
enum CommandHint {
  /// Returns the end of a message: the command that the word means in other players, the most similar command, or the
  /// list of the commands.
  static func text(for word: String) -> String {
    let word = word.lowercased()
    // Short words are similar to many others.
    let similar = RootCommand.commandNames + otherNames.keys.filter { $0.count > 3 }.sorted()
    let name = otherNames[word].map { _ in word } ?? Spelling.nearest(to: word, among: similar)
    guard let name else { return "; “\(Names.executable) --help” lists the commands" }
    return "; did you mean “\(otherNames[name] ?? name)”?"
  }

  /// The commands of mpc, cmus-remote, playerctl, mpv and others, and what this program calls them.
  static let otherNames = [
    "add": "queue add", "append": "queue add", "enqueue": "queue add", "insert": "queue next", "addnext": "queue next",
    "load": "open", "loadfile": "open", "start": "play", "resume": "play", "unpause": "play", "continue": "play",
    "play-pause": "toggle", "playpause": "toggle", "current": "status", "info": "status", "metadata": "status",
    "nowplaying": "status", "now": "status", "np": "status", "show": "status", "state": "status", "prev": "previous",
    "back": "previous", "skip": "next", "forward": "seek +10", "ff": "seek +10", "rewind": "seek -10",
    "position": "seek", "goto": "queue jump", "jump": "queue jump", "select": "queue jump", "vol": "volume",
    "setvol": "volume", "unmute": "mute off", "random": "shuffle", "repeat": "loop", "single": "loop track",
    "rate": "speed", "clear": "queue clear", "crop": "queue clear", "empty": "queue clear", "delete": "queue remove",
    "del": "queue remove", "remove": "queue remove", "rm": "queue remove", "move": "queue move", "mv": "queue move",
    "list": "queue", "ls": "queue", "tracks": "queue", "playlists": "playlist", "lsplaylists": "playlist",
    "outputs": "devices", "sinks": "devices", "sink": "output", "device": "output", "chapters": "chapter",
    "timer": "sleep", "redo": "undo", "exit": "quit", "kill": "quit", "close": "quit", "shutdown": "quit",
    "follow": "watch", "subscribe": "watch", "idleloop": "watch", "configuration": "config", "settings": "config",
    "check": "doctor", "help": "--help", "version": "--version",
  ]
}
