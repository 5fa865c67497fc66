import Testing

@testable import Playback

@Suite("Edits of the queue") struct QueueEditTests {
  private let new = [Player.Item(uri: "file:///x"), Player.Item(uri: "file:///y")]

  @Test("Inserting and removing other items does not affect playback")
  func others() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    let (items, new) = (harness.items, new)
    #expect(harness.decide(.insert(new, after: items[0].id)) == [.emit(.changed)])
    #expect(harness.decide(.remove(items[2].id)) == [.emit(.changed)])
    #expect(harness.decide(.remove(items[2].id)).isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.itemCount == 4)
    #expect(harness.end().loads == ["file:///x"])
  }

  @Test("Inserting items into an empty queue does not start playback")
  func intoEmpty() {
    var harness = MachineHarness(0)
    let new = new
    let effects = harness.decide(.insert(new, after: nil))
    #expect(effects.engineCommands.isEmpty)
    #expect(effects.events == [.currentItemChanged(from: nil, to: new[0])])
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.play().loads == ["file:///x"])
  }

  @Test("Inserting at the start does not affect playback; in an empty queue the first item becomes current")
  func atStart() {
    var harness = MachineHarness()
    harness.start()
    let new = new
    #expect(harness.decide(.insertAtStart(new)) == [.emit(.changed)])
    #expect(harness.snapshot.currentIndex == 2)
    var empty = MachineHarness(0)
    #expect(empty.decide(.insertAtStart(new)).events == [.currentItemChanged(from: nil, to: new[0])])
  }

  @Test("Removing the current item while playing plays the next one", arguments: [0, 1])
  func removeCurrent(index: Int) {
    var harness = MachineHarness(at: index)
    harness.start()
    harness.advance(.seconds(2))
    let items = harness.items
    let effects = harness.decide(.remove(items[index].id))
    #expect(effects.loads == ["file:///\(index + 1)"])
    #expect(effects.events == [.currentItemChanged(from: items[index], to: items[index + 1])])
    #expect(harness.position == .zero)
    #expect(harness.snapshot.duration == nil)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
  }

  @Test("Removing the current item at the end of the queue stops, with the previous item current")
  func removeLast() {
    var harness = MachineHarness(at: 2)
    harness.start()
    let items = harness.items
    let effects = harness.decide(.remove(items[2].id))
    #expect(effects.engineCommands == MachineHarness.end(of: harness.token))
    #expect(effects.events == [.currentItemChanged(from: items[2], to: items[1])])
    #expect(harness.snapshot.transport == .stopped)
  }

  @Test("Removing the last item of a looped playlist continues with the first")
  func removeLastLooped() {
    var harness = MachineHarness(at: 2, loop: .playlist)
    harness.start()
    let items = harness.items
    #expect(harness.decide(.remove(items[2].id)).loads == ["file:///0"])
    #expect(harness.snapshot.transport == .playing)
  }

  @Test("Removing the only item stops with an empty queue", arguments: Player.LoopMode.allCases)
  func removeOnly(loop: Player.LoopMode) {
    var harness = MachineHarness(1, loop: loop)
    harness.start()
    let items = harness.items
    let effects = harness.decide(.remove(items[0].id))
    #expect(effects.engineCommands == MachineHarness.end(of: harness.token))
    #expect(effects.events == [.currentItemChanged(from: items[0], to: nil)])
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.snapshot.currentItem == nil)
    #expect(harness.snapshot.metadata == MediaMetadata())
    #expect(harness.nextWake == nil)
  }

  @Test("Removing the current item while paused stays paused at the start of the next one")
  func removeWhilePaused() {
    var harness = MachineHarness()
    harness.startPaused()
    let items = harness.items
    #expect(harness.decide(.remove(items[0].id)).loads == ["file:///1"])
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("Replacing the queue while playing plays the item at the start index")
  func replaceWhilePlaying() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(4))
    let (items, new) = (harness.items, new)
    let effects = harness.decide(.replaceQueue(new, startingAt: 1))
    #expect(effects.loads == ["file:///y"])
    #expect(effects.events == [.currentItemChanged(from: items[0], to: new[1])])
    #expect(harness.position == .zero)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
  }

  @Test("Replacing the queue while paused loads it and stays paused; while stopped nothing is loaded")
  func replaceOtherwise() {
    var harness = MachineHarness()
    let new = new
    #expect(harness.decide(.replaceQueue(new)).engineCommands.isEmpty)
    #expect(harness.snapshot.transport == .stopped)
    harness.startPaused()
    #expect(harness.decide(.replaceQueue(new, startingAt: 1)).loads == ["file:///y"])
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("Replacing the queue by no items stops", arguments: [true, false])
  func replaceWithNothing(isPaused: Bool) {
    var harness = MachineHarness()
    if isPaused { harness.startPaused() } else { harness.start() }
    let effects = harness.decide(.replaceQueue([]))
    let end = MachineHarness.end(of: harness.token)
    #expect(effects.engineCommands == (isPaused ? end.filter { $0 != .setPlaying(false) } : end))
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.snapshot.currentItem == nil)
    #expect(harness.play().isEmpty)
  }

  @Test("Changing shuffle and loop while playing does not affect playback")
  func modes() {
    var harness = MachineHarness(20)
    harness.start()
    harness.advance(.seconds(2))
    #expect(harness.decide(.setShuffled(true)) == [.emit(.changed)])
    #expect(harness.decide(.setLoop(.track)) == [.emit(.changed)])
    #expect(harness.snapshot.isShuffled)
    #expect(harness.snapshot.loop == .track)
    #expect(harness.current == harness.items[0])
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3))
  }

  @Test("Shuffling closes an open successor unless it is still next, and opens the one that is")
  func shuffleInWindow() throws {
    var harness = MachineHarness(2)
    harness.start()
    _ = try harness.requireOffer()
    // Of two items, the next one is the same in every order.
    #expect(harness.decide(.setShuffled(true)) == [.emit(.changed)])
    harness = MachineHarness(40)
    harness.start()
    let stream = try harness.requireOffer().stream
    harness.decide(.setShuffled(true))
    let following = harness.following
    let isSame = following == harness.items[1]
    #expect(harness.lastEffects.closed == (isSame ? [] : [stream]))
    #expect(harness.lastEffects.loads == (isSame ? [] : [following?.uri]))
    let next = try #require(harness.lastSuccessor)
    #expect((next == stream) == isSame && harness.plan == [PlannedPart(harness.token), PlannedPart(next)])
    #expect(harness.enterNext(next).loads.isEmpty && harness.current == following)
  }
}
