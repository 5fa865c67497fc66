import Testing

@testable import Playback

@Suite("What is done at the end of an item") struct ItemEndActionTests {
  private func bench(_ action: Player.ActionAtItemEnd, loop: LoopMode = .none) -> Bench {
    var bench = Bench(loop: loop)
    bench.step { $0.setActionAtItemEnd(action, now: $1) }
    bench.start()
    bench.pass(.seconds(10))
    return bench
  }

  @Test("Paused there, the item stays at its duration, and its end is told once")
  func pause() {
    var bench = bench(.pause)
    let end = bench.end()
    #expect(end.events == [.itemDidPlayToEnd(bench.items[0])])
    #expect(end.orders == [.setPlaying(false)])
    #expect(bench.end().isEmpty)
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.position == .seconds(10))
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(10))
    #expect(bench.current == bench.items[0])
  }

  @Test("With no action the intent stays, and a seek goes on playing")
  func none() {
    var bench = bench(.none)
    #expect(bench.end().events == [.itemDidPlayToEnd(bench.items[0])])
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.position == .seconds(10))
    #expect(bench.seek(4).orders == [.seek(to: .seconds(4), rate: 1)])
    #expect(bench.settle().orders == [.setPlaying(true)])
    bench.run(measured: 4)
    #expect(bench.snapshot.timeControlStatus == .playing)
    bench.pass(.seconds(6))
    #expect(bench.end().events == [.itemDidPlayToEnd(bench.items[0])])
  }

  @Test("Stopped there, the next item is current and waits; play begins with it")
  func stop() {
    var bench = bench(.stop)
    let end = bench.end()
    #expect(
      end.events == [
        .itemDidPlayToEnd(bench.items[0]), .currentItemChanged(from: bench.items[0], to: bench.items[1]),
      ])
    #expect(end.orders == [.unload])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.position == .zero)
    #expect(bench.play().loads == ["file:///1"])
  }

  @Test("Stopped there, a looped item does not repeat, and the last one ends the queue")
  func stopLooped() {
    var looped = bench(.stop, loop: .track)
    #expect(looped.offer() == nil)
    #expect(looped.end().events == [.itemDidPlayToEnd(looped.items[0])])
    #expect(looped.snapshot.transport == .stopped)
    #expect(looped.current == looped.items[0])
    var last = bench(.stop)
    _ = last.next()
    _ = last.next()
    last.settle()
    last.run()
    last.pass(.seconds(10))
    #expect(last.end().events.last == .queueEnded)
    #expect(last.current == last.items[2])
  }

  @Test("Play starts an item that has ended again", arguments: [Player.ActionAtItemEnd.pause, .none])
  func playAgain(action: Player.ActionAtItemEnd) {
    var bench = bench(action)
    bench.end()
    #expect(bench.play().orders == [.seek(to: .zero, rate: 1)])
    let settled = bench.settle()
    #expect(settled.orders == [.setPlaying(true)])
    #expect(settled.events == [.timeJumped(from: .seconds(10), to: .zero)])
    bench.run(measured: 0)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(1))
  }

  @Test("A seek of an item paused at its end stays paused; play goes on from there")
  func seekFromEnd() {
    var bench = bench(.pause)
    bench.end()
    _ = bench.seek(4)
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
    #expect(bench.position == .seconds(4))
  }

  @Test("A long stay lets the output go, and play starts again", arguments: [Player.ActionAtItemEnd.pause, .none])
  func parked(action: Player.ActionAtItemEnd) {
    var bench = bench(action)
    bench.end()
    #expect(bench.pass(.seconds(6)).orders == [.unload])
    #expect(bench.position == .seconds(10))
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.machine.nextWake == nil)
    var other = bench
    #expect(bench.play().loads == ["file:///0"])
    #expect(bench.settle().orders == [.setPlaying(true)])
    // Of an item that is to play the seek alone goes on.
    #expect(other.seek(3).loads == (action == .none ? ["file:///0"] : []))
    #expect(other.position == .seconds(3))
    if action == .pause { #expect(other.play().loads == ["file:///0"]) }
    #expect(other.settle().orders == [.seek(to: .seconds(3), rate: 1)])
    #expect(other.settle().orders == [.setPlaying(true)])
  }

  @Test("Nothing is handed over unless the queue advances, and a looped item repeats")
  func handOver() throws {
    var held = bench(.pause)
    #expect(held.offer() == nil)
    var looped = bench(.pause, loop: .track)
    #expect(looped.offer()?.uri == "file:///0")
    var changed = bench(.advance)
    let stream = try changed.takeOffer().stream
    #expect(changed.step { $0.setActionAtItemEnd(.pause, now: $1) }.orders == [.withdraw(stream)])
    #expect(changed.current == changed.items[0])
  }

  @Test("Another rate at the end waits for what plays next")
  func rateAtEnd() {
    var bench = bench(.pause)
    bench.end()
    #expect(bench.step { $0.setRate(2, now: $1) }.orders.isEmpty)
    #expect(bench.play().orders == [.seek(to: .zero, rate: 2)])
  }

  @Test("An action that is set while an item stays at its end is carried out at once", arguments: [false, true])
  func setAtEnd(isParked: Bool) {
    var bench = bench(.none)
    bench.end()
    if isParked { bench.pass(.seconds(6)) }
    for action in [Player.ActionAtItemEnd.pause, .stop, .advance] {
      var other = bench
      let effects = other.step { $0.setActionAtItemEnd(action, now: $1) }
      // The end itself was reported before.
      #expect(!effects.events.contains(.itemDidPlayToEnd(other.items[0])))
      switch action {
      case .pause:
        #expect(other.snapshot.transport == .paused)
        #expect(other.position == .seconds(10))
        #expect(effects.orders.isEmpty)
      case .stop:
        #expect(other.snapshot.transport == .stopped)
        #expect(other.current == other.items[1])
      case .advance, .none:
        #expect(other.snapshot.transport == .playing)
        #expect(effects.loads == ["file:///1"])
      }
    }
  }

  @Test("A loop mode that is set while an item stays at its end repeats it", arguments: [false, true])
  func loopAtEnd(isParked: Bool) {
    var bench = bench(.none)
    bench.end()
    if isParked { bench.pass(.seconds(6)) }
    #expect(bench.step { $0.setLoop(.playlist, now: $1) }.orders.isEmpty)
    let effects = bench.step { $0.setLoop(.track, now: $1) }
    #expect(isParked ? effects.loads == ["file:///0"] : effects.orders == [.seek(to: .zero, rate: 1)])
    #expect(bench.position == .zero)
  }

  @Test("An item that is paused at its end stays so, whatever is set")
  func setPaused() {
    var bench = bench(.pause)
    bench.end()
    for action in [Player.ActionAtItemEnd.none, .stop, .advance] {
      #expect(bench.step { $0.setActionAtItemEnd(action, now: $1) }.orders.isEmpty)
      #expect(bench.snapshot.transport == .paused)
      #expect(bench.position == .seconds(10))
    }
  }

  @Test("Next goes on whatever is set")
  func next() {
    var bench = bench(.pause)
    bench.end()
    #expect(bench.next().loads == ["file:///1"])
    #expect(bench.position == .zero)
    #expect(bench.snapshot.transport == .paused)
  }
}

