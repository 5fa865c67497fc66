import ArgumentParser
import FoundationEssentials
import Testing

@testable import Playerd
@testable import PlayerdSystem

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
    "Bytes that are not text are not a list of items, and nothing is done",
    arguments: [
      "OggS\0\u{2}\0\0.\0", "ID3\u{4}\0\0", "/\n/usr\n\u{1}", "\0\0\0\0", "\0/\0u\0s\0r\0", "m\0.\0m\0p\03\0\n\0",
      String(repeating: "x", count: 70_000), "/\n" + String(repeating: "/x", count: 40_000),
    ])
  func media(text: String) throws {
    let found = ItemArguments(["/", "-"], playlistFolder: nil) { () throws(StandardInput.Fault) in
      try StandardInput.items(in: Array(text.utf8), LocalFileSystem())
    }
    let mistake = try #require(found.unknownCommand)
    #expect(mistake.message == StandardInput.Fault.notText.message)
  }

  @Test("The number of items and bytes of a list is limited")
  func longInput() {
    let many = [UInt8](repeating: UInt8(ascii: "\n"), count: 1_000_001)
    #expect(throws: StandardInput.Fault.tooManyItems) { try StandardInput.items(in: many, LocalFileSystem()) }
  }

  @Test(
    "A list with a byte order mark, in UTF-16 or with bytes that are not UTF-8 is one",
    arguments: [
      [0xEF, 0xBB, 0xBF] + Array("/usr\n/\n".utf8), [0xFF, 0xFE] + "/usr\r\n/".utf8.flatMap { [$0, 0] },
      [0xFE, 0xFF] + "/usr\n/".utf8.flatMap { [0, $0] }, Array("/usr\n/caf".utf8) + [0xE9, 0x0A] + Array("/".utf8),
      Array("/usr\n/\u{1B}$B\u{E}\n/".utf8),
    ] as [[UInt8]])
  func encodedInput(bytes: [UInt8]) throws {
    let items = try StandardInput.items(in: bytes, LocalFileSystem())
    #expect(items.first == "/usr" && items.last == "/")
  }

  @Test(
    "Items of standard input replace “-”; missing items are not mistyped commands",
    arguments: [
      ("/\n/usr\n", 2, 0), ("/\0/usr\0", 2, 0), ("/\r\n\npause\n", 1, 1), ("/\npau\nse\0/", 1, 1), ("", 0, 1),
    ])
  func input(text: String, items: Int, rejections: Int) {
    let found = ItemArguments(["-"], playlistFolder: nil) { () throws(StandardInput.Fault) in
      try StandardInput.items(in: Array(text.utf8), LocalFileSystem())
    }
    #expect(found.uris.count == items && found.rejections.count == rejections)
    #expect(found.unknownCommand == nil)
  }

  @Test(
    "A missing file and a name with spaces are not mistyped commands",
    arguments: [
      ["missing.mp3", "/"], ["./add", "/"], ["http://192.0.2.1/add"], ["My Album", "/"], ["/"], [],
    ])
  func items(arguments: [String]) {
    #expect(ItemArguments(arguments, playlistFolder: nil).unknownCommand == nil)
  }

  @Test("Each suggestion for a word of another player is a command")
  func suggestions() {
    let phrases = CommandHint.phrases.values.flatMap(\.values)
    let options = CommandHint.otherOptions.values.flatMap(\.self).filter { !$0.hasPrefix("--") }
    for name in options + Array(CommandHint.otherNames.values) + phrases where !name.hasPrefix("--") {
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

  @Test("A word of another player without a command gets no suggestion, not even a similar command")
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
    #expect(CommandHint.text(for: word, before: next.map { [$0] } ?? []) == "; did you mean “\(command)”?")
    let arguments = [word] + (next.map { [$0] } ?? [])
    let mistake = try #require(ItemArguments(arguments, playlistFolder: nil).unknownCommand)
    #expect(mistake.message.hasSuffix("did you mean “\(command)”?"))
  }

  @Test("Each suggestion for a word in another position can be typed, and the word itself cannot")
  func suggestedArguments() throws {
    for (command, meanings) in CommandHint.otherArguments {
      for (word, meant) in meanings {
        // These take words of tracks.
        if !["remove", "jump"].contains(command) {
          #expect(throws: (any Error).self, "\(command) \(word)") { try RootCommand.parseAsRoot([command, word]) }
        }
        #expect(CommandHint.command(for: [command, word]) == meant.joined(separator: " "))
        #expect(throws: Never.self, "\(meant)") { try RootCommand.parseAsRoot(ArgumentOrder.ordered(meant)) }
      }
    }
    #expect(CommandHint.command(for: ["--quiet", "vol", "UP"]) == "volume +5")
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
    "Options before a command move behind it, and the dash before a number becomes a minus sign",
    arguments: [
      (["seek", "-10"], ["seek", "−10"]),
      (["--instance", "42", "seek", "-10"], ["seek", "--instance", "42", "−10"]),
      (["--instance=42", "volume", "-5%"], ["volume", "--instance=42", "−5%"]),
      (["vol", "-5"], ["vol", "−5"]), (["position", "-1:30"], ["position", "−1:30"]),
      (["speed", "-0.1"], ["speed", "−0.1"]), (["queue", "move", "3", "-1"], ["queue", "move", "3", "−1"]),
      (["jump", "-1", "--quiet"], ["jump", "−1", "--quiet"]), (["add", "-1"], ["add", "-1"]),
      (["--quiet", "rm", "3"], ["rm", "--quiet", "3"]), (["--quiet", "add", "-"], ["add", "--quiet", "-"]),
      (["--quiet", "pause"], ["pause", "--quiet"]), (["-q", "seek", "-1"], ["seek", "-q", "−1"]),
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

  @Test(
    "An option for items needs one",
    arguments: [
      "--enqueue", "--next", "--paused", "--pause", "--start 40", "--find x", "play --next", "play --paused",
      "open --start=1", "--quiet --enqueue", "play --config c", "play --quit-at-end", "play --new-instance",
    ])
  func withoutItems(typed: String) {
    let arguments = ArgumentOrder.ordered(typed.split(separator: " ").map(String.init))
    #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
    #expect(throws: Never.self) { try RootCommand.parseAsRoot(arguments + ["x"]) }
  }

  @Test(
    "A signed number is a distance of chapter, jump, play and move, and is refused without a present value",
    arguments: [
      ("chapter +1", true), ("chapter -1", true), ("jump +1", true), ("jump -2", true), ("play +1", true),
      ("move 3 +1", true), ("move last -1", true), ("move +1 3", false), ("move -1 3", false), ("remove +1", false),
      ("remove -1", false), ("remove 2 +1", false), ("next +2", false), ("next -1", false), ("next 0", false),
      ("previous -1", false), ("next 1001", false), ("stop-after +2", false), ("stop-after -2", false),
      ("stop-after 0", false), ("stop-after 99999999999", false),
      ("move 1 99999999999999999999", false), ("repeat-ab -1 5", false), ("repeat-ab 1 +5", false),
      ("speed ++1", false), ("speed 0x1p1", false), ("volume ++5", false), ("volume 0.5%", true), ("volume -5%", true),
      ("volume 1.0", false), ("volume 12.5", true), ("volume 1e1", false), ("sleep -10m", true), ("crossfade -1", true),
      ("--rate +1 x", false),
      ("--volume +5 x", false), ("--volume 0.5 x", false), ("--volume 101 x", false), ("--volume 1 x", true),
    ])
  func numbers(typed: String, isAccepted: Bool) {
    let arguments = ArgumentOrder.ordered(typed.split(separator: " ").map(String.init))
    #expect((try? RootCommand.parseAsRoot(arguments)) == nil ? !isAccepted : isAccepted)
  }

  @Test("A distance counts from the present number, and a number beyond Int64 stays outside of the list")
  func places() {
    func value(_ text: String, from present: Int64 = 3) -> Int64? {
      TrackPlace(argument: text)?.value(in: 9, from: present)
    }
    #expect(value("+1") == 4 && value("-1") == 2 && value("−1") == 2 && value("7") == 7 && value("last") == 9)
    #expect(value("+9223372036854775807") == .max && value("-5") == -2 && value("+1", from: 0) == 1)
    for text in ["1+", "1-", "+", "-", "", "+last", "1.5", "+1.5", "++1", "3-5"] { #expect(value(text) == nil) }
  }

  @Test("Each option that takes a value is known, so its value is not read as a command")
  func valueOptions() throws {
    #expect(Set(try Help.dumped().command.valueOptions) == ArgumentOrder.valueOptions)
  }

  @Test("The help describes each command, argument and option with a sentence")
  func descriptions() throws {
    let texts = try Help.dumped().command.descriptions
    #expect(texts.count > 100)
    #expect(texts.filter { !$0.hasSuffix(".") } == [])
  }

  /// The description of the commands for tools.
  private struct Help: Decodable {
    var command: Command

    static func dumped() throws -> Help {
      try JSONDecoder().decode(Help.self, from: Data(RootCommand._dumpHelp().utf8))
    }

    struct Command: Decodable {
      var abstract: String?
      var discussion: String?
      var subcommands: [Command]?
      var arguments: [Argument]?

      var descriptions: [String] {
        [abstract, discussion].compactMap(\.self) + (arguments ?? []).compactMap(\.abstract)
          + (subcommands ?? []).flatMap(\.descriptions)
      }

      var valueOptions: [String] {
        (arguments ?? []).filter { $0.kind == "option" }.flatMap { $0.names ?? [] }.map {
          ($0.kind == "long" ? "--" : "-") + $0.name
        } + (subcommands ?? []).flatMap(\.valueOptions)
      }
    }

    struct Argument: Decodable {
      var kind: String
      var abstract: String?
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
