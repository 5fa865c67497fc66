import Testing

@testable import Playback

@Suite("Transport commands") struct TransportTests {
  @Test("Play from Stopped loads the current item, and runs it when it has prerolled")
  func playFromStopped() {
    var bench = Bench()
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.play().orders == [.load(uri: "file:///0", bench.token)])
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(bench.snapshot.itemStatus == .unknown)
    #expect(!bench.snapshot.isSettled)
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.snapshot.timeControlStatus == .playing)
    #expect(bench.snapshot.itemStatus == .readyToPlay)
    #expect(bench.snapshot.duration == .seconds(10))
    #expect(bench.position == .zero)
    bench.run()
    bench.pass(.seconds(2))
    #expect(bench.position == .seconds(2))
  }

  @Test("Prepared, an item is ready and silent, and play begins at once; prepare does nothing once it is loaded")
  func prepare() {
    var bench = Bench()
    #expect(bench.step { $0.prepare(now: $1) }.loads == ["file:///0"])
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.snapshot.itemStatus == .unknown)
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.itemStatus == .readyToPlay)
    #expect(bench.position == .zero)
    #expect(bench.step { $0.prepare(now: $1) }.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
    bench.run()
    #expect(bench.step { $0.prepare(now: $1) }.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .playing)
    var empty = Bench(0)
    #expect(empty.step { $0.prepare(now: $1) }.isEmpty)
  }

  @Test("The position stands until the pipeline runs")
  func standsUntilRunning() {
    var bench = Bench()
    _ = bench.play()
    bench.pass(.seconds(1))
    bench.settle()
    bench.pass(.seconds(1))
    #expect(bench.position == .zero)
    bench.run(measured: 0)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(1))
  }

  @Test("Play while playing and pause while paused do nothing at all")
  func idempotent() {
    var bench = Bench()
    #expect(bench.pause().isEmpty)
    #expect(bench.stop().isEmpty)
    bench.start()
    #expect(bench.play().isEmpty)
    _ = bench.pause()
    #expect(bench.pause().isEmpty)
    _ = bench.stop()
    #expect(bench.stop().isEmpty)
    #expect(bench.pause().isEmpty)
  }

  @Test("With an empty queue every command does nothing")
  func emptyQueue() {
    var bench = Bench(0)
    #expect(bench.play().isEmpty)
    #expect(bench.pause().isEmpty)
    #expect(bench.stop().isEmpty)
    #expect(bench.next().isEmpty)
    #expect(bench.previous().isEmpty)
    #expect(bench.seek(3, ticket: 1) == [.finishSeek(SeekTicket(number: 1), false)])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(!bench.snapshot.isSeekable)
    #expect(bench.machine.nextWake == nil)
  }

  @Test("Pause holds the position that was shown, and play goes on from it")
  func pauseAndResume() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    #expect(bench.pause().orders == [.setPlaying(false)])
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.snapshot.timeControlStatus == .paused)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(3))
    #expect(bench.play().orders == [.setPlaying(true)])
    #expect(bench.position == .seconds(3))
    bench.pass(.milliseconds(20))
    bench.run(measured: 3)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(4))
  }

  @Test("A pause before the preroll is kept; the item is then ready and silent")
  func pauseWhileLoading() {
    var bench = Bench()
    _ = bench.play()
    #expect(bench.pause().orders.isEmpty)
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.snapshot.itemStatus == .readyToPlay)
    #expect(bench.play().orders == [.setPlaying(true)])
  }

  @Test("A run that the pipeline reports after a pause does not start the position")
  func lateRunning() {
    var bench = Bench()
    _ = bench.play()
    bench.settle()
    _ = bench.pause()
    #expect(bench.run(measured: 0.1).isEmpty)
    bench.pass(.seconds(1))
    #expect(bench.position == .zero)
  }

  @Test("Stop lets go of the media, keeps the queue and its current item, and is at position 0")
  func stop() {
    var bench = Bench(at: 1)
    bench.start()
    bench.pass(.seconds(3))
    #expect(bench.stop().orders == [.unload])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.snapshot.position == .zero)
    #expect(bench.current == bench.items[1])
    #expect(bench.snapshot.itemCount == 3)
    #expect(!bench.snapshot.isSeekable)
    #expect(bench.machine.nextWake == nil)
    #expect(bench.play().loads == ["file:///1"])
    bench.settle()
    bench.run()
    #expect(bench.position == .zero)
  }

  @Test("Stop in any state answers every waiting seek and leaves no wake-up")
  func stopAnywhere() {
    for prepare: (inout Bench) -> Void in [
      { _ = $0.play() }, { $0.start() }, { $0.startPaused() },
      {
        $0.start()
        $0.fail(.output)
      },
      {
        $0.startPaused()
        $0.pass(.seconds(60))
      },
      {
        $0.start()
        _ = $0.seek(5, ticket: 7)
      },
    ] {
      var bench = Bench()
      prepare(&bench)
      #expect(bench.stop().isNews)
      #expect(bench.effects.finished.values.allSatisfy { $0 == [false] })
      #expect(bench.snapshot.transport == .stopped)
      #expect(bench.position == .zero)
      #expect(bench.machine.nextWake == nil)
    }
  }

  @Test("Next and Previous keep Playing playing, from the new item's start")
  func nextWhilePlaying() {
    var bench = Bench(at: 1)
    bench.start()
    bench.pass(.seconds(4))
    var effects = bench.next()
    #expect(effects.loads == ["file:///2"])
    #expect(effects.events == [.currentItemChanged(from: bench.items[1], to: bench.items[2])])
    #expect(bench.position == .zero)
    #expect(bench.snapshot.duration == nil)
    #expect(bench.settle().orders == [.setPlaying(true)])
    effects = bench.previous()
    #expect(effects.loads == ["file:///1"])
    #expect(effects.events == [.currentItemChanged(from: bench.items[2], to: bench.items[1])])
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("Next and Previous while Paused change the item and stay paused")
  func nextWhilePaused() {
    var bench = Bench()
    bench.startPaused()
    #expect(bench.next().loads == ["file:///1"])
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.previous().loads == ["file:///0"])
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.transport == .paused)
  }

  @Test("Next and Previous while Stopped change the item and load nothing")
  func nextWhileStopped() {
    var bench = Bench()
    #expect(bench.next().orders.isEmpty)
    #expect(bench.lastEffects.events == [.currentItemChanged(from: bench.items[0], to: bench.items[1])])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.previous().orders.isEmpty)
    #expect(bench.current == bench.items[0])
  }

  @Test(
    "Next on the last item and Previous on the first do nothing unless the playlist loops",
    arguments: LoopMode.allCases)
  func ends(loop: LoopMode) {
    var bench = Bench(at: 2, loop: loop)
    bench.start()
    #expect(bench.snapshot.hasNext == (loop == .playlist))
    #expect(bench.next().loads == (loop == .playlist ? ["file:///0"] : []))
    bench = Bench(loop: loop)
    bench.start()
    #expect(bench.snapshot.hasPrevious == (loop == .playlist))
    #expect(bench.previous().loads == (loop == .playlist ? ["file:///2"] : []))
    if loop != .playlist { #expect(bench.lastEffects.isEmpty) }
  }

  @Test("Next while an item is being opened, or the output is away, goes on at once")
  func nextInBetween() {
    var bench = Bench()
    _ = bench.play()
    #expect(bench.next().loads == ["file:///1"])
    bench.settle()
    bench.run()
    bench.fail(.output)
    #expect(bench.next().loads == ["file:///2"])
    #expect(bench.position == .zero)
  }

  @Test("Next around a looped playlist of one repeats its item")
  func nextAroundOne() {
    var bench = Bench(1, loop: .playlist)
    bench.start()
    bench.pass(.seconds(4))
    let events = bench.next().events
    #expect(events == [.itemRepeated(bench.items[0], loopCount: 1)])
  }

  @Test("Play of the current item repeats it")
  func playCurrent() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(4))
    let id = bench.items[0].id
    #expect(bench.step { $0.play(id, now: $1) }.events == [.itemRepeated(bench.items[0], loopCount: 1)])
  }

  @Test("Play of an item of the queue makes it current and plays it, from every state")
  func playItem() {
    var bench = Bench()
    let target = bench.items[2]
    #expect(bench.step { $0.play(target.id, now: $1) }.loads == ["file:///2"])
    #expect(bench.lastEffects.events == [.currentItemChanged(from: bench.items[0], to: target)])
    #expect(bench.snapshot.transport == .playing)
    bench.settle()
    _ = bench.pause()
    let first = bench.items[0]
    #expect(bench.step { $0.play(first.id, now: $1) }.loads == ["file:///0"])
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.step { $0.play(PlayerItem(uri: "file:///other").id, now: $1) }.isEmpty)
  }

  @Test("Volume and mute go to the pipeline once, and are news")
  func sound() {
    var bench = Bench()
    #expect(bench.step { machine, _ in machine.setVolume(0.5) } == [.command(.setVolume(0.5)), .emit(.changed)])
    #expect(bench.step { machine, _ in machine.setVolume(0.5) }.isEmpty)
    #expect(bench.step { machine, _ in machine.setMuted(true) } == [.command(.setMuted(true)), .emit(.changed)])
    #expect(bench.step { machine, _ in machine.setMuted(true) }.isEmpty)
    #expect(bench.snapshot.volume == 0.5)
    #expect(bench.snapshot.isMuted)
  }

  @Test("A volume changed by somebody else is taken over, its echo and its rounding are not")
  func soundFromOutside() {
    var bench = Bench()
    let same = bench.step { machine, _ in machine.volumeChangedOutside(volume: 1.000_01, isMuted: false) }
    #expect(same.isEmpty)
    let other = bench.step { machine, _ in machine.volumeChangedOutside(volume: 0.7, isMuted: true) }
    #expect(other == [.emit(.changed)])
    #expect(bench.snapshot.volume == 0.7)
    #expect(bench.snapshot.isMuted)
  }
}
