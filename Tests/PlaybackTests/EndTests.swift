import Testing

@testable import Playback

@Suite("The end of an item") struct EndTests {
  @Test("An end at zero, where nothing was measured, leaves the duration as it is")
  func endAtZero() {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.noteEnd(of: machine.token, at: .zero) }
    #expect(bench.snapshot.duration == .seconds(10))
    bench.step { machine, _ in machine.noteEnd(of: machine.token, at: .seconds(3)) }
    #expect(bench.snapshot.duration == .seconds(3))
  }

  @Test("Without a hand-over the next item is loaded and plays")
  func next() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(10))
    let effects = bench.end()
    #expect(
      effects.events == [
        .itemDidPlayToEnd(bench.items[0]), .currentItemChanged(from: bench.items[0], to: bench.items[1]),
      ])
    #expect(effects.loads == ["file:///1"])
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("The last one ends the queue: Stopped, at position 0, with the queue kept")
  func last() {
    var bench = Bench(at: 2)
    bench.start()
    bench.pass(.seconds(10))
    let effects = bench.end()
    #expect(effects.events == [.itemDidPlayToEnd(bench.items[2]), .queueEnded])
    #expect(effects.orders == [.unload])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.current == bench.items[2])
    #expect(bench.position == .zero)
    #expect(bench.machine.nextWake == nil)
    #expect(bench.play().loads == ["file:///2"])
  }

  @Test("A looped track starts again at 0, without another load")
  func loopTrack() {
    var bench = Bench(loop: .track)
    bench.start()
    bench.pass(.seconds(10))
    #expect(bench.end().orders == [.seek(to: .zero, rate: 1)])
    #expect(
      bench.lastEffects.events == [.itemDidPlayToEnd(bench.items[0]), .itemRepeated(bench.items[0], loopCount: 1)])
    #expect(bench.settle().events.isEmpty)
    bench.run(measured: 0)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(1))
    #expect(bench.current == bench.items[0])
  }

  @Test("A looped track that cannot be sought is loaded again")
  func loopUnseekable() {
    var bench = Bench(loop: .track)
    bench.start(isSeekable: false)
    bench.pass(.seconds(10))
    let effects = bench.end()
    #expect(effects.loads == ["file:///0"])
    #expect(
      effects.events == [.itemDidPlayToEnd(bench.items[0]), .itemRepeated(bench.items[0], loopCount: 1)])
  }

  @Test("The loop count counts up with each repetition, survives a stop, and starts at 0 with another item")
  func loopCount() {
    var bench = Bench(loop: .track)
    bench.start()
    for round in 1...3 {
      bench.pass(.seconds(10))
      bench.end()
      #expect(bench.snapshot.loopCount == round)
      bench.settle()
      bench.run(measured: 0)
    }
    bench.step { $0.stop(now: $1) }
    _ = bench.play()
    #expect(bench.snapshot.loopCount == 3)
    _ = bench.next()
    #expect(bench.snapshot.loopCount == 0)
    bench.step { $0.previous(now: $1) }
    #expect(bench.snapshot.loopCount == 0)
  }

  @Test("A seek while a repetition begins is reported as a jump from the start")
  func seekInRepetition() {
    var bench = Bench(loop: .track)
    bench.start()
    bench.pass(.seconds(10))
    bench.end()
    bench.step { $0.seek(to: .seconds(4), ticket: nil, now: $1) }
    #expect(bench.settle().events.isEmpty)
    #expect(bench.settle().events == [.timeJumped(from: .zero, to: .seconds(4))])
    #expect(bench.snapshot.loopCount == 1)
  }

  @Test("A looped playlist goes on with its first item; one of one starts again")
  func loopPlaylist() {
    var bench = Bench(at: 2, loop: .playlist)
    bench.start()
    #expect(bench.end().loads == ["file:///0"])
    bench = Bench(1, loop: .playlist)
    bench.start()
    #expect(bench.end().orders == [.seek(to: .zero, rate: 1)])
  }

  @Test("At another rate the next item starts at that rate")
  func rateIsKept() {
    var bench = Bench()
    bench.start()
    bench.step { $0.setRate(2, now: $1) }
    bench.settle()
    bench.run()
    #expect(bench.end().loads == ["file:///1"])
    #expect(bench.settle().orders == [.seek(to: .zero, rate: 2)])
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(!bench.effects.events.contains { if case .timeJumped = $0 { true } else { false } })
  }

  @Test(
    "The end of a stream of unknown length is its duration",
    arguments: [Player.ActionAtItemEnd.advance, .pause, .none, .stop])
  func unknownLength(action: Player.ActionAtItemEnd) {
    var bench = Bench(1, scheme: "http")
    bench.step { $0.setActionAtItemEnd(action, now: $1) }
    bench.start(duration: nil, isSeekable: false)
    bench.pass(.seconds(7))
    #expect(bench.snapshot.duration == nil)
    bench.end()
    #expect(bench.snapshot.duration == .seconds(7))
    _ = bench.play()
    bench.settle(duration: nil, isSeekable: false)
    #expect(bench.snapshot.duration == .seconds(7))
  }

  @Test("The duration is the time of the last sample, which the output reports before the end")
  func lastSample() {
    var bench = Bench(1, scheme: "http")
    bench.start(duration: nil, isSeekable: false)
    bench.pass(.seconds(7))
    let noted = bench.step { machine, _ in machine.noteEnd(of: machine.token, at: .milliseconds(7040)) }
    #expect(noted.events == [])
    #expect(bench.snapshot.duration == .milliseconds(7040))
    bench.end()
    #expect(bench.snapshot.duration == .milliseconds(7040))
  }

  @Test("A live source has no duration at its end")
  func live() {
    var bench = Bench(1, scheme: "http")
    _ = bench.play()
    bench.settle(duration: nil, isSeekable: false, isLive: true)
    bench.run()
    bench.pass(.seconds(7))
    bench.step { machine, _ in machine.noteEnd(of: machine.token, at: .seconds(7)) }
    bench.end()
    #expect(bench.snapshot.duration == nil)
  }

  @Test("An end is dropped while nothing is loaded")
  func dropped() {
    var bench = Bench()
    #expect(bench.end().isEmpty)
    _ = bench.play()
    #expect(bench.end().isEmpty)
    bench.settle()
    bench.run()
    bench.fail(.output)
    #expect(bench.end().isEmpty)
  }
}

