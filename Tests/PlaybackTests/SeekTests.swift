import Testing

@testable import Playback

@Suite("Seeking") struct SeekTests {
  @Test("A seek shows its target at once, is exact, and reports its completion")
  func whilePlaying() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    #expect(harness.seek(7, ticket: 1).engineCommands == [.seek(harness.token, to: .seconds(7))])
    #expect(harness.position == .seconds(7))
    #expect(harness.snapshot.timeControlStatus == .playing)
    harness.advance(.milliseconds(30))
    #expect(harness.position == .seconds(7))
    let done = harness.settle()
    #expect(done.events == [.timeJumped(from: .seconds(2), to: .seconds(7))])
    #expect(done.finished == [1: [true]])
    #expect(done.engineCommands.isEmpty)
    harness.run(measured: 7)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(8))
  }

  @Test("A seek takes any time while the file is read on, and times out when that ends", arguments: [false, true])
  func longReading(isPaused: Bool) {
    var harness = MachineHarness()
    if isPaused { harness.startPaused() } else { harness.start() }
    _ = harness.seek(7)
    for _ in 0..<6 {
      harness.advance(.seconds(9))
      harness.report(.stream(harness.token, .readingOn))
    }
    #expect(harness.snapshot.lastError == nil)
    #expect(harness.position == .seconds(7))
    harness.advance(.seconds(10))
    #expect(harness.snapshot.lastError?.code == .loadTimeout)
  }

  @Test("Seeking while paused moves the position and stays paused")
  func whilePaused() {
    var harness = MachineHarness()
    harness.startPaused()
    #expect(harness.seek(7).engineCommands == [.seek(harness.token, to: .seconds(7))])
    #expect(harness.settle().engineCommands.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(7))
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("A seek is clamped to the item", arguments: [(-3.0, 0.0), (0, 0), (10, 10), (11, 10), (1e9, 10)])
  func clamped(requested: Double, got: Double) {
    for isPaused in [false, true] {
      var harness = MachineHarness()
      if isPaused { harness.startPaused() } else { harness.start() }
      #expect(harness.seek(requested).engineCommands == [.seek(harness.token, to: .seconds(got))])
      #expect(harness.position == .seconds(got))
    }
  }

  @Test("The newest of several seeks wins; each completes exactly once")
  func coalescing() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(1))
    #expect(harness.seek(2, ticket: 1).engineCommands == [.seek(harness.token, to: .seconds(2))])
    #expect(harness.seek(3, ticket: 2).finished == [1: [false]])
    #expect(harness.lastEffects.engineCommands.isEmpty)
    #expect(harness.seek(4, ticket: 3).finished == [2: [false]])
    #expect(harness.position == .seconds(4))
    let first = harness.settle()
    #expect(first.engineCommands == [.seek(harness.token, to: .seconds(4))])
    #expect(first.events.isEmpty)
    #expect(harness.position == .seconds(4))
    let second = harness.settle()
    #expect(second.finished == [3: [true]])
    #expect(second.events == [.timeJumped(from: .seconds(1), to: .seconds(4))])
    #expect(harness.effects.finished == [1: [false], 2: [false], 3: [true]])
    #expect(harness.settle().isEmpty)
  }

  @Test("Of a hundred seeks in a row two are performed, and all but the last complete with false")
  func hundred() {
    var harness = MachineHarness(configuration: Player.Configuration())
    harness.start(duration: 200)
    for number in 1...100 { _ = harness.seek(Double(number), ticket: UInt64(number)) }
    harness.settle()
    harness.settle()
    let seeks = harness.effects.engineCommands.filter { if case .seek = $0 { true } else { false } }
    #expect(seeks == [.seek(harness.token, to: .seconds(1)), .seek(harness.token, to: .seconds(100))])
    #expect(harness.effects.finished.count == 100)
    #expect(harness.effects.finished.allSatisfy { $1 == [$0 == 100] })
  }

  @Test("A seek before the item is ready sets the start position; the newest wins")
  func beforeReady() {
    var harness = MachineHarness()
    _ = harness.play()
    #expect(harness.seek(5, ticket: 1).engineCommands.isEmpty)
    #expect(harness.seek(6, ticket: 2).finished == [1: [false]])
    #expect(harness.position == .seconds(6))
    // The item does not play before it has reached the start position.
    #expect(harness.settle().engineCommands == [.seek(harness.token, to: .seconds(6)), harness.itemPlan])
    #expect(harness.position == .seconds(6))
    let done = harness.settle()
    #expect(done.engineCommands == [.setPlaying(true)])
    #expect(done.finished == [2: [true]])
    harness.run(measured: 6)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(7))
    #expect(harness.effects.events.filter { if case .timeJumped = $0 { true } else { false } }.count == 2)
  }

  @Test("A seek before the item is ready is clamped to the duration that is then known")
  func beforeReadyClamped() {
    var harness = MachineHarness()
    _ = harness.play()
    _ = harness.seek(100)
    #expect(harness.settle(duration: 10).engineCommands == [.seek(harness.token, to: .seconds(10)), harness.itemPlan])
    #expect(harness.position == .seconds(10))
  }

  @Test("A start position is one request: the stream is opened there, and does not seek", arguments: [true, false])
  func startPosition(isSeekable: Bool) {
    var harness = MachineHarness()
    harness.startPaused()
    harness.advance(.seconds(60))
    _ = harness.seek(6, ticket: 1)
    let request = harness.play().opened
    #expect(request == [StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(6))])
    #expect(harness.position == .seconds(6))
    let settled = harness.settle(isSeekable: isSeekable)
    #expect(settled.engineCommands == [harness.itemPlan, .setPlaying(true)])
    // Media without seeking begins at zero.
    #expect(harness.position == (isSeekable ? .seconds(6) : .zero))
    #expect(settled.events == (isSeekable ? [] : [.timeJumped(from: .seconds(6), to: .zero)]))
  }

  @Test("A seek closes the open successors and keeps the stream; they are opened again when it is read")
  func openSuccessors() throws {
    var harness = MachineHarness()
    harness.start()
    let token = harness.token
    let next = try harness.prepareNext()
    let offered = harness.offer(after: next)
    let second = try #require(offered).stream
    #expect(harness.plan == [token, next, second].map { PlannedPart($0) })
    let seek = harness.seek(7)
    #expect(seek.engineCommands == [.close(next), .close(second), .seek(token, to: .seconds(7)), harness.itemPlan])
    #expect(harness.token == token && harness.openStreams == [token])
    // Before the seek is done, nothing is opened.
    #expect(harness.settle().opened.isEmpty)
    harness.run(measured: 7)
    let again = try harness.requireOffer()
    #expect(again.uri == "file:///1" && again.stream != next)
    #expect(harness.openStreams == [token, again.stream])
    #expect(harness.report(.audible(next, at: .zero)).isEmpty && harness.current == harness.items[0])
  }

  @Test("A seek before a network item is ready sets its start position")
  func networkStart() {
    var harness = MachineHarness(scheme: "http")
    _ = harness.play()
    _ = harness.seek(6, ticket: 1)
    #expect(harness.effects.finished == [:])
    #expect(harness.settle().engineCommands == [.seek(harness.token, to: .seconds(6)), harness.itemPlan])
  }

  @Test("A start position is dropped if the item turns out not to be seekable")
  func beforeReadyNotSeekable() {
    var harness = MachineHarness()
    _ = harness.play()
    _ = harness.seek(5, ticket: 1)
    let settled = harness.settle(duration: nil, isSeekable: false)
    #expect(settled.engineCommands == [harness.itemPlan, .setPlaying(true)])
    #expect(settled.finished == [1: [false]])
    #expect(harness.position == .zero)
  }

  @Test("Seeking in an unseekable item does nothing and completes with false")
  func notSeekable() {
    var harness = MachineHarness()
    harness.start(isSeekable: false)
    harness.advance(.seconds(2))
    #expect(harness.seek(5, ticket: 1) == [.finishSeek(SeekTicket(number: 1), false)])
    #expect(harness.position == .seconds(2))
    #expect(!harness.snapshot.isSeekable)
  }

  @Test("Seeking while stopped does nothing and completes with false")
  func whileStopped() {
    var harness = MachineHarness()
    #expect(harness.seek(5, ticket: 1) == [.finishSeek(SeekTicket(number: 1), false)])
    harness.start()
    _ = harness.stop()
    #expect(harness.seek(5) == [])
    #expect(harness.position == .zero)
  }

  @Test("A seek refused by the engine completes with false and keeps the measured position")
  func refused() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    _ = harness.seek(5, ticket: 1)
    _ = harness.seek(6, ticket: 2)
    let effects = harness.report(.stream(harness.token, .seekRefused(position: .seconds(2))))
    #expect(effects.finished == [2: [false]])
    #expect(effects.events.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("An item that ends before its stated end while a seek is refused has ended")
  func refusedAtEarlyEnd() {
    var harness = MachineHarness(2)
    harness.start(duration: 60)
    harness.advance(.seconds(20))
    harness.seek(to: .seconds(50))
    #expect(harness.report(.stream(harness.token, .ended(at: .seconds(20)))).events.isEmpty)
    let refused = harness.report(.stream(harness.token, .seekRefused(position: .seconds(20))))
    #expect(refused.events.contains(.itemDidPlayToEnd(harness.items[0])) && harness.violations == [])
    #expect(harness.current == harness.items[1] && refused.loads == ["file:///1"])
  }

  @Test("A refusal after the report of a pause, which was taken for the end of the seek, restores the position")
  func lateRefusal() {
    var harness = MachineHarness(configuration: Player.Configuration(fade: .milliseconds(200)))
    harness.start()
    harness.advance(.seconds(2))
    _ = harness.pause()
    // The silent data after the fade-out is read again.
    harness.report(.output(.fadeOutEnds(in: .milliseconds(200))))
    harness.advance(.milliseconds(220))
    #expect(harness.lastEffects.engineCommands.contains(.seek(harness.token, to: .milliseconds(2_200))))
    harness.settle()
    #expect(harness.report(.stream(harness.token, .seekRefused(position: .milliseconds(2_220)))).events.isEmpty)
    _ = harness.play()
    harness.report(.audible(harness.token, at: .milliseconds(2_220)))
    harness.advance(.milliseconds(780))
    #expect(harness.position == .seconds(3))
    harness.decide(.pause(fading: false))
    _ = harness.seek(5)
    #expect(harness.settle().events == [.timeJumped(from: .seconds(3), to: .seconds(5))])
    let refused = harness.report(.stream(harness.token, .seekRefused(position: .seconds(3))))
    #expect(refused.events == [.timeJumped(from: .seconds(5), to: .seconds(3))])
    #expect(harness.report(.stream(harness.token, .seekRefused(position: .seconds(3)))).isEmpty)
  }

  @Test("The end of a seek is a jump or nothing; the position stands until the target is audible")
  func silentEnd() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    #expect(harness.seek(2).hasChanged)
    #expect(harness.settle().isEmpty)
    #expect(harness.run() == [.emit(.changed)])
    _ = harness.pause()
    _ = harness.seek(5)
    #expect(harness.settle() == [.emit(.timeJumped(from: .seconds(2), to: .seconds(5)))])
  }

  @Test("Another item, a stop, a new queue or a failure completes a pending seek with false")
  func interrupted() {
    for interrupt: (inout MachineHarness) -> Void in [
      { _ = $0.next() }, { _ = $0.stop() },
      { $0.decide(.replaceQueue([])) },
      { $0.fail(.corrupt) }, { $0.fail(.output) },
    ] {
      var harness = MachineHarness()
      harness.start()
      _ = harness.seek(5, ticket: 1)
      _ = harness.seek(6, ticket: 2)
      interrupt(&harness)
      #expect(harness.effects.finished == [1: [false], 2: [false]])
      #expect(!harness.isSeeking)
    }
  }

  @Test("Playing during a seek while paused waits until the seek has completed")
  func playDuringSeek() {
    var harness = MachineHarness()
    harness.startPaused()
    _ = harness.seek(5)
    #expect(harness.play().engineCommands.isEmpty)
    #expect(harness.settle().engineCommands == [.setPlaying(true)])
  }

  @Test("Pausing during a seek holds the target position")
  func pauseDuringSeek() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(1))
    _ = harness.seek(5)
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    harness.settle()
    harness.run(measured: 5)
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(5))
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("Seeking to the present position completes and reports no time jump")
  func samePosition() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(1))
    _ = harness.pause()
    #expect(harness.seek(1, ticket: 1).engineCommands == [.seek(harness.token, to: .seconds(1))])
    let done = harness.settle()
    #expect(done.finished == [1: [true]])
    #expect(done.events.isEmpty)
  }

  @Test("A rate set during a seek reports the time jump of the seek once")
  func rateDuringSeek() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(1))
    _ = harness.seek(5)
    harness.decide(.setRate(2))
    #expect(harness.settle().events == [.timeJumped(from: .seconds(1), to: .seconds(5))])
    #expect(harness.settle().isEmpty)
  }

  @Test("An end of stream sent before a seek does not end the item")
  func staleEnd() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(10))
    _ = harness.seek(1)
    #expect(harness.end().isEmpty)
    harness.settle()
    harness.run(measured: 1)
    #expect(harness.current == harness.items[0])
    #expect(harness.position == .seconds(1))
  }

  @Test("Seeking in a released item, or without an output, sets the position for the next load")
  func withoutStream() {
    for lose: (inout MachineHarness) -> Void in [{ $0.advance(.seconds(60)) }, { $0.fail(.output) }] {
      var harness = MachineHarness()
      harness.startPaused()
      lose(&harness)
      let effects = harness.seek(6, ticket: 1)
      #expect(effects.finished == [1: [true]])
      #expect(effects.events == [.timeJumped(from: .zero, to: .seconds(6))])
      #expect(harness.position == .seconds(6))
      _ = harness.play()
      harness.advance(.seconds(1))
      #expect(harness.effects.opened.map(\.start) == [.zero, .seconds(6)])
      #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
      #expect(harness.position == .seconds(6))
    }
  }
}
