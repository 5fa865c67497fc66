import ArgumentParser
import FoundationEssentials
import Testing

@testable import Playerd

/// Tests of the arguments before they are parsed, and without the parser.
@Suite("Arguments of commands")
struct CommandArgumentTests {
  @Test(
    "A start without the parser has the values of the parsed arguments",
    arguments: [["--quiet"], ["./a.flac"], ["/music/a.flac", "pause", "https://example.org/b"], ["a.flac", ""]])
  func withoutParser(arguments: [String]) async throws {
    let command = try #require(try await RootCommand.asyncParseAsRoot(arguments) as? OpenCommand)
    var parsed = command.options.invocation
    parsed.target = nil
    #expect("\(parsed)" == "\(try #require(OpenInvocation(unparsed: arguments)))")
  }

  @Test(
    "Options, and a first word that may be a command, are parsed",
    arguments: [
      ["pause"], ["--help"], ["a.flac", "--paused"], ["a.flac", "--", "b.flac"], [""], ["add", "./a.flac"],
    ])
  func parsed(arguments: [String]) { #expect(OpenInvocation(unparsed: arguments) == nil) }

  @Test("An empty argument is rejected as wrong usage, and is not the working directory")
  func empty() {
    let items = ItemArguments(["", "/", "."], playlistFolder: nil)
    #expect(items.uris.count == 2 && items.uris.first == "file:///")
    #expect(items.rejections.map(\.message) == ["an empty argument is not a file, URL or playlist"])
    #expect(items.status == ExitStatus.usage)
  }

  @Test(
    "A first word that names no item is a mistake, with a suggestion; a path, a URL and a later word are none",
    arguments: [
      (["append", "/"], "add"), (["queu", "add", "/"], "queue"), (["enqueue", "/"], "add"),
      (["Pause"], "pause"), (["stpo", "/"], "stop"), (["setvol", "50"], "volume"), (["prve"], "prev"),
      (["skip"], "next"), (["enqeue", "/"], "add"), (["nowplaying"], "status"), (["repeat", "/"], "loop playlist"),
      (["louder"], "volume +5"), (["ls"], "list"), (["shufle"], "shuffle"), (["zzzzzz", "/"], "--help"),
      (["foo"], "--help"), (["fo"], "--help"), (["tol"], "--help"), (["m"], "--help"),
      (["vok"], "vol"), (["vl"], "vol"), (["pla"], "play"), (["nxt"], "next"), (["dle"], "del"),
    ])
  func unknownCommand(arguments: [String], suggestion: String) throws {
    let mistake = try #require(ItemArguments(arguments, playlistFolder: nil).unknownCommand)
    let text = "\(arguments[0]): not a command, file, URL or playlist; "
    #expect(mistake.message.hasPrefix(text))
    let end = suggestion == "--help" ? "“mpris-playerd --help” lists the commands" : "did you mean “\(suggestion)”?"
    #expect(mistake.message == text + end)
  }

  @Test(
    "A word after an item is a mistake too, in any position", arguments: [["/", "pasue"], ["/", "/", "stop", "/"]])
  func laterWord(arguments: [String]) throws {
    let mistake = try #require(ItemArguments(arguments, playlistFolder: nil).unknownCommand)
    #expect(arguments.contains(mistake.argument) && mistake.argument != "/")
  }

  @Test(
    "Items of standard input replace “-”; those that do not exist are no mistyped commands",
    arguments: [
      ("/\n/usr\n", 2, 0), ("/\0/usr\0", 2, 0), ("/\r\n\npause\n", 1, 1), ("/\npau\nse\0/", 1, 1), ("", 0, 1),
    ])
  func input(text: String, items: Int, rejections: Int) {
    let found = ItemArguments(
      ["-"], playlistFolder: nil, readInput: { StandardInput.items(in: Array(text.utf8), LocalFileSystem()) })
    #expect(found.uris.count == items && found.rejections.count == rejections)
    #expect(found.unknownCommand == nil)
  }

  @Test(
    "A missing file and a name with spaces are no mistyped commands",
    arguments: [
      ["missing.mp3", "/"], ["./add", "/"], ["http://192.0.2.1/add"], ["My Album", "/"], ["/"], [],
    ])
  func items(arguments: [String]) {
    #expect(ItemArguments(arguments, playlistFolder: nil).unknownCommand == nil)
  }

  @Test("Each suggestion for a word of another player is a command")
  func suggestions() {
    let phrases = CommandHint.phrases.values.flatMap(\.values)
    for name in Array(CommandHint.otherNames.values) + phrases where !name.hasPrefix("--") {
      // An option moves behind the names of a command.
      let words = name.split(separator: " ").map(String.init)
      let ordered = ArgumentOrder.ordered(["-q"] + words)
      let depth = words.count > 1 && ["queue", "playlist"].contains(words[0]) ? 2 : 1
      #expect(ordered.firstIndex(of: "-q") == depth, "\(name)")
      if words.count > 1, depth == 1 {
        #expect(throws: Never.self, "\(name)") { try RootCommand.parseAsRoot(ArgumentOrder.ordered(words)) }
      }
    }
    for name in CommandHint.otherNames.keys { #expect(!RootCommand.commandNames.contains(name), "\(name)") }
  }

  @Test("A word of another player without a command gets no suggestion, not even that of a similar word")
  func withoutSuggestion() {
    let list = "; “mpris-playerd --help” lists the commands"
    #expect(CommandHint.unknown.isDisjoint(with: CommandHint.otherNames.keys))
    for word in CommandHint.unknown {
      #expect(CommandHint.text(for: word) == list && CommandHint.text(for: word, in: "queue", among: ["clear"]).isEmpty)
    }
    // Words of mpc, cmus and mpv that are only similar to a command.
    for word in ["mount", "share", "raise", "prune", "import", "reset", "lock", "sort", "update", "crap"] {
      #expect(CommandHint.text(for: word) == list, "\(word)")
    }
  }

  @Test(
    "The next word decides too",
    arguments: [
      ("repeat", "off", "loop none"), ("repeat", "on", "loop playlist"), ("repeat", nil, "loop playlist"),
      ("single", "off", "stop-after off"), ("single", "on", "stop-after on"), ("cycle", "pause", "toggle"),
      ("cycle", "mute", "mute"), ("REPEAT", "OFF", "loop none"),
    ])
  func phrases(word: String, next: String?, command: String) throws {
    #expect(CommandHint.text(for: word, before: next) == "; did you mean “\(command)”?")
    let arguments = [word] + (next.map { [$0] } ?? [])
    let mistake = try #require(ItemArguments(arguments, playlistFolder: nil).unknownCommand)
    #expect(mistake.message.hasSuffix("did you mean “\(command)”?"))
  }

  @Test("Each suggestion for a word in another position can be typed, and the word itself cannot")
  func suggestedArguments() throws {
    for (command, meanings) in CommandHint.otherArguments {
      for (word, meant) in meanings {
        #expect(throws: (any Error).self, "\(command) \(word)") { try RootCommand.parseAsRoot([command, word]) }
        #expect(CommandHint.command(for: [command, word]) == meant.joined(separator: " "))
        #expect(throws: Never.self, "\(meant)") { try RootCommand.parseAsRoot(ArgumentOrder.ordered(meant)) }
      }
    }
    #expect(CommandHint.command(for: ["vol", "UP"]) == "volume +5" && CommandHint.command(for: ["-Q"]) == "status")
    #expect(CommandHint.command(for: ["volume", "loud"]) == nil && CommandHint.command(for: []) == nil)
    for (group, words) in CommandHint.groupNames {
      let command = try #require(
        RootCommand.configuration.subcommands.first { $0.configuration.commandName == group })
      let names = command.configuration.subcommands.flatMap { $0.configuration.names }
      for (word, name) in words {
        #expect(names.contains(name) && !names.contains(word), "\(group) \(word)")
        #expect(CommandHint.text(for: word, in: group, among: names) == "; did you mean “\(group) \(name)”?")
      }
    }
  }

  @Test(
    "Options before a command move behind it, and a sign before a number follows the number",
    arguments: [
      (["seek", "-10"], ["seek", "10-"]),
      (["--instance", "42", "seek", "-10"], ["seek", "--instance", "42", "10-"]),
      (["--instance=42", "volume", "-5%"], ["volume", "--instance=42", "5%-"]),
      (["vol", "-5"], ["vol", "5-"]), (["position", "-1:30"], ["position", "1:30-"]),
      (["speed", "-0.1"], ["speed", "0.1-"]),
      (["--quiet", "rm", "3"], ["rm", "--quiet", "3"]), (["--quiet", "add", "-"], ["add", "--quiet", "-"]),
      (["--quiet", "pause"], ["pause", "--quiet"]), (["-q", "seek", "-1"], ["seek", "-q", "1-"]),
      (["--json", "status"], ["status", "--json"]),
      (["--at", "50%", "--at", "1:30", "watch", "--json"], ["watch", "--at", "50%", "--at", "1:30", "--json"]),
      (["--quiet", "queue", "--instance", "42", "add", "a"], ["queue", "add", "--quiet", "--instance", "42", "a"]),
      (["--json", "queue"], ["queue", "--json"]), (["--help", "pause"], ["pause", "--help"]),
      (["--paused", "play", "a", "--volume", "1"], ["play", "--paused", "a", "--volume", "1"]),
      (["--instance", "seek", "-10"], ["--instance", "seek", "-10"]),
      (["--loop", "track", "a", "pause"], ["--loop", "track", "a", "pause"]),
      (["open", "seek", "-1"], ["open", "seek", "-1"]), (["--", "pause"], ["--", "pause"]),
      (["--quiet", "--", "pause"], ["--quiet", "--", "pause"]),
      (["---completion", "pause", "--", "--instance"], ["---completion", "pause", "--", "--instance"]),
      (["--instance"], ["--instance"]),
      ([], []),
    ])
  func order(arguments: [String], expected: [String]) {
    #expect(ArgumentOrder.ordered(arguments) == expected)
  }

  @Test("Each option that takes a value is known, so its value is not read as a command")
  func valueOptions() throws {
    let help = try JSONDecoder().decode(Help.self, from: Data(RootCommand._dumpHelp().utf8))
    #expect(Set(help.command.valueOptions) == ArgumentOrder.valueOptions)
  }

  /// The description of the commands for tools.
  private struct Help: Decodable {
    var command: Command

    struct Command: Decodable {
      var subcommands: [Command]?
      var arguments: [Argument]?

      var valueOptions: [String] {
        (arguments ?? []).filter { $0.kind == "option" }.flatMap { $0.names ?? [] }.map {
          ($0.kind == "long" ? "--" : "-") + $0.name
        } + (subcommands ?? []).flatMap(\.valueOptions)
      }
    }

    struct Argument: Decodable {
      var kind: String
      var names: [Name]?
    }

    struct Name: Decodable {
      var kind: String
      var name: String
    }
  }

  @Test(
    "Each option is accepted before its command",
    arguments: [
      ["--quiet", "pause"], ["-q", "stop"], ["--json", "status"], ["--format", "{{title}}", "status"],
      ["--instance", "42", "next"], ["--force", "save", "x"], ["--with-names", "report"], ["--every", "1", "watch"],
      ["--after-track", "sleep", "30m"], ["--config", "c", "doctor"], ["--verify", "a", "doctor"],
      ["--quiet", "queue", "remove", "1"], ["--quiet", "playlist", "play", "x"], ["--enqueue", "play", "a"],
      ["--config", "c", "config"], ["--json", "queue"], ["--quiet", "prev"], ["--find", "x", "open", "/"],
    ])
  func accepted(arguments: [String]) async throws {
    _ = try await RootCommand.asyncParseAsRoot(ArgumentOrder.ordered(arguments))
  }
}
