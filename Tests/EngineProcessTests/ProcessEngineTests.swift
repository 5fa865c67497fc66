import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("A player whose engine is a process", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
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
      // A flush begins the file again.
      let first = try #require(try Ramp.samples(path).first)
      #expect(Ramp.position(first).distance(to: .seconds(5)) < .milliseconds(2))
    }
  }

  @Test("After the process was killed, playback continues at its position in another one")
  func killed() async throws {
    let ramp = try await Ramp.wav(seconds: 5)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withProcessPlayer([ramp], sink: Ramp.sink(path)) { player in
        try await player.playing(until: .seconds(1))
        let killed = try #require(player.engine.processID)
        let before = player.player.snapshot.position
        #expect(kill(killed, SIGKILL) == 0)
        try await player.warning("the engine process ended: signal 9 (SIGKILL)")
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.filter { $0 == .itemDidPlayToEnd(player.items[0]) }.count == 1)
        let held = try #require(player.player.errorLog.last?.position)
        #expect(held >= before)
        let heard = try Ramp.samples(path)
        #expect(Ramp.position(try #require(heard.first)).distance(to: held) < .milliseconds(2))
        #expect(heard.last == Int16((5 * 44_100 - 1) / 64))
        // No two processes play at once, and the first one is gone.
        #expect(kill(killed, 0) != 0)
      }
    }
  }

  @Test("An item during which the process ended twice fails with the signal, and the next one plays")
  func killedTwice() async throws {
    let (one, other) = (try await Ramp.wav(seconds: 20), try await Media.sine(seconds: 0.5))
    try await withProcessPlayer([one, other]) { player in
      var last: Int32 = 0
      for position in [Duration.milliseconds(500), .milliseconds(1_500)] {
        try await player.playing(until: position)
        let process = try #require(player.engine.processID)
        #expect(process != last)
        last = process
        #expect(kill(process, SIGUSR1) == 0)
        if position == .milliseconds(500) { try await player.warning("the engine process ended: signal 10") }
      }
      try await player.queueEnds()
      #expect(player.failures.map(\.item) == [player.items[0]])
      #expect(player.failures.map(\.error.code) == [.engineEnded])
      #expect(player.failures.first?.error.message == "the engine process ended twice: signal 10")
      #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[1])))
    }
  }

  @Test("A process that has no file descriptor left for an item is replaced, and the item plays")
  func descriptors() async throws {
    let (one, other) = (try await Ramp.wav(seconds: 20), try await Media.sine(seconds: 0.5))
    try await withProcessPlayer([one, other]) { player in
      try await player.playing(until: .milliseconds(500))
      let process = try #require(player.engine.processID)
      let limited = try await run(["prlimit", "--pid", "\(process)", "--nofile=20:20"])
      try #require(limited.succeeded, "\(limited.error)")
      player.player.advanceToNextItem()
      try await player.warning("the engine process ended: the process has too few file descriptors left")
      try await player.queueEnds()
      #expect(player.failures.isEmpty)
      #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[1])))
    }
  }

  @Test("A process that has abandoned a pipeline is killed, and the item plays in another one")
  func abandoned() async throws {
    let media = try await Media.sine(seconds: 0.5)
    try await withTemporaryDirectory { directory in
      try directory.write(try EngineProtocol.encode(EngineReport.started(sandbox: nil)), to: "started")
      try directory.write(
        try EngineProtocol.encode(EngineReport.event(.replaced(after: .output))), to: "replaced")
      let script = try directory.write(
        """
        #!/bin/sh
        cd '\(directory.path)' || exit 1
        [ -e abandoned ] && exec '\(try Tool.built("mpris-playerd-engine"))' "$@"
        cat started >&3
        while dd bs=65536 count=1 of=packet <&3 2>/dev/null && [ -s packet ]; do
          if grep -aq load packet; then
            echo $$ >abandoned
            cat replaced >&3
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
        try await player.warning("its pipeline is abandoned")
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[0])))
        let abandoned = try String(contentsOfFile: directory.file("abandoned"), encoding: .utf8)
        #expect(kill(try #require(pid_t(abandoned.dropLast())), 0) != 0)
      }
    }
  }

  @Test("A process that is stopped is killed and replaced")
  func stopped() async throws {
    let ramp = try await Ramp.wav(seconds: 8)
    try await withProcessPlayer([ramp]) {
      $0.answerTime = .seconds(5)
    } _: { player in
      try await player.playing(until: .milliseconds(500))
      let process = try #require(player.engine.processID)
      #expect(kill(process, SIGSTOP) == 0)
      try await player.warning("no answer for 5.0 seconds")
      try await player.queueEnds()
      #expect(player.failures.isEmpty)
      #expect(kill(process, 0) != 0)
    }
  }

  @Test("A process that was ended for its CPU time is replaced, and the reason is the limit")
  func time() async throws {
    let ramp = try await Ramp.wav(seconds: 4)
    try await withProcessPlayer([ramp]) { player in
      try await player.playing(until: .milliseconds(500))
      #expect(kill(try #require(player.engine.processID), SIGXCPU) == 0)
      try await player.warning("more than 60.0 seconds of CPU time without progress")
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
      try await player.warning("it does not read its messages")
      try await player.queueEnds()
      #expect(player.failures.isEmpty)
    }
  }

  @Test("The next process gets the volume that another program has set", arguments: [true, false])
  func mixerVolume(hasSettings: Bool) {
    let configuration = Player.Configuration()
    var retained = ProcessEngine.Retained()
    if hasSettings { retained.note(.settings(EngineSettings(configuration))) }
    retained.note(volume: 0.25, isMuted: true, of: configuration)
    retained.engineReplaced()
    var settings = EngineSettings(configuration)
    (settings.volume, settings.isMuted) = (0.25, true)
    #expect(retained.commands == [.settings(settings)])
  }

  @Test("An idle process ends, and the next item is played by another one")
  func idle() async throws {
    let path = try await Media.sine(seconds: 3)
    try await withProcessPlayer([path]) {
      $0.idleTime = .zero
    } _: { player in
      #expect(player.engine.processID == nil)
      player.player.volume = 0.5
      try await player.playing(until: .milliseconds(200))
      let process = try #require(player.engine.processID)
      player.player.stop()
      try await waitForEnd(ofProcess: process)
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
    let path = try await Media.sine(seconds: 2)
    try await withProcessPlayer([path]) {
      $0.memoryLimit = 1
    } _: { player in
      player.player.play()
      try await player.queueEnds()
      #expect(player.failures.map(\.error.code) == [.engineEnded])
      #expect(player.failures.first?.error.message.contains("more than 1 MiB of memory") == true)
    }
  }

  @Test("A program that sends garbage, is another version, or cannot be started, fails the item with the reason")
  func wrongProgram() async throws {
    let media = try await Media.sine(seconds: 1)
    try await withTemporaryDirectory { directory in
      let script = directory.file("engine.sh")
      // Another process writes it: a child that this one starts at the same time could keep it open for writing.
      let text = "#!/bin/sh\\nhead -c 100 /dev/urandom >&3\\nexec sleep 1000\\n"
      let written = try await run(["sh", "-c", "printf '\(text)' >\(script) && chmod 755 \(script)"])
      try #require(written.succeeded, "\(written.error)")
      try await withProcessPlayer([media]) {
        $0.path = script
      } _: { player in
        player.player.play()
        try await player.queueEnds()
        #expect(player.failures.map(\.error.code) == [.engineEnded])
        #expect(
          player.failures.first?.error.message.contains("it sent an invalid message") == true, "\(player.failures)")
      }
      let other = directory.file("other.sh")
      let made = try await run(["sh", "-c", "printf '#!/bin/sh\\nexit 64\\n' >\(other) && chmod 755 \(other)"])
      try #require(made.succeeded, "\(made.error)")
      try await withProcessPlayer([media]) {
        $0.path = other
      } _: { player in
        player.player.play()
        try await player.queueEnds()
        let message = player.failures.first?.error.message ?? ""
        #expect(message.contains("the engine program is another version; restart the player"), "\(player.failures)")
      }
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

  @Test("Closing the player ends the process")
  func close() async throws {
    let ramp = try await Ramp.wav(seconds: 20)
    let player = try ProcessPlayer([ramp], sink: "fakesink sync=true") { _ in }
    try await player.playing(until: .milliseconds(200))
    let process = try #require(player.engine.processID)
    await player.end()
    #expect(kill(process, 0) != 0)
  }
}

extension Duration {
  /// Returns the distance to another duration, without a sign.
  fileprivate func distance(to other: Duration) -> Duration { self < other ? other - self : self - other }
}
