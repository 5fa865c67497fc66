import Testing

@testable import Playback

@Suite("Failing items") struct SkipTests {
  private func error(_ code: PlayerError.Code = .notFound) -> PlayerError { PlayerError(code, "scripted") }

  @Test("A failing item is told once and skipped; the next one plays")
  func skipped() {
    var bench = Bench()
    _ = bench.play()
    let effects = bench.fail()
    #expect(
      effects.events == [
        .itemFailed(bench.items[0], error()), .currentItemChanged(from: bench.items[0], to: bench.items[1]),
      ])
    #expect(effects.loads == ["file:///1"])
    #expect(bench.snapshot.lastError == error())
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.snapshot.itemStatus == .readyToPlay)
    #expect(bench.snapshot.lastError == error())
  }

  @Test("The other messages of one failure are dropped")
  func burst() {
    var bench = Bench()
    _ = bench.play()
    let token = bench.token
    let first = bench.step { $0.failed(token, PlayerError(.notFound, "first"), now: $1) }
    #expect(first.events.contains(.itemFailed(bench.items[0], PlayerError(.notFound, "first"))))
    for text in ["second", "third"] {
      #expect(bench.step { $0.failed(token, PlayerError(.corrupt, text), now: $1) }.isEmpty)
    }
    #expect(bench.current == bench.items[1])
  }

  @Test("When every item fails there is one pass, one failure each, and then Stopped", arguments: LoopMode.allCases)
  func allFail(loop: LoopMode) {
    for count in [1, 2, 5] {
      var bench = Bench(count, loop: loop)
      _ = bench.play()
      for _ in 0..<count {
        #expect(bench.snapshot.transport == .playing)
        bench.fail()
      }
      #expect(bench.snapshot.transport == .stopped)
      #expect(bench.snapshot.itemStatus == .failed)
      let failures = bench.effects.events.filter { if case .itemFailed = $0 { true } else { false } }
      #expect(failures == bench.items.map { .itemFailed($0, error()) })
      #expect(bench.effects.events.last == .queueEnded)
      #expect(bench.lastEffects.orders == [.unload])
      #expect(bench.machine.nextWake == nil)
      #expect(bench.play().loads.count == 1)
    }
  }

  @Test("Items that preroll and then fail do not spin for ever", arguments: LoopMode.allCases)
  func spin(loop: LoopMode) {
    var bench = Bench(2, loop: loop)
    _ = bench.play()
    for _ in 0..<20 where bench.snapshot.transport == .playing {
      bench.settle()
      bench.run()
      bench.fail(.corrupt)
    }
    #expect(bench.snapshot.transport == .stopped)
  }

  @Test("A looped playlist that starts in its middle passes every item once")
  func allFailFromMiddle() {
    var bench = Bench(4, at: 2, loop: .playlist)
    _ = bench.play()
    for _ in 0..<4 { bench.fail() }
    #expect(bench.effects.loads == ["file:///2", "file:///3", "file:///0", "file:///1"])
    #expect(bench.snapshot.transport == .stopped)
  }

  @Test("After Previous a failing item is skipped backwards, after Next forwards")
  func direction() {
    var bench = Bench(5, at: 2)
    bench.start()
    _ = bench.previous()
    #expect(bench.fail().loads == ["file:///0"])
    bench.settle()
    bench.run()
    _ = bench.next()
    #expect(bench.fail().loads == ["file:///2"])
  }

  @Test("Previous onto an item that fails, with nothing before it, still plays what can be played")
  func previousOntoFailing() {
    var bench = Bench(2, at: 1)
    bench.start()
    _ = bench.previous()
    bench.fail()
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.current == bench.items[1])
  }

  @Test("An item that fails while paused is skipped, and the player stays paused")
  func whilePaused() {
    var bench = Bench()
    _ = bench.play()
    _ = bench.pause()
    #expect(bench.fail().loads == ["file:///1"])
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.transport == .paused)
  }

  @Test("An item that fails in its middle is skipped too")
  func inTheMiddle() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(4))
    #expect(bench.fail(.corrupt).events.first == .itemFailed(bench.items[0], error(.corrupt)))
    #expect(bench.current == bench.items[1])
    #expect(bench.position == .zero)
  }

  @Test("A looped track that fails is left")
  func loopedTrack() {
    var bench = Bench(2, loop: .track)
    bench.start()
    #expect(bench.fail().loads == ["file:///1"])
    #expect(bench.fail().events.contains(.queueEnded))
  }

  @Test("A failed item is tried again after a command that names it")
  func triedAgain() {
    var bench = Bench(2)
    _ = bench.play()
    bench.fail()
    bench.settle()
    bench.run()
    #expect(bench.previous().loads == ["file:///0"])
    bench.fail()
    #expect(bench.effects.events.filter { $0 == .itemFailed(bench.items[0], error()) }.count == 2)
  }

  @Test("A follower that fails early lets the current item play out, and fails once in its turn")
  func failingFollower() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(8))
    let stream = try bench.takeOffer().stream
    #expect(bench.step { $0.failed(stream, PlayerError(.notFound, ""), now: $1) } == [.command(.withdraw(stream))])
    for _ in 0..<2 { #expect(bench.step { $0.failed(stream, PlayerError(.notFound, ""), now: $1) }.isEmpty) }
    bench.pass(.milliseconds(2090))
    #expect(bench.current == bench.items[0])
    #expect(bench.snapshot.lastError == nil)
    let end = bench.end()
    #expect(
      end.events == [
        .itemDidPlayToEnd(bench.items[0]), .currentItemChanged(from: bench.items[0], to: bench.items[1]),
      ])
    #expect(end.loads == ["file:///1"])
    bench.fail()
    #expect(bench.effects.events.filter { if case .itemFailed = $0 { true } else { false } }.count == 1)
    #expect(bench.current == bench.items[2])
  }

  @Test(
    "After a follower that failed, an item ends when the output has played it out, whatever its duration",
    arguments: [nil, 8.4, 10, 3600])
  func failingFollowerOfWrongDuration(duration: Double?) throws {
    var bench = Bench()
    bench.start(duration: duration)
    bench.pass(.seconds(8))
    let stream = try bench.takeOffer().stream
    bench.step { $0.failed(stream, PlayerError(.notFound, ""), now: $1) }
    #expect(bench.pass(.seconds(4)).events.isEmpty)
    #expect(bench.end().events.first == .itemDidPlayToEnd(bench.items[0]))
    #expect(bench.current == bench.items[1])
  }

  @Test("A pause while the follower has failed opens nothing again")
  func failingFollowerPaused() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(8))
    let stream = try bench.takeOffer().stream
    bench.step { $0.failed(stream, PlayerError(.notFound, ""), now: $1) }
    _ = bench.pause()
    #expect(bench.pass(.seconds(4)).events.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
    bench.run(measured: 8)
    #expect(bench.offer() == nil)
    bench.pass(.seconds(2))
    #expect(bench.end().loads == ["file:///1"])
  }

  @Test("A follower that fails in the tail is told once, after the current item has played out")
  func failureInTail() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    let stream = try bench.enterTail(1)
    bench.step { $0.failed(stream, PlayerError(.corrupt, "x"), now: $1) }
    bench.pass(.seconds(3))
    // Either at the change, or when its own end comes.
    bench.end()
    #expect(bench.effects.events.contains(.itemFailed(bench.items[1], PlayerError(.corrupt, "x"))))
    #expect(!bench.effects.events.contains(.itemDidPlayToEnd(bench.items[1])))
  }

  @Test("An item of which nothing comes fails by the load time-out")
  func loadTimeout() {
    var bench = Bench(2, configuration: PlayerConfiguration(loadTimeout: .seconds(3)))
    _ = bench.play()
    #expect(bench.machine.nextWake == bench.now + .seconds(3))
    #expect(bench.pass(.milliseconds(2999)).isEmpty)
    let failure = bench.pass(.milliseconds(1)).events.first
    guard case .itemFailed(bench.items[0], let error) = failure else {
      Issue.record("no failure: \(String(describing: failure))")
      return
    }
    #expect(error.code == .loadTimeout)
    #expect(bench.current == bench.items[1])
    bench.pass(.seconds(3))
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.machine.nextWake == nil)
  }

  @Test("The load time-out also holds while paused, and ends with the preroll")
  func loadTimeoutPaused() {
    var bench = Bench(1, configuration: PlayerConfiguration(loadTimeout: .seconds(3)))
    _ = bench.play()
    _ = bench.pause()
    bench.pass(.seconds(2))
    bench.settle()
    _ = bench.play()
    bench.run()
    bench.pass(.seconds(5))
    #expect(bench.snapshot.lastError == nil)
  }

  @Test("A buffer that fills while an item loads puts the time-out off")
  func loadTimeoutBuffering() {
    var bench = Bench(1, configuration: PlayerConfiguration(loadTimeout: .seconds(3)), scheme: "http")
    _ = bench.play()
    for percent in 1...5 {
      bench.pass(.seconds(2))
      bench.buffer(percent)
    }
    #expect(bench.snapshot.lastError == nil)
    bench.pass(.seconds(3))
    #expect(bench.snapshot.lastError?.code == .loadTimeout)
  }
}
