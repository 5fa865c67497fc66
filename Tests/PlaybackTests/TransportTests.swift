import Testing

@testable import Playback

@Suite("Transport commands") struct TransportTests {
  @Test("Play from Stopped loads the current item and plays it when it is ready")
  func playFromStopped() {
    var harness = MachineHarness()
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.play().engineCommands == [.open(StreamRequest(uri: "file:///0", stream: harness.token))])
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(harness.snapshot.itemStatus == .unknown)
    #expect(!harness.snapshot.isSettled)
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    #expect(harness.snapshot.timeControlStatus == .playing)
    #expect(harness.snapshot.itemStatus == .readyToPlay)
    #expect(harness.snapshot.duration == .seconds(10))
    #expect(harness.position == .zero)
    harness.run()
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(2))
  }

  @Test("A prepared item is ready and silent, and plays at once; preparing a loaded item does nothing")
  func prepare() {
    var harness = MachineHarness()
    #expect(harness.decide(.prepare).loads == ["file:///0"])
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.snapshot.itemStatus == .unknown)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.itemStatus == .readyToPlay)
    #expect(harness.position == .zero)
    #expect(harness.decide(.prepare).isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    harness.run()
    #expect(harness.decide(.prepare).isEmpty)
    #expect(harness.snapshot.timeControlStatus == .playing)
    var empty = MachineHarness(0)
    #expect(empty.decide(.prepare).isEmpty)
  }

  @Test("After every item has failed, preparing begins another pass and resets the item")
  func prepareAgain() {
    var harness = MachineHarness(2, loop: .playlist)
    _ = harness.play()
    for _ in 0..<2 { harness.fail() }
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.snapshot.itemStatus == .failed)
    harness.decide(.prepare)
    #expect(harness.snapshot.itemStatus == .unknown)
    let current = harness.current
    harness.fail()
    #expect(harness.current != current)
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("The position stands until the item is audible")
  func standsUntilRunning() {
    var harness = MachineHarness()
    _ = harness.play()
    harness.advance(.seconds(1))
    harness.settle()
    harness.advance(.seconds(1))
    #expect(harness.position == .zero)
    harness.run(measured: 0)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
  }

  @Test("Play while playing and pause while paused do nothing")
  func idempotent() {
    var harness = MachineHarness()
    #expect(harness.pause().isEmpty)
    #expect(harness.stop().isEmpty)
    harness.start()
    #expect(harness.play().isEmpty)
    _ = harness.pause()
    #expect(harness.pause().isEmpty)
    _ = harness.stop()
    #expect(harness.stop().isEmpty)
    #expect(harness.pause().isEmpty)
  }

  @Test("With an empty queue every command does nothing")
  func emptyQueue() {
    var harness = MachineHarness(0)
    #expect(harness.play().isEmpty)
    #expect(harness.pause().isEmpty)
    #expect(harness.stop().isEmpty)
    #expect(harness.next().isEmpty)
    #expect(harness.previous().isEmpty)
    #expect(harness.seek(3, ticket: 1) == [.finishSeek(SeekTicket(number: 1), false)])
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(!harness.snapshot.isSeekable)
    #expect(harness.nextWake == nil)
  }

  @Test("A pause holds the shown position, and play resumes from it")
  func pauseAndResume() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.snapshot.timeControlStatus == .paused)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3))
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    #expect(harness.position == .seconds(3))
    harness.advance(.milliseconds(20))
    harness.run(measured: 3)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(4))
  }

  @Test("A pause before the item is ready is kept; the item becomes ready and stays silent")
  func pauseWhileLoading() {
    var harness = MachineHarness()
    _ = harness.play()
    #expect(harness.pause().engineCommands.isEmpty)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.snapshot.itemStatus == .readyToPlay)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("A start that the engine reports after a pause does not start the position")
  func lateRunning() {
    var harness = MachineHarness()
    _ = harness.play()
    harness.settle()
    _ = harness.pause()
    #expect(harness.run(measured: 0.1).isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .zero)
  }

  @Test("Stop unloads the item, keeps the queue and the current item, and resets the position to 0")
  func stop() {
    var harness = MachineHarness(at: 1)
    harness.start()
    harness.advance(.seconds(3))
    #expect(harness.stop().engineCommands == MachineHarness.end(of: harness.token))
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.snapshot.position == .zero)
    #expect(harness.current == harness.items[1])
    #expect(harness.snapshot.itemCount == 3)
    #expect(!harness.snapshot.isSeekable)
    #expect(harness.nextWake == nil)
    #expect(harness.play().loads == ["file:///1"])
    harness.settle()
    harness.run()
    #expect(harness.position == .zero)
  }

  @Test("Stop in any state completes every pending seek and leaves no wake-up")
  func stopAnywhere() {
    for prepare: (inout MachineHarness) -> Void in [
      { _ = $0.play() }, { $0.start() }, { $0.startPaused() },
      {
        $0.start()
        $0.fail(.output)
      },
      {
        $0.startPaused()
        $0.advance(.seconds(60))
      },
      {
        $0.start()
        _ = $0.seek(5, ticket: 7)
      },
    ] {
      var harness = MachineHarness()
      prepare(&harness)
      #expect(harness.stop().hasChanged)
      #expect(harness.effects.finished.values.allSatisfy { $0 == [false] })
      #expect(harness.snapshot.transport == .stopped)
      #expect(harness.position == .zero)
      #expect(harness.nextWake == nil)
    }
  }

  @Test("Next and Previous while Playing play the new item from its start")
  func nextWhilePlaying() {
    var harness = MachineHarness(at: 1)
    harness.start()
    harness.advance(.seconds(4))
    var effects = harness.next()
    #expect(effects.loads == ["file:///2"])
    #expect(effects.events == [.currentItemChanged(from: harness.items[1], to: harness.items[2])])
    #expect(harness.position == .zero)
    #expect(harness.snapshot.duration == nil)
    // The output plays on.
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    effects = harness.previous()
    #expect(effects.loads == ["file:///1"])
    #expect(effects.events == [.currentItemChanged(from: harness.items[2], to: harness.items[1])])
    #expect(harness.settle().engineCommands == [harness.itemPlan])
  }

  @Test("Next and Previous while Paused change the item and stay paused")
  func nextWhilePaused() {
    var harness = MachineHarness()
    harness.startPaused()
    #expect(harness.next().loads == ["file:///1"])
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.previous().loads == ["file:///0"])
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("Next and Previous while Stopped change the item and load nothing")
  func nextWhileStopped() {
    var harness = MachineHarness()
    #expect(harness.next().engineCommands.isEmpty)
    #expect(harness.lastEffects.events == [.currentItemChanged(from: harness.items[0], to: harness.items[1])])
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.previous().engineCommands.isEmpty)
    #expect(harness.current == harness.items[0])
  }

  @Test(
    "Next on the last item and Previous on the first do nothing unless the playlist loops",
    arguments: Player.LoopMode.allCases)
  func ends(loop: Player.LoopMode) {
    var harness = MachineHarness(at: 2, loop: loop)
    harness.start()
    #expect(harness.snapshot.hasNext == (loop == .playlist))
    #expect(harness.next().loads == (loop == .playlist ? ["file:///0"] : []))
    harness = MachineHarness(loop: loop)
    harness.start()
    #expect(harness.snapshot.hasPrevious == (loop == .playlist))
    #expect(harness.previous().loads == (loop == .playlist ? ["file:///2"] : []))
    if loop != .playlist { #expect(harness.lastEffects.isEmpty) }
  }

  @Test("Next while an item loads, or while the output is lost, takes effect at once")
  func nextInBetween() {
    var harness = MachineHarness()
    _ = harness.play()
    #expect(harness.next().loads == ["file:///1"])
    harness.settle()
    harness.run()
    harness.fail(.output)
    #expect(harness.next().loads == ["file:///2"])
    #expect(harness.position == .zero)
  }

  @Test("Next in a looped playlist of one item repeats it")
  func nextAroundOne() {
    var harness = MachineHarness(1, loop: .playlist)
    harness.start()
    harness.advance(.seconds(4))
    let events = harness.next().events
    #expect(events == [.itemRepeated(harness.items[0], loopCount: 1)])
  }

  @Test("Playing the current item repeats it")
  func playCurrent() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(4))
    let id = harness.items[0].id
    #expect(harness.decide(.playItem(id)).events == [.itemRepeated(harness.items[0], loopCount: 1)])
  }

  @Test("Playing an item of the queue makes it current and plays it, in every state")
  func playItem() {
    var harness = MachineHarness()
    let target = harness.items[2]
    #expect(harness.decide(.playItem(target.id)).loads == ["file:///2"])
    #expect(harness.lastEffects.events == [.currentItemChanged(from: harness.items[0], to: target)])
    #expect(harness.snapshot.transport == .playing)
    harness.settle()
    _ = harness.pause()
    let first = harness.items[0]
    #expect(harness.decide(.playItem(first.id)).loads == ["file:///0"])
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    #expect(harness.decide(.playItem(Player.Item(uri: "file:///other").id)).isEmpty)
  }

  @Test("An advance over several items selects the last one alone, and beyond the ends of the queue nothing")
  func advance() {
    var harness = MachineHarness()
    harness.start()
    #expect(harness.decide(.advance(by: 2)).loads == ["file:///2"])
    #expect(harness.lastEffects.events.contains(.currentItemChanged(from: harness.items[0], to: harness.items[2])))
    harness.settle()
    for distance in [1, 3, .max, .min, -3] { #expect(harness.decide(.advance(by: distance)).isEmpty, "\(distance)") }
    _ = harness.pause()
    #expect(harness.decide(.advance(by: -2)).loads == ["file:///0"])
    #expect(harness.snapshot.transport == .paused)
    _ = harness.decide(.setLoop(.playlist))
    _ = harness.decide(.advance(by: -1))
    #expect(harness.snapshot.currentIndex == harness.items.count - 1)
    _ = harness.decide(.setLoop(.none))
    _ = harness.decide(.setShuffled(true))
    _ = harness.decide(.advance(by: harness.items.count - 1))
    #expect(!harness.snapshot.hasNext && harness.snapshot.hasPrevious)
  }

  @Test("Volume and mute are sent to the engine once and published")
  func sound() {
    var harness = MachineHarness()
    var settings = harness.engineSettings
    settings.volume = 0.5
    #expect(harness.decide(.setVolume(0.5)) == [.emit(.changed), .command(.settings(settings))])
    #expect(harness.decide(.setVolume(0.5)).isEmpty)
    settings.isMuted = true
    #expect(harness.decide(.setMuted(true)) == [.emit(.changed), .command(.settings(settings))])
    #expect(harness.decide(.setMuted(true)).isEmpty)
    #expect(harness.snapshot.volume == 0.5)
    #expect(harness.snapshot.isMuted)
  }

  @Test("An external volume change is published; its echo and rounding errors are ignored")
  func soundFromOutside() {
    var harness = MachineHarness()
    let same = harness.report(.output(.volumeChanged(volume: 1.000_01, isMuted: false)))
    #expect(same.isEmpty)
    let other = harness.report(.output(.volumeChanged(volume: 0.7, isMuted: true)))
    #expect(other == [.emit(.changed)])
    #expect(harness.snapshot.volume == 0.7)
    #expect(harness.snapshot.isMuted)
  }

  @Test("An external volume above the highest one is set back to it")
  func loudFromOutside() {
    var harness = MachineHarness()
    harness.decide(.setMaximumVolume(1.5))
    let loud = harness.report(.output(.volumeChanged(volume: 10, isMuted: false)))
    #expect(loud == [.emit(.changed), .command(.settings(harness.engineSettings))])
    #expect(harness.engineSettings.volume == 1.5)
    #expect(harness.snapshot.volume == 1.5)
    #expect(harness.report(.output(.volumeChanged(volume: 1.5, isMuted: false))).isEmpty)
    let quiet = harness.report(.output(.volumeChanged(volume: 0.7, isMuted: false)))
    #expect(quiet == [.emit(.changed)])
  }
}
