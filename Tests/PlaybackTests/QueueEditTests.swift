import Testing

@testable import Playback

@Suite("Edits of the queue") struct QueueEditTests {
  private let new = [PlayerItem(uri: "file:///x"), PlayerItem(uri: "file:///y")]

  @Test("Inserting and removing other items leaves what plays alone")
  func others() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(2))
    let (items, new) = (bench.items, new)
    #expect(bench.step { $0.insert(new, after: items[0].id, now: $1) } == [.emit(.changed)])
    #expect(bench.step { $0.remove(items[2].id, now: $1) } == [.emit(.changed)])
    #expect(bench.step { $0.remove(items[2].id, now: $1) }.isEmpty)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(3))
    #expect(bench.snapshot.itemCount == 4)
    #expect(bench.end().loads == ["file:///x"])
  }

  @Test("Items inserted into an empty queue are there and nothing plays")
  func intoEmpty() {
    var bench = Bench(0)
    let new = new
    let effects = bench.step { $0.insert(new, after: nil, now: $1) }
    #expect(effects.orders.isEmpty)
    #expect(effects.events == [.currentItemChanged(from: nil, to: new[0])])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.play().loads == ["file:///x"])
  }

  @Test("Inserting at the start leaves what plays alone; into an empty queue it makes the first current")
  func atStart() {
    var bench = Bench()
    bench.start()
    let new = new
    #expect(bench.step { $0.insertAtStart(new, now: $1) } == [.emit(.changed)])
    #expect(bench.snapshot.currentIndex == 2)
    var empty = Bench(0)
    #expect(empty.step { $0.insertAtStart(new, now: $1) }.events == [.currentItemChanged(from: nil, to: new[0])])
  }

  @Test("Removing the current item while playing plays its follower", arguments: [0, 1])
  func removeCurrent(index: Int) {
    var bench = Bench(at: index)
    bench.start()
    bench.pass(.seconds(2))
    let items = bench.items
    let effects = bench.step { $0.remove(items[index].id, now: $1) }
    #expect(effects.loads == ["file:///\(index + 1)"])
    #expect(effects.events == [.currentItemChanged(from: items[index], to: items[index + 1])])
    #expect(bench.position == .zero)
    #expect(bench.snapshot.duration == nil)
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("Removing the current item while it is the last stops, with its predecessor current")
  func removeLast() {
    var bench = Bench(at: 2)
    bench.start()
    let items = bench.items
    let effects = bench.step { $0.remove(items[2].id, now: $1) }
    #expect(effects.orders == [.unload])
    #expect(effects.events == [.currentItemChanged(from: items[2], to: items[1])])
    #expect(bench.snapshot.transport == .stopped)
  }

  @Test("Removing the last item of a looped playlist goes on with the first")
  func removeLastLooped() {
    var bench = Bench(at: 2, loop: .playlist)
    bench.start()
    let items = bench.items
    #expect(bench.step { $0.remove(items[2].id, now: $1) }.loads == ["file:///0"])
    #expect(bench.snapshot.transport == .playing)
  }

  @Test("Removing the only item stops with an empty queue", arguments: LoopMode.allCases)
  func removeOnly(loop: LoopMode) {
    var bench = Bench(1, loop: loop)
    bench.start()
    let items = bench.items
    let effects = bench.step { $0.remove(items[0].id, now: $1) }
    #expect(effects.orders == [.unload])
    #expect(effects.events == [.currentItemChanged(from: items[0], to: nil)])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.snapshot.currentItem == nil)
    #expect(bench.snapshot.metadata == MediaMetadata())
    #expect(bench.machine.nextWake == nil)
  }

  @Test("Removing the current item while paused stays paused at the follower's start")
  func removeWhilePaused() {
    var bench = Bench()
    bench.startPaused()
    let items = bench.items
    #expect(bench.step { $0.remove(items[0].id, now: $1) }.loads == ["file:///1"])
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.transport == .paused)
  }

  @Test("A new queue while playing plays its start")
  func replaceWhilePlaying() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(4))
    let (items, new) = (bench.items, new)
    let effects = bench.step { $0.replaceQueue(with: new, startingAt: 1, now: $1) }
    #expect(effects.loads == ["file:///y"])
    #expect(effects.events == [.currentItemChanged(from: items[0], to: new[1])])
    #expect(bench.position == .zero)
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("A new queue while paused is loaded and stays paused; while stopped it is not loaded")
  func replaceOtherwise() {
    var bench = Bench()
    let new = new
    #expect(bench.step { $0.replaceQueue(with: new, startingAt: 0, now: $1) }.orders.isEmpty)
    #expect(bench.snapshot.transport == .stopped)
    bench.startPaused()
    #expect(bench.step { $0.replaceQueue(with: new, startingAt: 1, now: $1) }.loads == ["file:///y"])
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.transport == .paused)
  }

  @Test("An empty queue stops whatever was", arguments: [true, false])
  func replaceWithNothing(isPaused: Bool) {
    var bench = Bench()
    if isPaused { bench.startPaused() } else { bench.start() }
    let effects = bench.step { $0.replaceQueue(with: [], startingAt: 0, now: $1) }
    #expect(effects.orders == [.unload])
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.snapshot.currentItem == nil)
    #expect(bench.play().isEmpty)
  }

  @Test("Shuffle and loop while playing leave what plays alone")
  func modes() {
    var bench = Bench(20)
    bench.start()
    bench.pass(.seconds(2))
    #expect(bench.step { machine, now in machine.editQueue(now: now) { $0.setShuffled(true) } } == [.emit(.changed)])
    #expect(bench.step { machine, now in machine.editQueue(now: now) { $0.loop = .track } } == [.emit(.changed)])
    #expect(bench.snapshot.isShuffled)
    #expect(bench.snapshot.loop == .track)
    #expect(bench.current == bench.items[0])
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(3))
  }

  @Test("Shuffled in the hand-over, the follower of the new order follows")
  func shuffleInWindow() throws {
    var bench = Bench(2)
    bench.start()
    _ = try bench.takeOffer()
    // Of two items the follower is the same in every order.
    #expect(bench.step { machine, now in machine.editQueue(now: now) { $0.setShuffled(true) } } == [.emit(.changed)])
    bench = Bench(40)
    bench.start()
    let stream = try bench.takeOffer().stream
    bench.step { machine, now in machine.editQueue(now: now) { $0.setShuffled(true) } }
    let following = bench.machine.queue.following
    let isSame = following == bench.items[1]
    #expect(bench.lastEffects.orders == (isSame ? [] : [.withdraw(stream)]))
    if !isSame { #expect(bench.end().loads == [following?.uri]) }
  }
}
