import Glibc
import Joining
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("Faults of an inspection process") struct InspectionFaultTests {
  private static let segmentationFault = "the inspection process ended: signal 11 (SIGSEGV)"

  @Test("Of several open requests, only the file that ends the process alone fails, and the others are answered")
  func culprit() async throws {
    try await withTemporaryDirectory { directory in
      let names = ["1", "2", ScriptedProgram.crash, "4", "5"]
      let program = try await ScriptedProgram(in: directory, holding: names.count)
      try await withInspectionProcess(at: program.path) { process in
        let results = await withTaskGroup { group in
          for name in names {
            group.addTask {
              (
                name,
                await process.result(of: "file:///\(name)")
              )
            }
          }
          var results: [String: Result<MediaDescription, PlayerError>] = [:]
          for await (name, result) in group { results[name] = result }
          return results
        }
        for name in names where name != ScriptedProgram.crash {
          #expect(results[name] == .success(ScriptedProgram.described))
        }
        guard case .failure(let error) = results[ScriptedProgram.crash] else {
          Issue.record("the file did not fail")
          return
        }
        #expect(error == PlayerError(code: .engineEnded, message: Self.segmentationFault))
      }
    }
  }

  @Test("The texts of an answer are cut at the limits of events")
  func longTexts() async throws {
    try await withTemporaryDirectory { directory in
      var description = ScriptedProgram.described
      description.chapters = [Chapter(start: .zero, title: String(repeating: "c", count: 5_000))]
      let error = PlayerError(code: .corrupt, message: String(repeating: "m", count: 5_000))
      let program = try await ScriptedProgram(in: directory) { number in
        .media(.answer(number > 1 ? .failed(error) : .description(description), number: number))
      }
      try await withInspectionProcess(at: program.path) { process in
        let first = try await process.inspect("file:///1", timeout: .seconds(30))
        #expect(first.chapters.map { $0.title?.utf8.count } == [(1 << 10) - 3])
        await #expect { _ = try await process.inspect("file:///2", timeout: .seconds(30)) } throws: {
          ($0 as? PlayerError)?.message.utf8.count == 4_093
        }
      }
    }
  }

  @Test("A file that ended the process is not opened again until it changes, and other files are")
  func marked() async throws {
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory)
      let file = try directory.write("one", to: ScriptedProgram.crash)
      let uri = "file://\(file)"
      try await withInspectionProcess(at: program.path) { process in
        func message() async -> String? {
          let result = await process.result(of: uri)
          if case .failure(let error) = result { return error.message } else { return nil }
        }
        func works() async throws {
          #expect(
            await process.result(of: "file:///good", timeout: .seconds(10)) == .success(ScriptedProgram.described))
        }
        #expect(await message() == Self.segmentationFault)
        try await works()
        let survivor = process.processID
        #expect(survivor != nil)
        #expect(await message() == Self.segmentationFault)
        #expect(process.processID == survivor)
        // The same size, another time.
        #expect(try await run(["touch", "-d", "@1", file]).succeeded)
        #expect(await message() == Self.segmentationFault)
        #expect(process.processID != survivor)
        try await works()
        let other = process.processID
        #expect(await message() == Self.segmentationFault)
        #expect(process.processID == other)
      }
    }
  }

  @Test(
    "If an earlier request was stopped, its threads may be at fault: the open one is repeated",
    arguments: [true, false])
  func remains(isStopped: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let error = PlayerError(code: isStopped ? .cancelled : .corrupt, message: "")
      let program = try await ScriptedProgram(in: directory) { .media(.answer(.failed(error), number: $0)) }
      try await withInspectionProcess(at: program.path) { process in
        #expect(await process.result(of: "file:///1") == .failure(error))
        let answer = await process.result(of: "file:///\(ScriptedProgram.crash)")
        #expect(answer == .failure(PlayerError(code: .engineEnded, message: Self.segmentationFault)))
        let count = try program.processCount
        #expect(count == (isStopped ? 2 : 1))
      }
    }
  }

  @Test("A process in which a request has timed out ends when the others are answered, without the idle time")
  func hung() async throws {
    try await withTemporaryDirectory { directory in
      let error = PlayerError(code: .loadTimeout, message: "")
      let program = try await ScriptedProgram(in: directory) { .media(.answer(.failed(error), number: $0)) }
      try await withInspectionProcess(at: program.path) {
        $0.idleTime = .seconds(3_600)
      } _: { process in
        for count in 1...2 {
          #expect(await process.result(of: "file:///1") == .failure(error))
          if let number = process.processID { try await waitForEnd(ofProcess: number) }
          let started = try program.processCount
          #expect(started == count)
        }
      }
    }
  }

  @Test("A process that does not answer a request after its time limit is killed, and the file is marked")
  func silent() async throws {
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory)
      try await withInspectionProcess(at: program.path) {
        $0.answerTime = .milliseconds(200)
      } _: { process in
        #expect(await process.result(of: "file:///good", timeout: .seconds(100)) == .success(ScriptedProgram.described))
        for _ in 0..<2 {
          let answer = await process.result(of: "file:///\(ScriptedProgram.silence)", timeout: .zero)
          #expect(
            answer
              == .failure(
                PlayerError(code: .engineEnded, message: "the inspection process ended: no answer for 0.2 seconds")))
        }
      }
    }
  }

  @Test("Messages that no process sends end it, and its request fails with the reason")
  func hostileMessages() async throws {
    var negative = ScriptedProgram.described
    negative.duration = .seconds(-1)
    var chapter = ScriptedProgram.described
    chapter.chapters = [Chapter(start: .seconds(-1))]
    let messages: [(EngineReport, String)] = [
      (.media(.answer(.description(negative), number: 1)), "a negative duration"),
      (.media(.answer(.description(chapter), number: 1)), "a negative time of a chapter"),
      (.media(.answer(.audioOutputs([]), number: 1)), "an answer to another request"),
      (.media(.answer(.checked, number: 2)), "an answer without its request"),
      (.media(.question(.isExamined, number: 1)), "a question without its request"),
      (.media(.question(.isWanted(mediaType: nil, beginning: []), number: 9)), "a question without its request"),
      (.output(.event(.found)), "a message of the engine of a player"),
      (.outputHangs, "a message of the engine of a player"),
      (.ringFault(Samples.token, "seek 1"), "a message of the engine of a player"),
      (.withdrawn(Samples.token), "a message of the engine of a player"),
      (.media(.answer(.loudness(nil), number: 1)), "an answer to another request"),
    ]
    for (message, reason) in messages {
      try await withTemporaryDirectory { directory in
        let program = try await ScriptedProgram(in: directory) { _ in message }
        try await withInspectionProcess(at: program.path) { process in
          let answer = await process.result(of: "file:///1")
          let text = "the inspection process ended: it sent an invalid message: \(reason)"
          #expect(answer == .failure(PlayerError(code: .engineEnded, message: text)))
        }
      }
    }
  }

  @Test("Content beyond the limit of a read ends the process")
  func hostileContent() async throws {
    let large = MediaContent(uri: "", mediaType: nil, bytes: [1, 2, 3])
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory) { .media(.answer(.content(large), number: $0)) }
      try await withInspectionProcess(at: program.path) { process in
        let answer = await result { () throws(PlayerError) in
          try await process.read(
            "file:///1", headers: nil, byteLimit: 2, timeout: .seconds(10), forPlayback: false
          ) { _, _ in true }
        }
        let text = "the inspection process ended: it sent an invalid message: more content than the limit"
        #expect(answer == .failure(PlayerError(code: .engineEnded, message: text)))
      }
    }
  }

  @Test("A program that ends before it has started, or is missing, fails all requests and marks no file")
  func notStarting() async throws {
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory, starts: false)
      try await withInspectionProcess(at: program.path) { process in
        let answer = await process.result(of: "file:///1")
        #expect(answer == .failure(PlayerError(code: .engineEnded, message: Self.segmentationFault)))
        // Another program at this path works.
        _ = try await ScriptedProgram(in: directory)
        let other = await process.result(of: "file:///1")
        #expect(other == .success(ScriptedProgram.described))
      }
      try await withInspectionProcess(at: directory.file("missing")) { process in
        let answer = await process.result(of: "file:///1")
        guard case .failure(let error) = answer else { return }
        #expect(error.code == .engineEnded)
        #expect(error.message.hasSuffix("missing: No such file or directory"))
        #expect(await process.audioOutputs().isEmpty)
        #expect(await process.support() == nil)
      }
    }
  }

  @Test("Closing the client fails its requests with the code cancelled, and ends the process")
  func close() async throws {
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory)
      try await withInspectionProcess(at: program.path) { process in
        #expect(await process.result(of: "file:///1", timeout: .seconds(10)) == .success(ScriptedProgram.described))
        let number = try #require(process.processID)
        async let open = result { () throws(PlayerError) in
          try await process.inspect("file:///\(ScriptedProgram.silence)", timeout: .seconds(100))
        }
        process.close()
        let answer = await open
        #expect(answer == .failure(PlayerError(code: .cancelled, message: "the inspection process is closed")))
        await process.closed()
        #expect(process.processID == nil)
        #expect(kill(number, 0) != 0)
      }
    }
  }
}
