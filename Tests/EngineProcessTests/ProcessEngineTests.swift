import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("A player whose engine is processes", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ProcessEngineTests {
  @Test("Two files play without an extra or missing sample between them")
  func gapless() async throws {
    let parts = try await Media.continuousSine(samplesPerPart: 70_001)
    let originals = try await Media.continuousSine(samplesPerPart: 70_001, format: .wav)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withProcessPlayer(parts, sink: Ramp.sink(path)) { player in
        player.player.play()
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.contains(.currentItemChanged(from: player.items[0], to: player.items[1])))
      }
      let original = try originals.flatMap { path in
        // The left channel of 16 bit stereo.
        let samples = try Ramp.samples(path).dropFirst(22)
        return stride(from: samples.startIndex, to: samples.endIndex, by: 2).map { samples[$0] }
      }
      let heard = try Ramp.samples(path)
      #expect(heard.count == original.count)
      #expect(heard.elementsEqual(original))
    }
  }

  @Test("A seek is exact, and its caller is answered")
  func seek() async throws {
    let ramp = try await Ramp.wav(seconds: 6)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withProcessPlayer([ramp], sink: Ramp.sink(path)) { player in
        try await player.playing(until: .milliseconds(200))
        let isCompleted = await player.player.seek(to: .seconds(5)).isCompleted
        #expect(isCompleted)
        try await player.queueEnds()
      }
      // A flush begins the file again; an output without samples is not flushed.
      let samples = try Ramp.samples(path)
      let jump = zip(samples, samples.dropFirst()).enumerated().first { $1.1 - $1.0 > 1 }
      let first = try #require(samples.dropFirst(jump.map { $0.offset + 1 } ?? 0).first)
      #expect((Duration.milliseconds(4_998)...Duration.milliseconds(5_002)).contains(Ramp.position(first)))
      #expect(zip(samples, samples.dropFirst()).count { $1 - $0 > 1 } == (jump == nil ? 0 : 1))
    }
  }

  @Test("A file with blocks of one sample plays without an end of the output's process, as fast as an output takes it")
  func tinyBlocks() async throws {
    var flac = FLACWriter(channels: 1, blockSizes: 1...1)
    let samples = (0..<11_025).map { Int16($0) }
    for sample in samples { flac.add([[sample]]) }
    try await withTemporaryDirectory { directory in
      let (file, heard) = (try directory.write(flac.file, to: "a.flac"), directory.file("heard.raw"))
      try await withProcessPlayer([file], sink: "filesink location=\(heard) buffer-mode=unbuffered") { player in
        player.player.play()
        try await player.queueEnds()
        #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[0])))
        #expect(!player.events.elements.contains { if case .warning = $0 { true } else { false } })
      }
      #expect(try Ramp.samples(heard) == samples)
    }
  }

  @Test("After the process with the decks was killed, every sample is played once")
  func decksKilled() async throws {
    let ramp = try await Ramp.wav(seconds: 20)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withProcessPlayer([ramp], sink: Ramp.sink(path)) { player in
        try await player.playing(until: .milliseconds(300))
        let killed = try player.decks()
        let output = try #require(player.engine.processID)
        #expect(kill(killed, SIGKILL) == 0)
        try await player.warning("the decoding process ended: signal 9 (SIGKILL)")
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.filter { $0 == .itemDidPlayToEnd(player.items[0]) }.count == 1)
        #expect(player.engine.processID == output)
        #expect(kill(killed, 0) != 0)
        #expect(try player.decks() != killed)
      }
      let heard = try Ramp.samples(path)
      #expect(heard.count == 20 * 44_100)
      #expect(heard.enumerated().first { Int($0.element) != $0.offset / 64 } == nil)
    }
  }

  @Test("After the process of the output was killed, playback continues at its position in another one")
  func outputKilled() async throws {
    let ramp = try await Ramp.wav(seconds: 5)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withProcessPlayer([ramp], sink: Ramp.sink(path)) { player in
        try await player.playing(until: .seconds(1))
        let (killed, decks) = (try #require(player.engine.processID), try player.decks())
        let before = player.player.snapshot.position
        #expect(kill(killed, SIGKILL) == 0)
        try await player.warning("the output process ended: signal 9 (SIGKILL)")
        let after = player.player.snapshot.position
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.filter { $0 == .itemDidPlayToEnd(player.items[0]) }.count == 1)
        #expect(try player.decks() == decks)
        // The file begins again when the output is opened.
        let heard = try Ramp.samples(path)
        let start = Ramp.position(try #require(heard.first))
        // The end of the process was noticed between the two.
        #expect(
          start > before - .milliseconds(20) && start < after + .milliseconds(20), "\(before), \(start), \(after)")
        #expect(heard.last == Int16((5 * 44_100 - 1) / 64))
        #expect(heard.count == 5 * 44_100 - Int(try #require(heard.first)) * 64 - (64 - Ramp.run(heard)))
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 - $0 == 0 || $1 - $0 == 1 })
        // No two processes play at once, and the first one is gone.
        #expect(kill(killed, 0) != 0)
      }
    }
  }

  @Test("An item during which the process with its deck ended twice fails with the signal, and the next one plays")
  func killedTwice() async throws {
    let (one, other) = (try await Ramp.wav(seconds: 40), try await Media.sine(seconds: 0.5))
    try await withProcessPlayer([one, other]) { player in
      player.player.rate = 4
      var last: Int32 = 0
      // A deck is a few seconds ahead: the second process decoded the samples at the second position.
      for position in [Duration.milliseconds(500), .seconds(12)] {
        try await player.playing(until: position)
        #expect(player.failures.isEmpty)
        let process = try player.decks()
        #expect(process != last)
        last = process
        #expect(kill(process, SIGUSR1) == 0)
      }
      try await player.queueEnds()
      #expect(player.failures.map(\.item) == [player.items[0]])
      #expect(player.failures.map(\.error.code) == [.engineEnded])
      #expect(player.failures.first?.error.message == "the decoding process ended twice: signal 10")
      #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[1])))
    }
  }

  @Test("A process without a free file descriptor for an item is replaced, and the item plays")
  func descriptors() async throws {
    let (one, other) = (try await Ramp.wav(seconds: 20), try await Media.sine(seconds: 0.5))
    try await withProcessPlayer([one, other]) { player in
      try await player.playing(until: .milliseconds(500))
      let process = try player.decks()
      let limited = try await run(["prlimit", "--pid", "\(process)", "--nofile=20:20"])
      try #require(limited.succeeded, "\(limited.error)")
      player.player.advanceToNextItem()
      try await player.warning("the decoding process ended: the process has too few file descriptors left")
      try await player.queueEnds()
      #expect(player.failures.isEmpty)
      #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[1])))
    }
  }

  @Test("An output that hangs is killed, and the item plays in another process")
  func hangs() async throws {
    let media = try await Media.sine(seconds: 0.5)
    try await withTemporaryDirectory { directory in
      try directory.write(try EngineProtocol.encode(EngineReport.started(sandbox: nil)), to: "started")
      try directory.write(try EngineProtocol.encode(EngineReport.outputHangs), to: "hangs")
      let decks = try #require(SandboxPolicy.arguments(of: .files).last)
      let script = try directory.write(
        """
        #!/bin/sh
        cd '\(directory.path)' || exit 1
        case "$*" in *\(decks)) exec '\(try Tool.built("mpris-playerd-engine"))' "$@";; esac
        [ -e abandoned ] && exec '\(try Tool.built("mpris-playerd-engine"))' "$@"
        cat started >&3
        while dd bs=65536 count=1 of=packet <&3 2>/dev/null && [ -s packet ]; do
          if grep -aq plan packet; then
            echo $$ >abandoned
            cat hangs >&3
            exec sleep 1000
          fi
        done
        """, to: "program.txt")
      let program = directory.file("program.sh")
      #expect(try await run(["install", "-m", "755", script, program]).succeeded)
      try await withProcessPlayer([media]) {
        $0.path = program
      } _: { player in
        player.player.play()
        try await player.warning("the output does not respond")
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[0])))
        let abandoned = try String(contentsOfFile: directory.file("abandoned"), encoding: .utf8)
        #expect(kill(try #require(pid_t(abandoned.dropLast())), 0) != 0)
      }
    }
  }

  /// The process of an engine that a test treats badly.
  enum Kind: CaseIterable {
    case output, decks

    func process(_ player: ProcessPlayer) throws -> Int32 {
      self == .output ? try #require(player.engine.processID) : try player.decks()
    }

    /// The beginning of the warning about its end.
    var warning: String { self == .output ? "the output process ended: " : "the decoding process ended: " }
  }

  @Test("An output that is stopped is killed and replaced")
  func stopped() async throws {
    let kind = Kind.output
    let ramp = try await Ramp.wav(seconds: 40)
    try await withProcessPlayer([ramp]) {
      $0.answerTime = .seconds(5)
    } _: { player in
      try await player.playing(until: .milliseconds(500))
      let process = try kind.process(player)
      #expect(kill(process, SIGSTOP) == 0)
      try await player.warning(kind.warning + "no answer for 5.0 seconds")
      let place = player.events.count
      #expect(await player.player.seek(to: .seconds(39)).isCompleted)
      try await player.queueEnds(from: place)
      #expect(player.failures.isEmpty)
      #expect(kill(process, 0) != 0)
    }
  }

  @Test(
    "A process that was ended for its CPU time is replaced, and the reason is the limit", arguments: Kind.allCases)
  func time(kind: Kind) async throws {
    let ramp = try await Ramp.wav(seconds: 4)
    try await withProcessPlayer([ramp]) { player in
      try await player.playing(until: .milliseconds(500))
      #expect(kill(try kind.process(player), SIGXCPU) == 0)
      try await player.warning(kind.warning + "more than 60.0 seconds of CPU time without progress")
      try await player.queueEnds()
      #expect(player.failures.isEmpty)
    }
  }

  @Test("Commands for a process that does not read are queued without waiting, and it is replaced at the limit")
  func fullSocket() async throws {
    let ramp = try await Ramp.wav(seconds: 4)
    try await withProcessPlayer([ramp]) { player in
      try await player.playing(until: .milliseconds(500))
      let process = try #require(player.engine.processID)
      #expect(kill(process, SIGSTOP) == 0)
      for number in 0..<EngineChannel.waitingLimit.count * 2 { player.player.volume = Double(number % 100) / 100 }
      try await player.warning("the output process ended: it does not read its messages")
      try await player.queueEnds()
      #expect(player.failures.isEmpty)
    }
  }

  @Test("Idle processes end, and the next item is played by others")
  func idle() async throws {
    let path = try await Media.sine(seconds: 3)
    try await withProcessPlayer([path]) {
      $0.idleTime = .zero
    } _: { player in
      #expect(player.engine.processID == nil && player.engine.deckProcessIDs.isEmpty)
      player.player.volume = 0.5
      try await player.playing(until: .milliseconds(200))
      let processes = [try #require(player.engine.processID), try player.decks()]
      player.player.stop()
      for process in processes { try await waitForEnd(ofProcess: process) }
      let place = player.events.count
      player.player.play()
      try await player.queueEnds(from: place)
      #expect(player.failures.isEmpty)
      #expect(player.player.volume == 0.5)
      let warnings = player.events.elements.filter { if case .warning = $0 { true } else { false } }
      #expect(warnings.isEmpty)
    }
  }

  @Test("A process beyond the memory limit is ended, and the item names the limit")
  func memory() async throws {
    let path = try await Media.sine(seconds: 20)
    try await withProcessPlayer([path]) {
      $0.memoryLimit = 1
    } _: { player in
      player.player.play()
      try await player.queueEnds()
      #expect(player.failures.map(\.error.code) == [.engineEnded])
      #expect(player.failures.first?.error.message.contains("more than 1 MiB of memory") == true)
    }
  }

  /// Writes a program that is the engine's, except for processes of a kind, which run a line of a shell.
  private static func program(_ line: String, as kind: Kind, in directory: TemporaryDirectory) async throws -> String {
    let engine = try Tool.built("mpris-playerd-engine")
    let decks = try #require(SandboxPolicy.arguments(of: .files).last)
    let script = try directory.write(
      """
      #!/bin/sh
      case "$*" in *\(decks)) kind=decks;; *) kind=output;; esac
      if [ $kind = \(kind) ]; then \(line); fi
      exec '\(engine)' "$@"
      """, to: "program.txt")
    let program = directory.file("program.sh")
    // Another process writes it: a child that this one starts at the same time could keep it open for writing.
    #expect(try await run(["install", "-m", "755", script, program]).succeeded)
    return program
  }

  @Test(
    "A program that sends garbage, or is another version, fails the item with the reason, and playback stops",
    arguments: Kind.allCases,
    [
      ("head -c 100 /dev/urandom >&3; exec sleep 1000", "it sent an invalid message"),
      ("exit 64", "the engine program is another version; restart the player"),
    ])
  func wrongProgram(kind: Kind, wrong: (line: String, reason: String)) async throws {
    let media = try await Media.sine(seconds: 1)
    try await withTemporaryDirectory { directory in
      let program = try await Self.program(wrong.line, as: kind, in: directory)
      try await withProcessPlayer([media, media]) {
        $0.path = program
      } _: { player in
        player.player.play()
        try await player.queueEnds()
        // Every item would fail.
        #expect(player.failures.map(\.error.code) == [.engineEnded])
        let message = player.failures.first?.error.message ?? ""
        let name = kind == .decks ? "decoding" : "output"
        #expect(message.hasPrefix("the \(name) process cannot be started: \(wrong.reason)"), "\(message)")
      }
    }
  }

  @Test("A process with decks that ends before it has started is replaced, and its item is not interrupted")
  func endBeforeStart() async throws {
    let media = try await Media.sine(seconds: 1)
    try await withTemporaryDirectory { directory in
      let mark = directory.file("used")
      let program = try await Self.program("[ -e '\(mark)' ] || { : >'\(mark)'; exit 7; }", as: .decks, in: directory)
      try await withProcessPlayer([media]) {
        $0.path = program
      } _: { player in
        player.player.play()
        try await player.warning("the decoding process ended: exit status 7")
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        // The log names the processes that have interrupted an item.
        #expect(player.player.errorLog.isEmpty)
      }
    }
  }

  @Test("A program that cannot be started fails the item with the reason, and no other item is tried")
  func missingProgram() async throws {
    let media = try await Media.sine(seconds: 1)
    try await withTemporaryDirectory { directory in
      try await withProcessPlayer([media, media]) {
        $0.path = directory.file("missing")
      } _: { player in
        player.player.play()
        try await player.queueEnds()
        // Every item would fail.
        #expect(player.failures.map(\.error.code) == [.engineEnded])
        #expect(player.failures.first?.error.message.contains("No such file or directory") == true)
      }
    }
  }

  @Test("A process with decks that owes samples and does not answer is replaced soon, and no sample is lost")
  func stoppedDecks() async throws {
    // A deck is a few seconds ahead, and a slow machine stops it late.
    let ramp = try await Ramp.wav(seconds: 20)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withProcessPlayer([ramp], sink: Ramp.sink(path)) { player in
        try await player.playing(until: .milliseconds(500))
        #expect(kill(try #require(player.engine.deckProcessIDs.first), SIGSTOP) == 0)
        // The time limit of an answer is a minute.
        try await player.warning("the decoding process ended: no samples and no answer for")
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(try Ramp.samples(path).elementsEqual((0..<20 * 44_100).map { Int16($0 / 64) }))
      }
    }
  }

  @Test("Closing the player ends the processes")
  func close() async throws {
    let ramp = try await Ramp.wav(seconds: 20)
    let player = try ProcessPlayer([ramp], sink: "fakesink sync=true") { _ in }
    try await player.playing(until: .milliseconds(200))
    let processes = [try #require(player.engine.processID), try player.decks()]
    await player.end()
    for process in processes { #expect(kill(process, 0) != 0) }
  }
}

extension Duration {
  /// Returns the distance to another duration, without a sign.
  fileprivate func distance(to other: Duration) -> Duration { self < other ? other - self : self - other }
}
