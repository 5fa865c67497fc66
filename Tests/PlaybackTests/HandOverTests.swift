import Testing

@testable import Playback

@Suite("The gapless hand-over") struct HandOverTests {
  @Test("The follower is offered once, and becomes current when it is heard")
  func handOver() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    #expect(next.uri == "file:///1")
    #expect(bench.offer() == nil)
    bench.pass(.milliseconds(200))
    bench.startNext(next.stream, in: 0.8, duration: 5)
    #expect(bench.lastEffects.isEmpty)
    #expect(bench.current == bench.items[0])
    #expect(bench.snapshot.duration == .seconds(10))
    #expect(bench.pass(.milliseconds(799)).events.isEmpty)
    #expect(bench.position == .milliseconds(9999))
    let change = bench.pass(.milliseconds(1))
    #expect(
      change.events == [
        .itemDidPlayToEnd(bench.items[0]), .currentItemChanged(from: bench.items[0], to: bench.items[1]),
      ])
    #expect(change.orders.isEmpty)
    #expect(change.isNews)
    #expect(bench.current == bench.items[1])
    #expect(bench.token == next.stream)
    #expect(bench.snapshot.duration == .seconds(5))
    #expect(bench.position == .zero)
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(1))
    #expect(bench.effects.loads.count == 1)
    #expect(bench.offer()?.uri == "file:///2")
  }

  @Test("A late wake-up does not make the next item's position late")
  func lateWake() throws {
    var bench = Bench()
    bench.start()
    _ = try bench.enterTail(1)
    bench.now = bench.now + .seconds(1.25)
    bench.step { $0.wake(now: $1) }
    #expect(bench.current == bench.items[1])
    #expect(bench.position == .seconds(0.25))
  }

  @Test("Without a tail the change is immediate")
  func noTail() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(10))
    let stream = try bench.takeOffer().stream
    #expect(bench.startNext(stream, in: 0).events.count == 2)
    #expect(bench.current == bench.items[1])
    #expect(bench.position == .zero)
  }

  @Test("Tags and duration of the follower are its own, however early they come")
  func detailsOfFollower() throws {
    var bench = Bench()
    bench.start()
    let next = try bench.takeOffer()
    var tags = MediaMetadata()
    tags.title = "Next"
    #expect(bench.step { machine, _ in machine.tagsChanged(next.stream, tags) }.isEmpty)
    #expect(bench.step { machine, _ in machine.durationChanged(next.stream, .seconds(3)) }.isEmpty)
    #expect(bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(3)) }.isEmpty)
    #expect(bench.snapshot.metadata.title == nil)
    #expect(bench.snapshot.duration == .seconds(10))
    bench.startNext(next.stream, in: 1, duration: nil)
    #expect(bench.snapshot.metadata.title == nil)
    bench.pass(.seconds(1))
    #expect(bench.snapshot.metadata.title == "Next")
    #expect(bench.snapshot.itemStatus == .readyToPlay)
  }

  @Test("Whether the follower can be sought is its own")
  func seekableFollower() throws {
    for (first, second) in [(true, false), (false, true)] {
      var bench = Bench()
      bench.start(isSeekable: first)
      let stream = try bench.takeOffer().stream
      bench.step {
        let facts = StreamFacts(duration: .seconds(10), isSeekable: second)
        $0.nextStarted(stream, in: .zero, facts, now: $1)
      }
      #expect(bench.current == bench.items[1])
      #expect(bench.snapshot.isSeekable == second)
    }
  }

  @Test("Positions measured in the tail are the follower's and are not shown")
  func samplesInTail() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    let stream = try bench.enterTail(1)
    #expect(bench.step { $0.sampled($0.token, position: .milliseconds(20), now: $1) }.isEmpty)
    #expect(bench.step { $0.sampled(stream, position: .milliseconds(20), now: $1) }.isEmpty)
    #expect(bench.position == .seconds(9))
  }

  @Test("Pause in the tail freezes the rest of it, and play goes on with it")
  func pauseInTail() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    let stream = try bench.enterTail(1)
    bench.pass(.milliseconds(400))
    #expect(bench.pause().orders == [.setPlaying(false)])
    #expect(bench.pass(.seconds(3)).events.isEmpty)
    #expect(bench.position == .milliseconds(9400))
    #expect(bench.current == bench.items[0])
    #expect(bench.play().orders == [.setPlaying(true)])
    // The stream at the output is the follower already, and it is the one that reports.
    bench.step { $0.running(stream, position: .milliseconds(10), now: $1) }
    #expect(bench.position == .milliseconds(9400))
    #expect(bench.pass(.milliseconds(599)).events.isEmpty)
    #expect(bench.pass(.milliseconds(1)).events.count == 2)
    #expect(bench.current == bench.items[1])
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(1))
  }

  @Test("A long pause in the tail parks the current item, which resumes where it was")
  func parkedInTail() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    _ = try bench.enterTail(1)
    _ = bench.pause()
    #expect(bench.pass(.seconds(6)).orders == [.unload])
    #expect(bench.play().loads == ["file:///0"])
    #expect(bench.settle().orders == [.seek(to: .seconds(9), rate: 1)])
  }

  /// Where a hand-over is: the follower named, at the output, or failed.
  enum Window: CaseIterable, Sendable { case offered, started, failed }

  private func bench(in window: Window, loop: LoopMode = .none) throws -> (bench: Bench, stream: StreamToken) {
    var bench = Bench(loop: loop)
    bench.start()
    bench.pass(.seconds(8))
    let stream = try bench.takeOffer().stream
    switch window {
    case .offered: break
    case .started: bench.startNext(stream, in: 1)
    case .failed: bench.step { $0.failed(stream, PlayerError(.notFound, ""), now: $1) }
    }
    return (bench, stream)
  }

  @Test(
    "A seek in the window goes back into the current item, and its follower follows", arguments: Window.allCases)
  func seekInWindow(window: Window) throws {
    var bench = try bench(in: window).bench
    let effects = bench.seek(2, ticket: 1)
    #expect(effects.loads == ["file:///0"])
    #expect(effects.events == [.timeJumped(from: .seconds(8), to: .seconds(2))])
    #expect(effects.finished.isEmpty)
    #expect(bench.position == .seconds(2))
    #expect(bench.snapshot.duration == .seconds(10))
    #expect(bench.settle().orders == [.seek(to: .seconds(2), rate: 1)])
    let done = bench.settle()
    #expect(done.finished == [1: [true]])
    #expect(done.orders == [.setPlaying(true)])
    #expect(done.events.isEmpty)
    bench.run(measured: 2)
    #expect(bench.current == bench.items[0])
    // One that has failed is not offered again: its turn comes after.
    #expect(bench.offer()?.uri == (window == .failed ? nil : "file:///1"))
  }

  @Test("A seek in the window while paused stays paused", arguments: Window.allCases)
  func pausedSeekInWindow(window: Window) throws {
    var bench = try bench(in: window).bench
    _ = bench.pause()
    #expect(bench.seek(2).loads == ["file:///0"])
    bench.settle()
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.position == .seconds(2))
    #expect(bench.snapshot.transport == .paused)
  }

  @Test("Another rate in the window reloads the current item at its place", arguments: Window.allCases)
  func rateInWindow(window: Window) throws {
    var bench = try bench(in: window).bench
    #expect(bench.step { $0.setRate(2, now: $1) }.loads == ["file:///0"])
    #expect(bench.position == .seconds(8))
    #expect(bench.settle().orders == [.seek(to: .seconds(8), rate: 2)])
    bench.settle()
    bench.run(measured: 8)
    bench.pass(.milliseconds(500))
    #expect(bench.position == .seconds(9))
  }

  @Test("Next and Previous in the window go where they would without it", arguments: Window.allCases)
  func nextInWindow(window: Window) throws {
    var bench = try bench(in: window).bench
    #expect(bench.next().loads == ["file:///1"])
    #expect(bench.lastEffects.events == [.currentItemChanged(from: bench.items[0], to: bench.items[1])])
    #expect(bench.machine.loaded.handOver.isEmpty)
  }

  /// An edit of the queue, and what follows item 0 after it.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var withdraws: Bool
    var apply: @Sendable (inout PlaybackMachine, [PlayerItem], MonotonicTime) -> Void

    static let all = [
      Edit(testDescription: "insert after current", withdraws: true) {
        $0.insert([PlayerItem(uri: "file:///x")], after: $1[0].id, now: $2)
      },
      Edit(testDescription: "insert at the end", withdraws: false) {
        $0.insert([PlayerItem(uri: "file:///x")], after: nil, now: $2)
      },
      Edit(testDescription: "remove the follower", withdraws: true) { $0.remove($1[1].id, now: $2) },
      Edit(testDescription: "move the follower away", withdraws: true) { $0.move($1[1].id, to: 2, now: $2) },
      Edit(testDescription: "move another", withdraws: false) { $0.move($1[2].id, to: 0, now: $2) },
      Edit(testDescription: "remove another", withdraws: false) { $0.remove($1[2].id, now: $2) },
      Edit(testDescription: "loop the track", withdraws: true) { machine, _, now in
        machine.editQueue(now: now) { $0.loop = .track }
      },
      Edit(testDescription: "loop the playlist", withdraws: false) { machine, _, now in
        machine.editQueue(now: now) { $0.loop = .playlist }
      },
    ]
  }

  @Test(
    "An edit keeps a hand-over that is still right and takes back one that is not", arguments: Edit.all, Window.allCases
  )
  func edits(edit: Edit, window: Window) throws {
    var (bench, stream) = try bench(in: window)
    let items = bench.items
    let effects = bench.step { edit.apply(&$0, items, $1) }
    #expect(bench.current == bench.items[0])
    #expect(bench.position == .seconds(8))
    #expect(!bench.machine.loaded.handOver.isEmpty)
    guard edit.withdraws, window != .failed else { return #expect(effects.orders.isEmpty) }
    #expect(effects.orders == [.withdraw(stream)])
    let following = bench.machine.queue.following
    // A successor whose samples are in the output is cut off where the first of them is due.
    let end = window == .started ? bench.pass(.seconds(1)) : bench.end()
    #expect(end.events.first == .itemDidPlayToEnd(items[0]))
    #expect(end.loads == [following?.uri])
    #expect(bench.position == .zero)
  }

  @Test("Nothing follows a withdrawn successor without a gap, whatever is edited then")
  func withdrawnOnce() throws {
    var bench = try bench(in: .offered).bench
    let (items, new) = (bench.items, PlayerItem(uri: "file:///x"))
    bench.step { $0.insert([new], after: items[0].id, now: $1) }
    #expect(bench.step { $0.remove(new.id, now: $1) }.orders.isEmpty)
    #expect(bench.offer() == nil)
    #expect(bench.end().loads == ["file:///1"])
  }

  @Test("A withdrawn successor that fails, or ends, is not heard of")
  func withdrawnFails() throws {
    var (bench, stream) = try bench(in: .offered)
    let items = bench.items
    bench.step { $0.remove(items[1].id, now: $1) }
    #expect(bench.step { $0.failed(stream, PlayerError(.notFound, ""), now: $1) }.isEmpty)
    #expect(bench.end().events.contains(.currentItemChanged(from: items[0], to: items[2])))
  }

  @Test("A pause after the edit holds the place, and play goes on with it", arguments: [Window.offered, .started])
  func pauseAfterEdit(window: Window) throws {
    var bench = try bench(in: window).bench
    let items = bench.items
    bench.step { $0.remove(items[1].id, now: $1) }
    _ = bench.pause()
    #expect(bench.pass(.seconds(3)).events.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
    bench.run()
    let end = window == .started ? bench.pass(.seconds(1)) : bench.end()
    #expect(end.loads == ["file:///2"])
  }

  @Test("An item that stays at its end after the edit is opened again to play once more")
  func holdAfterEdit() throws {
    var bench = try bench(in: .offered).bench
    bench.step { $0.setActionAtItemEnd(.pause, now: $1) }
    bench.pass(.seconds(2))
    #expect(bench.end().orders == [.setPlaying(false)])
    #expect(bench.position == .seconds(10))
    #expect(bench.play().loads == ["file:///0"])
  }

  @Test("Before anything is heard an edit opens the current item again")
  func editWhileLoading() throws {
    var bench = Bench()
    _ = bench.play()
    _ = try bench.takeOffer()
    let items = bench.items
    #expect(bench.step { $0.remove(items[1].id, now: $1) }.loads == ["file:///0"])
  }

  @Test("Nothing is offered while stopped, seeking, at another rate, or when nothing follows")
  func nothingToOffer() {
    var bench = Bench()
    #expect(bench.offer() == nil)
    bench.start()
    _ = bench.seek(3)
    #expect(bench.offer() == nil)
    bench = Bench()
    bench.start()
    bench.step { $0.setRate(1.5, now: $1) }
    bench.settle()
    #expect(bench.offer() == nil)
    bench = Bench(at: 2)
    bench.start()
    #expect(bench.offer() == nil)
  }

  @Test("A looped track is handed over to itself: one repetition each, and no change of item")
  func loopTrack() throws {
    var bench = Bench(loop: .track)
    bench.start()
    for round in 1...3 {
      bench.pass(.seconds(9))
      let next = try bench.takeOffer()
      #expect(next.uri == "file:///0")
      bench.startNext(next.stream, in: 1)
      let events = bench.pass(.seconds(1)).events
      #expect(events == [.itemDidPlayToEnd(bench.items[0]), .itemRepeated(bench.items[0], loopCount: round)])
      #expect(bench.position == .zero)
      #expect(bench.snapshot.loopCount == round)
    }
    #expect(bench.effects.loads.count == 1)
  }

  @Test("A looped playlist of one does as a looped track")
  func loopPlaylistOfOne() throws {
    var bench = Bench(1, loop: .playlist)
    bench.start()
    bench.pass(.seconds(9))
    _ = try bench.enterTail(1)
    let events = bench.pass(.seconds(1)).events
    #expect(events == [.itemDidPlayToEnd(bench.items[0]), .itemRepeated(bench.items[0], loopCount: 1)])
  }
}
