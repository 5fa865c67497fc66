import ArgumentParser
import Testing

@testable import Playerd

/// Tests of the arguments before they are parsed, and without the parser.
@Suite("Arguments of commands")
struct CommandArgumentTests {
  @Test("The start without the parser has the values of the parsed arguments")
  func withoutParser() async throws {
    let command = try #require(try await RootCommand.asyncParseAsRoot(["--quiet"]) as? OpenCommand)
    var parsed = command.options.invocation
    parsed.target = nil
    #expect("\(parsed)" == "\(OpenInvocation(isQuiet: true))")
  }

  @Test("An empty argument is rejected as wrong usage, and is not the working directory")
  func empty() {
    let items = ItemArguments(["", "/", "."], playlistFolder: nil)
    #expect(items.uris.count == 2 && items.uris.first == "file:///")
    #expect(items.rejections.map(\.message) == ["an empty argument is not a file, URL or playlist"])
    #expect(items.status == ExitStatus.usage)
  }

  @Test(
    "A sign before a number follows the number, also after the option for the instance",
    arguments: [
      (["seek", "-10"], ["seek", "10-"]),
      (["--instance", "42", "seek", "-10"], ["--instance", "42", "seek", "10-"]),
      (["--instance=42", "volume", "-5%"], ["--instance=42", "volume", "5%-"]),
      (["--instance", "seek", "-10"], ["--instance", "seek", "-10"]),
      (["open", "seek", "-1"], ["open", "seek", "-1"]),
      (["--instance"], ["--instance"]),
      ([], []),
    ])
  func sign(arguments: [String], expected: [String]) {
    #expect(SignedArgument.withTrailingSigns(arguments) == expected)
  }
}
