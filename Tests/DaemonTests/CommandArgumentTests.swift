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
      [], ["pause"], ["--help"], ["a.flac", "--paused"], ["a.flac", "--", "b.flac"], [""], ["add", "./a.flac"],
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
      (["add", "/"], "queue add"), (["queu", "add", "/"], "queue"), (["enqueue", "/"], "queue add"),
      (["Pause"], "pause"), (["stpo", "/"], "stop"), (["vol", "50"], "volume"), (["prev"], "previous"),
      (["skip"], "next"), (["enqeue", "/"], "queue add"), (["current"], "status"), (["repeat", "/"], "loop"),
      (["clear"], "queue clear"), (["ls"], "queue"), (["shufle"], "shuffle"), (["zzzzzz", "/"], "--help"),
    ])
  func unknownCommand(arguments: [String], suggestion: String) throws {
    let mistake = try #require(ItemArguments(arguments, playlistFolder: nil).unknownCommand)
    let text = "\(arguments[0]): not a command, file, URL or playlist; "
    #expect(mistake.message.hasPrefix(text))
    let end = suggestion == "--help" ? "“mpris-playerd --help” lists the commands" : "did you mean “\(suggestion)”?"
    #expect(mistake.message == text + end)
  }

  @Test(
    "A missing file, a name with spaces and a word after an item are no mistyped commands",
    arguments: [
      ["missing.mp3", "/"], ["./add", "/"], ["http://192.0.2.1/add"], ["My Album", "/"], ["/", "add"], ["/"], [],
    ])
  func items(arguments: [String]) {
    #expect(ItemArguments(arguments, playlistFolder: nil).unknownCommand == nil)
  }

  @Test("Each suggestion for a word of another player is a command")
  func suggestions() {
    for name in CommandHint.otherNames.values where !name.hasPrefix("--") {
      // An option moves behind the names of a command.
      let words = name.split(separator: " ").map(String.init)
      let ordered = ArgumentOrder.ordered(["-q"] + words)
      #expect(ordered.firstIndex(of: "-q") == (words[0] == "queue" ? words.count : 1), "\(name)")
    }
    for name in CommandHint.otherNames.keys { #expect(!RootCommand.commandNames.contains(name), "\(name)") }
  }

  @Test(
    "Options before a command move behind it, and a sign before a number follows the number",
    arguments: [
      (["seek", "-10"], ["seek", "10-"]),
      (["--instance", "42", "seek", "-10"], ["seek", "--instance", "42", "10-"]),
      (["--instance=42", "volume", "-5%"], ["volume", "--instance=42", "5%-"]),
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
      ["--config", "c", "config"], ["--json", "queue"],
    ])
  func accepted(arguments: [String]) async throws {
    _ = try await RootCommand.asyncParseAsRoot(ArgumentOrder.ordered(arguments))
  }
}
