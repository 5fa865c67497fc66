import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

/// A program that speaks the protocol with messages that a test has prepared.
///
/// It answers its requests, whose numbers count from 1, in their order. A request whose bytes contain one of the words
/// below is treated differently, so a test selects the bad file by its name.
struct ScriptedProgram {
  /// The word of a request at which the program ends itself with SIGSEGV.
  static let crash = "crashes"
  /// The word of a request that the program does not answer.
  static let silence = "is-silent"
  /// The number of answers that are prepared.
  private static let count = 40

  let path: String

  /// Writes the program into a folder.
  ///
  /// - Parameters:
  ///   - directory: The folder.
  ///   - held: The number of requests that have to arrive before the program carries out the first one.
  ///   - starts: Whether the program reports its start.
  ///   - sandbox: The sandbox that it reports.
  ///   - answer: The message for the request with a number.
  /// - Throws: The failure of a file, or of the encoding of a message.
  init(
    in directory: TemporaryDirectory, holding held: Int = 0, starts: Bool = true, sandbox: SandboxState? = nil,
    _ answer: (_ number: Int) -> EngineReport = { .media(.answer(.description(described), number: $0)) }
  ) async throws {
    try directory.write(try EngineProtocol.encode(EngineReport.started(sandbox: sandbox)), to: "started")
    for number in 1...Self.count {
      try directory.write(try EngineProtocol.encode(answer(number)), to: "answer.\(number)")
    }
    func has(_ word: String) -> String { "grep -aq '\(word)' \"packet.$$.$1\"" }
    // A packet is read whole by one call. A process gets its packets in order, so the held requests are at the front.
    let text = try directory.write(
      """
      #!/bin/sh
      cd '\(directory.path)' || exit 1
      carry_out() {
        if \(has(Self.crash)); then kill -SEGV $$; fi
        \(has(Self.silence)) || cat "answer.$1" >&3
      }
      \(starts ? "cat started >&3" : "kill -SEGV $$")
      echo $$ >>processes
      number=0
      done=0
      while dd bs=65536 count=1 of="packet.$$" <&3 2>/dev/null && [ -s "packet.$$" ]; do
        grep -aq close "packet.$$" && exit 0
        grep -aq request "packet.$$" || continue
        number=$((number + 1))
        mv "packet.$$" "packet.$$.$number"
        [ "$number" -ge \(held) ] || [ -e released ] || continue
        : >released
        while [ "$done" -lt "$number" ]; do
          done=$((done + 1))
          carry_out "$done"
        done
      done
      """, to: "program.txt")
    path = directory.file("program.sh")
    // A process that this one starts just now would inherit a file that it writes, and a file that is open for writing
    // cannot be executed.
    #expect(try await run(["install", "-m", "755", text, path]).succeeded)
  }

  /// The number of processes that were started.
  var processCount: Int {
    get throws {
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
      return try String(contentsOfFile: "\(folder)/processes", encoding: .utf8).split(separator: "\n").count
    }
  }

  /// The description in the answers.
  static var described: MediaDescription {
    var description = MediaDescription()
    description.duration = .seconds(7)
    return description
  }
}

/// Runs `body` with the client of a program, and ends the process.
func withInspectionProcess(
  at path: String? = nil, _ change: (inout Player.Configuration.Engine) -> Void = { _ in },
  policy: SandboxPolicy = .servers, _ body: (InspectionProcess) async throws -> Void
) async throws {
  var program = Player.Configuration.Engine.process(at: try path ?? Tool.built("mpris-playerd-engine"))
  // The machine may be busy.
  program.answerTime = .seconds(60)
  change(&program)
  let process = InspectionProcess(program, policy)
  do {
    try await body(process)
  } catch {
    process.close()
    await process.closed()
    throw error
  }
  process.close()
  await process.closed()
}

/// Returns the result of a function that throws errors of a player.
func result<Value>(_ body: () async throws(PlayerError) -> Value) async -> Result<Value, PlayerError> {
  do throws(PlayerError) { return .success(try await body()) } catch { return .failure(error) }
}

extension InspectionProcess {
  /// Inspects a URI; returns its description or the error.
  func result(
    of uri: String, timeout: Duration = .seconds(10)
  ) async -> Result<MediaDescription, PlayerError> {
    do throws(PlayerError) { return .success(try await inspect(uri, timeout: timeout)) } catch {
      return .failure(error)
    }
  }
}