@Suite("The playback rate") struct RateTests {
  @Test("Changes by a seek to the present place, and the position runs at it", arguments: [0.25, 0.5, 2, 4])
  func whilePlaying(rate: Double) {
    var bench = Bench()
    bench.start(duration: 100)
    bench.pass(.seconds(3))
    #expect(bench.step { $0.setRate(rate, now: $1) }.orders == [.seek(to: .seconds(3), rate: rate)])
    #expect(bench.snapshot.rate == rate)
    #expect(bench.position == .seconds(3))
    #expect(bench.settle().events.isEmpty, "the position has not jumped")
    bench.run(measured: 3)
    bench.pass(.seconds(2))
    #expect(bench.position == .seconds(3 + 2 * rate))
    #expect(bench.step { $0.setRate(rate, now: $1) }.isEmpty)
  }

  @Test("Set before an item is loaded, it holds from its start")
  func beforeLoad() {
    var bench = Bench()
    bench.step { $0.setRate(2, now: $1) }
    #expect(bench.lastEffects.orders.isEmpty)
    _ = bench.play()
    #expect(bench.settle().orders == [.seek(to: .zero, rate: 2)])
    let done = bench.settle()
    #expect(done.orders == [.setPlaying(true)])
    #expect(done.events.isEmpty)
    bench.run()
    bench.pass(.seconds(2))
    #expect(bench.position == .seconds(4))
  }

  @Test("Set during a seek, it is applied at the newest place when the seek is done")
  func duringSeek() {
    var bench = Bench()
    bench.start()
    _ = bench.seek(5, ticket: 1)
    #expect(bench.step { $0.setRate(2, now: $1) }.orders.isEmpty)
    #expect(bench.effects.finished.isEmpty)
    #expect(bench.settle().orders == [.seek(to: .seconds(5), rate: 2)])
    let done = bench.settle()
    #expect(done.finished == [1: [true]])
    #expect(done.events == [.timeJumped(from: .zero, to: .seconds(5))])
  }

  @Test("It is kept by what follows: another item, a stop, a parked item")
  func kept() {
    var bench = Bench()
    bench.start()
    bench.step { $0.setRate(2, now: $1) }
    bench.settle()
    bench.run()
    _ = bench.next()
    #expect(bench.settle().orders == [.seek(to: .zero, rate: 2)])
    bench.settle()
    _ = bench.stop()
    _ = bench.play()
    #expect(bench.settle().orders == [.seek(to: .zero, rate: 2)])
    bench.settle()
    bench.run()
    bench.pass(.seconds(2))
    _ = bench.pause()
    bench.pass(.seconds(60))
    _ = bench.play()
    #expect(bench.settle().orders == [.seek(to: .seconds(4), rate: 2)])
  }

  @Test("Back at 1 while nothing is loaded, the next item needs no seek")
  func backToOne() {
    var bench = Bench()
    bench.step { $0.setRate(2, now: $1) }
    bench.step { $0.setRate(1, now: $1) }
    _ = bench.play()
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("Of an item that cannot be sought the rate stays what it is")
  func unseekable() {
    var bench = Bench()
    bench.start(isSeekable: false)
    #expect(bench.step { $0.setRate(2, now: $1) }.orders.isEmpty)
    bench.pass(.seconds(3))
    #expect(bench.position == .seconds(3))
  }
}
