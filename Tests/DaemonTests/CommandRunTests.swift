import Glibc
import Logging
import TestSupport
import Testing

@testable import PlayerdSystem

@Suite("Commands of the user") struct CommandRunTests {
  /// Runs `body` with a command, a folder that is its variable `FOLDER`, and the lines of the log.
  private func withCommand(
    _ command: String, deadline: Duration = .seconds(600),
    _ body: (Command, TemporaryDirectory, EventLog<String>) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let lines = EventLog<String>()
      let log = Logger(label: "test") { _ in LineLog(lines: lines) }
      let runs = CommandRuns(deadline: deadline, reportsStatus: true, log: log)
      try await body(Command(runs: runs, arguments: ["sh", "-c", command]), directory, lines)
      await runs.close()
    }
  }

  /// A command, and the runs of it.
  private struct Command {
    var runs: CommandRuns
    var arguments: [String]
  }

  private func run(_ command: Command, _ directory: TemporaryDirectory, _ name: String) {
    command.runs.run("on-track", command.arguments, ["FOLDER": directory.path, "NAME": name])
  }

  /// Waits until a pipe, which a command opens, is written; returns the text.
  private func read(_ directory: TemporaryDirectory) async throws -> String {
    let path = directory.file("pipe")
    return try await TestSupport.run(["cat", path]).output
  }

  private func makePipe(_ directory: TemporaryDirectory) { #expect(unsafe mkfifo(directory.file("pipe"), 0o600) == 0) }

  @Test("The runs follow each other, and none begins before the one before has ended")
  func order() async throws {
    // The folder exists while a run lasts; mkdir fails if another run has it.
    let command =
      #"mkdir "$FOLDER/one" && rmdir "$FOLDER/one" && echo "$NAME" >>"$FOLDER/log" || echo bad >>"$FOLDER/log""#
    try await withCommand(command + #"; [ "$NAME" != 9 ] || cat "$FOLDER/log" >"$FOLDER/pipe""#) {
      commands, directory, lines in
      makePipe(directory)
      for number in 0...9 { run(commands, directory, "\(number)") }
      let text = try await read(directory)
      #expect(text == (0...9).map { "\($0)\n" }.joined())
      #expect(lines.count == 0)
    }
  }

  @Test("A run that exceeds its time limit is killed, and the next one begins")
  func late() async throws {
    try await withCommand("sleep 600 & wait", deadline: .milliseconds(50)) { commands, directory, lines in
      for name in ["a", "b"] { run(commands, directory, name) }
      let first = try await lines.first("the first run is killed")
      let second = try await lines.first("the second run is killed", from: first.index + 1)
      let text = "the command of on-track has not ended within 0.05 s and is killed"
      #expect([first, second].map(\.element) == [text, text])
    }
  }

  @Test("Closing kills the running command with its processes, and those that wait do not run")
  func close() async throws {
    let command = #"sleep 600 & echo $$ $! >"$FOLDER/pipe"; wait; echo done >"$FOLDER/done""#
    try await withCommand(command) { commands, directory, lines in
      makePipe(directory)
      for name in ["a", "b"] { run(commands, directory, name) }
      let processes = try await read(directory).split { $0.isWhitespace }.compactMap { Int32($0) }
      #expect(processes.count == 2)
      await commands.runs.close()
      // The shell has been reaped; its child may wait for the process that adopts it.
      let leader = try #require(processes.first)
      #expect(kill(leader, 0) != 0 && errno == ESRCH)
      run(commands, directory, "c")
      await commands.runs.close()
      #expect(LocalFileSystem().kind(of: Array(directory.file("done").utf8)) == nil)
      #expect(lines.count == 0)
    }
  }

  @Test("Closing kills the running command, and runs one that outlasts the player")
  func last() async throws {
    try await withTemporaryDirectory { directory in
      let runs = CommandRuns(grace: .seconds(600), log: Logger(label: "test") { _ in LineLog(lines: EventLog()) })
      makePipe(directory)
      let long = Command(runs: runs, arguments: ["sh", "-c", #"echo $$ >"$FOLDER/pipe"; exec sleep 600"#])
      run(long, directory, "a")
      let process = try #require(Int32(try await read(directory).dropLast()))
      run(long, directory, "b")
      runs.run("on-stop", ["sh", "-c", #"echo >"$FOLDER/stopped""#], ["FOLDER": directory.path], outlasts: true)
      await runs.close()
      #expect(kill(process, 0) != 0 && errno == ESRCH)
      #expect(LocalFileSystem().kind(of: Array(directory.file("stopped").utf8)) == .file)
    }
  }

  @Test("A command that outlasts the player continues after the time that closing waits for it")
  func outlasting() async throws {
    try await withTemporaryDirectory { directory in
      let runs = CommandRuns(grace: .milliseconds(1), log: Logger(label: "test") { _ in LineLog(lines: EventLog()) })
      makePipe(directory)
      #expect(unsafe mkfifo(directory.file("gate"), 0o600) == 0)
      let command = #"echo >"$FOLDER/pipe"; read line <"$FOLDER/gate"; echo done >"$FOLDER/pipe""#
      runs.run("on-stop", ["sh", "-c", command], ["FOLDER": directory.path], outlasts: true)
      _ = try await read(directory)
      await runs.close()
      _ = try await TestSupport.run(["sh", "-c", "echo >'\(directory.file("gate"))'"])
      #expect(try await read(directory) == "done\n")
    }
  }

  @Test("A process that a command leaves in the background ends with it")
  func background() async throws {
    // The end of the pipe is the end of all its writers.
    try await withCommand(#"exec >"$FOLDER/pipe"; sleep 600 & echo "$NAME""#) { commands, directory, _ in
      makePipe(directory)
      run(commands, directory, "a")
      let text = try await read(directory)
      #expect(text == "a\n")
    }
  }

  @Test("At most a hundred runs wait, and a further one is reported")
  func limit() async throws {
    try await withCommand(#"echo >"$FOLDER/pipe"; read line <"$FOLDER/pipe""#) { commands, directory, lines in
      makePipe(directory)
      run(commands, directory, "a")
      // The first run has begun, and does not wait any more.
      _ = try await read(directory)
      for _ in 0...CommandRuns.limit { run(commands, directory, "a") }
      // Those that are rejected one after the other are one line.
      for _ in 0..<10 { run(commands, directory, "a") }
      #expect(lines.elements == ["the command of on-track is not run: 100 runs are waiting"])
    }
  }

  @Test("A command that fails, or that is not a program, is one line of the log")
  func failing() async throws {
    try await withCommand("exit 3") { commands, directory, lines in
      run(commands, directory, "a")
      let first = try await lines.first("the failure")
      #expect(first.element == "the command of on-track has failed with exit status 3")
      let missing = Command(runs: commands.runs, arguments: ["no-such-program", "argument"])
      run(missing, directory, "b")
      let second = try await lines.first("the missing program", from: first.index + 1)
      #expect(second.element == "cannot run the command of on-track: “no-such-program” is not a program in PATH")
      await commands.runs.close()
      #expect(lines.count == 2)
    }
  }
}
