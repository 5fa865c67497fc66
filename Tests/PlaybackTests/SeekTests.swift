import Testing

@testable import Playback

@Suite("A seek") struct SeekTests {
  @Test("Shows its target at once, is carried out exactly, and is told when it is done")
  func whilePlaying() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(2))
    #expect(bench.seek(7, ticket: 1).orders == [.seek(to: .seconds(7), rate: 1)])
    #expect(bench.position == .seconds(7))
    #expect(bench.snapshot.timeControlStatus == .playing)
    bench.pass(.milliseconds(30))
    #expect(bench.position == .seconds(7))
    let done = bench.settle()
    #expect(done.events == [.timeJumped(from: .seconds(2), to: .seconds(7))])
    #expect(done.finished == [1: [true]])
    #expect(done.orders.isEmpty)
    bench.run(measured: 7)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(8))
  }

  @Test("While paused it moves the position and stays paused")
  func whilePaused() {
    var bench = Bench()
    bench.startPaused()
    #expect(bench.seek(7).orders == [.seek(to: .seconds(7), rate: 1)])
    #expect(bench.settle().orders.isEmpty)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(7))
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.play().orders == [.setPlaying(true)])
  }

  @Test("Is clamped to the item", arguments: [(-3.0, 0.0), (0, 0), (10, 10), (11, 10), (1e9, 10)])
  func clamped(asked: Double, got: Double) {
    for isPaused in [false, true] {
      var bench = Bench()
      if isPaused { bench.startPaused() } else { bench.start() }
      #expect(bench.seek(asked).orders == [.seek(to: .seconds(got), rate: 1)])
      #expect(bench.position == .seconds(got))
    }
  }

  @Test("The newest of several wins; each waiting caller is answered exactly once")
  func coalescing() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(1))
    #expect(bench.seek(2, ticket: 1).orders == [.seek(to: .seconds(2), rate: 1)])
    #expect(bench.seek(3, ticket: 2).finished == [1: [false]])
    #expect(bench.lastEffects.orders.isEmpty)
    #expect(bench.seek(4, ticket: 3).finished == [2: [false]])
    #expect(bench.position == .seconds(4))
    let first = bench.settle()
    #expect(first.orders == [.seek(to: .seconds(4), rate: 1)])
    #expect(first.events.isEmpty)
    #expect(bench.position == .seconds(4))
    let second = bench.settle()
    #expect(second.finished == [3: [true]])
    #expect(second.events == [.timeJumped(from: .seconds(1), to: .seconds(4))])
    #expect(bench.effects.finished == [1: [false], 2: [false], 3: [true]])
    #expect(bench.settle().isEmpty)
  }

  @Test("Of a hundred in a row two are carried out, and all but the last are answered with false")
  func hundred() {
    var bench = Bench(configuration: PlayerConfiguration())
    bench.start(duration: 200)
    for number in 1...100 { _ = bench.seek(Double(number), ticket: UInt64(number)) }
    bench.settle()
    bench.settle()
    let seeks = bench.effects.orders.filter { if case .seek = $0 { true } else { false } }
    #expect(seeks == [.seek(to: .seconds(1), rate: 1), .seek(to: .seconds(100), rate: 1)])
    #expect(bench.effects.finished.count == 100)
    #expect(bench.effects.finished.allSatisfy { $1 == [$0 == 100] })
  }

  @Test("Before the preroll it decides where the item starts; the newest wins")
  func beforePreroll() {
    var bench = Bench()
    _ = bench.play()
    #expect(bench.seek(5, ticket: 1).orders.isEmpty)
    #expect(bench.seek(6, ticket: 2).finished == [1: [false]])
    #expect(bench.position == .seconds(6))
    // The pipeline is not run before it stands at the place.
    #expect(bench.settle().orders == [.seek(to: .seconds(6), rate: 1)])
    #expect(bench.position == .seconds(6))
    let done = bench.settle()
    #expect(done.orders == [.setPlaying(true)])
    #expect(done.finished == [2: [true]])
    bench.run(measured: 6)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(7))
    #expect(bench.effects.events.filter { if case .timeJumped = $0 { true } else { false } }.count == 2)
  }

  @Test("Before the preroll it is clamped to the duration that the preroll brings")
  func beforePrerollClamped() {
    var bench = Bench()
    _ = bench.play()
    _ = bench.seek(100)
    #expect(bench.settle(duration: 10).orders == [.seek(to: .seconds(10), rate: 1)])
    #expect(bench.position == .seconds(10))
  }

  @Test("A seek before the preroll of a network item decides where it starts")
  func networkStart() {
    var bench = Bench(scheme: "http")
    _ = bench.play()
    _ = bench.seek(6, ticket: 1)
    #expect(bench.effects.finished == [:])
    #expect(bench.settle().orders == [.seek(to: .seconds(6), rate: 1)])
  }

  @Test("Of an item that turns out not to be seekable, the start is the item's own")
  func beforePrerollNotSeekable() {
    var bench = Bench()
    _ = bench.play()
    _ = bench.seek(5, ticket: 1)
    let settled = bench.settle(duration: nil, isSeekable: false)
    #expect(settled.orders == [.setPlaying(true)])
    #expect(settled.finished == [1: [false]])
    #expect(bench.position == .zero)
  }

  @Test("What cannot be sought is left alone and told so")
  func notSeekable() {
    var bench = Bench()
    bench.start(isSeekable: false)
    bench.pass(.seconds(2))
    #expect(bench.seek(5, ticket: 1) == [.finishSeek(SeekTicket(number: 1), false)])
    #expect(bench.position == .seconds(2))
    #expect(!bench.snapshot.isSeekable)
  }

  @Test("While stopped it does nothing and says so")
  func whileStopped() {
    var bench = Bench()
    #expect(bench.seek(5, ticket: 1) == [.finishSeek(SeekTicket(number: 1), false)])
    bench.start()
    _ = bench.stop()
    #expect(bench.seek(5) == [])
    #expect(bench.position == .zero)
  }

  @Test("Refused by the pipeline, it is answered with false and the position is where it really is")
  func refused() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(2))
    _ = bench.seek(5, ticket: 1)
    _ = bench.seek(6, ticket: 2)
    let effects = bench.step { $0.seekRefused($0.token, position: .seconds(2), now: $1) }
    #expect(effects.finished == [2: [false]])
    #expect(effects.events.isEmpty)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(3))
    #expect(bench.snapshot.timeControlStatus == .playing)
  }

  @Test("Another item, a stop or a new queue answers it with false")
  func interrupted() {
    for interrupt: (inout Bench) -> Void in [
      { _ = $0.next() }, { _ = $0.stop() },
      { bench in bench.step { $0.replaceQueue(with: [], startingAt: 0, now: $1) } },
      { $0.fail(.corrupt) }, { $0.fail(.output) },
    ] {
      var bench = Bench()
      bench.start()
      _ = bench.seek(5, ticket: 1)
      _ = bench.seek(6, ticket: 2)
      interrupt(&bench)
      #expect(bench.effects.finished == [1: [false], 2: [false]])
      #expect(bench.machine.loaded.seek == nil)
    }
  }

  @Test("Play during a seek of a paused item waits for the seek")
  func playDuringSeek() {
    var bench = Bench()
    bench.startPaused()
    _ = bench.seek(5)
    #expect(bench.play().orders.isEmpty)
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("Pause during a seek holds the target")
  func pauseDuringSeek() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(1))
    _ = bench.seek(5)
    #expect(bench.pause().orders == [.setPlaying(false)])
    bench.settle()
    bench.run(measured: 5)
    bench.pass(.seconds(2))
    #expect(bench.position == .seconds(5))
    #expect(bench.snapshot.transport == .paused)
  }

  @Test("Seeking to the present position is answered and reports no time jump")
  func samePosition() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(1))
    _ = bench.pause()
    #expect(bench.seek(1, ticket: 1).orders == [.seek(to: .seconds(1), rate: 1)])
    let done = bench.settle()
    #expect(done.finished == [1: [true]])
    #expect(done.events.isEmpty)
  }

  @Test("A rate that is set during a seek reports the time jump of the seek once")
  func rateDuringSeek() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(1))
    _ = bench.seek(5)
    bench.step { $0.setRate(2, now: $1) }
    #expect(bench.settle().events.isEmpty)
    #expect(bench.settle().events == [.timeJumped(from: .seconds(1), to: .seconds(5))])
  }

  @Test("An end of stream that was under way when the seek began does not end the item")
  func staleEnd() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(10))
    _ = bench.seek(1)
    #expect(bench.end().isEmpty)
    bench.settle()
    bench.run(measured: 1)
    #expect(bench.current == bench.items[0])
    #expect(bench.position == .seconds(1))
  }

  @Test("A parked item, or one without an output, takes the position for later")
  func withoutPipeline() {
    for lose: (inout Bench) -> Void in [{ $0.pass(.seconds(60)) }, { $0.fail(.output) }] {
      var bench = Bench()
      bench.startPaused()
      lose(&bench)
      let effects = bench.seek(6, ticket: 1)
      #expect(effects.finished == [1: [true]])
      #expect(effects.events == [.timeJumped(from: .zero, to: .seconds(6))])
      #expect(bench.position == .seconds(6))
      _ = bench.play()
      bench.pass(.seconds(1))
      #expect(bench.effects.loads.count == 2)
      #expect(bench.settle().orders == [.seek(to: .seconds(6), rate: 1)])
    }
  }
}