@Suite("The default rate and seeks taken back") struct DefaultRateTests {
  @Test("Play resumes at the default rate, which is not what a rate set meanwhile changes")
  func resumes() {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.setDefaultRate(1.5) }
    #expect(bench.lastEffects.orders.isEmpty)
    #expect(bench.snapshot.rate == 1)
    bench.step { $0.setRate(2, now: $1) }
    #expect(bench.snapshot.defaultRate == 1.5)
    bench.settle()
    bench.run()
    #expect(bench.play().isEmpty)
    #expect(bench.snapshot.rate == 2)
    _ = bench.pause()
    _ = bench.play()
    #expect(bench.snapshot.rate == 1.5)
    #expect(bench.effects.orders.last == .seek(to: bench.position, rate: 1.5))
  }

  @Test("Without one the rate stays what it was")
  func none() {
    var bench = Bench()
    bench.start()
    bench.step { $0.setRate(2, now: $1) }
    bench.settle()
    bench.run()
    _ = bench.pause()
    #expect(bench.play().orders == [.setPlaying(true)])
    #expect(bench.snapshot.rate == 2)
    #expect(bench.snapshot.defaultRate == nil)
  }

  @Test("Seeks that are taken back are answered once, and the one under way ends where it was going")
  func cancel() {
    var bench = Bench()
    bench.start()
    _ = bench.seek(3, ticket: 1)
    _ = bench.seek(5, ticket: 2)
    #expect(bench.step { machine, _ in machine.cancelPendingSeeks() }.finished == [2: [false]])
    #expect(bench.position == .seconds(3))
    let settled = bench.settle()
    #expect(settled.finished.isEmpty)
    #expect(settled.orders.isEmpty)
    #expect(bench.position == .seconds(3))
    #expect(bench.step { machine, _ in machine.cancelPendingSeeks() }.isEmpty)
    #expect(bench.effects.finished == [1: [false], 2: [false]])
  }

  @Test("A start that is waited for is answered, and kept")
  func cancelStart() {
    var bench = Bench()
    _ = bench.play()
    _ = bench.seek(4, ticket: 1)
    #expect(bench.step { machine, _ in machine.cancelPendingSeeks() }.finished == [1: [false]])
    #expect(bench.settle().orders == [.seek(to: .seconds(4), rate: 1)])
    #expect(bench.settle().finished.isEmpty)
  }
}
