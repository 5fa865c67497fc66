import Testing

@testable import Playback

@Suite("Gapless transitions") struct GaplessTransitionTests {
  @Test("The next item is offered once and becomes current when it becomes audible")
  func gaplessQueue() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireOffer()
    #expect(next.uri == "file:///1")
    #expect(harness.offer() == nil)
    harness.advance(.milliseconds(200))
    harness.startNext(next.stream, in: 0.8, duration: 5)
    #expect(harness.lastEffects.isEmpty)
    #expect(harness.current == harness.items[0])
    #expect(harness.snapshot.duration == .seconds(10))
    #expect(harness.advance(.milliseconds(799)).events.isEmpty)
    #expect(harness.position == .milliseconds(9999))
    let change = harness.advance(.milliseconds(1))
    #expect(
      change.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(change.engineCommands.isEmpty)
    #expect(change.hasChanged)
    #expect(harness.current == harness.items[1])
    #expect(harness.token == next.stream)
    #expect(harness.snapshot.duration == .seconds(5))
    #expect(harness.position == .zero)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
    #expect(harness.effects.loads.count == 1)
    #expect(harness.offer()?.uri == "file:///2")
  }

  @Test("A late wake-up does not delay the position of the next item")
  func lateWake() throws {
    var harness = MachineHarness()
    harness.start()
    _ = try harness.prerollNext(1)
    harness.now = harness.now + .seconds(1.25)
    harness.decide(.wake)
    #expect(harness.current == harness.items[1])
    #expect(harness.position == .seconds(0.25))
  }

  @Test("A next item that is audible at once becomes current at once")
  func noTail() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(10))
    let stream = try harness.requireOffer().stream
    #expect(harness.startNext(stream, in: 0).events.count == 2)
    #expect(harness.current == harness.items[1])
    #expect(harness.position == .zero)
  }

  @Test("Early tags and durations of the next item are published only when it becomes current")
  func detailsOfFollower() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.requireOffer()
    var tags = MediaMetadata()
    tags.title = "Next"
    #expect(harness.report(.tags(next.stream, tags, about: .stream)).isEmpty)
    #expect(harness.report(.durationChanged(next.stream, .seconds(3))).isEmpty)
    #expect(harness.report(.durationChanged(harness.token, .seconds(3))).isEmpty)
    #expect(harness.snapshot.metadata.title == nil)
    #expect(harness.snapshot.duration == .seconds(10))
    harness.startNext(next.stream, in: 1, duration: nil)
    #expect(harness.snapshot.metadata.title == nil)
    harness.advance(.seconds(1))
    #expect(harness.snapshot.metadata.title == "Next")
    #expect(harness.snapshot.itemStatus == .readyToPlay)
  }

  @Test("The next item has its own seekability")
  func seekableFollower() throws {
    for (first, second) in [(true, false), (false, true)] {
      var harness = MachineHarness()
      harness.start(isSeekable: first)
      let stream = try harness.requireOffer().stream
      let facts = StreamFacts(duration: .seconds(10), isSeekable: second)
      harness.report(.nextStarted(stream, in: .zero, facts, previousEnd: nil))
      #expect(harness.current == harness.items[1])
      #expect(harness.snapshot.isSeekable == second)
    }
  }

  @Test("Positions of the next item are ignored until it is audible")
  func samplesInTail() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let stream = try harness.prerollNext(1)
    #expect(harness.sample(.milliseconds(20)).isEmpty)
    #expect(harness.sample(.milliseconds(20), of: stream).isEmpty)
    #expect(harness.position == .seconds(9))
  }

  @Test("A start of playback that names the next item, before that one is at the output, starts the current item")
  func startNamesNext() throws {
    var harness = MachineHarness()
    harness.decide(.play)
    let next = try harness.requireOffer().stream
    harness.settle(duration: 0.3)
    harness.report(.running(next, position: .milliseconds(280)))
    #expect(harness.isAdvancing && harness.position == .zero)
    harness.startNext(next, in: 0.3, duration: 0.3)
    #expect(harness.advance(.milliseconds(300)).events.contains(.itemDidPlayToEnd(harness.items[0])))
    #expect(harness.current == harness.items[1])
  }

  @Test("A pause before the next item is audible holds the remaining time, and play resumes with it")
  func pauseInTail() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let stream = try harness.prerollNext(1)
    harness.advance(.milliseconds(400))
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    #expect(harness.advance(.seconds(3)).events.isEmpty)
    #expect(harness.position == .milliseconds(9400))
    #expect(harness.current == harness.items[0])
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    // The next item's stream is already at the output, and it is the stream that reports.
    harness.report(.running(stream, position: .milliseconds(10)))
    #expect(harness.position == .milliseconds(9400))
    #expect(harness.advance(.milliseconds(599)).events.isEmpty)
    #expect(harness.advance(.milliseconds(1)).events.count == 2)
    #expect(harness.current == harness.items[1])
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
  }

  @Test("A long pause before the next item is audible releases the current item, which resumes at its position")
  func parkedInTail() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    _ = try harness.prerollNext(1)
    _ = harness.pause()
    #expect(harness.advance(.seconds(6)).engineCommands == [.unload])
    #expect(harness.play().loads == ["file:///0"])
    #expect(harness.settle().engineCommands == [.seek(to: .seconds(9), rate: 1)])
  }

  /// The state of a gapless transition: the next item is offered, at the output, or has failed.
  enum Window: CaseIterable, Sendable { case offered, started, failed }

  private func harness(in window: Window, loop: Player.LoopMode = .none) throws -> (
    harness: MachineHarness, stream: StreamToken
  ) {
    var harness = MachineHarness(loop: loop)
    harness.start()
    harness.advance(.seconds(8))
    let stream = try harness.requireOffer().stream
    switch window {
    case .offered: break
    case .started: harness.startNext(stream, in: 1)
    case .failed: harness.report(.failed(stream, PlayerError(code: .notFound, message: "")))
    }
    return (harness, stream)
  }

  @Test(
    "A seek during a transition reloads the current item and offers the next one again", arguments: Window.allCases)
  func seekInWindow(window: Window) throws {
    var harness = try harness(in: window).harness
    let effects = harness.seek(2, ticket: 1)
    #expect(effects.loads == ["file:///0"])
    #expect(effects.events == [.timeJumped(from: .seconds(8), to: .seconds(2))])
    #expect(effects.finished.isEmpty)
    #expect(harness.position == .seconds(2))
    #expect(harness.snapshot.duration == .seconds(10))
    #expect(harness.settle().engineCommands == [.seek(to: .seconds(2), rate: 1)])
    let done = harness.settle()
    #expect(done.finished == [1: [true]])
    #expect(done.engineCommands == [.setPlaying(true)])
    #expect(done.events.isEmpty)
    harness.run(measured: 2)
    #expect(harness.current == harness.items[0])
    // A failed next item is not offered again; it is loaded after the current item.
    #expect(harness.offer()?.uri == (window == .failed ? nil : "file:///1"))
  }

  @Test("A seek during a transition while paused stays paused", arguments: Window.allCases)
  func pausedSeekInWindow(window: Window) throws {
    var harness = try harness(in: window).harness
    _ = harness.pause()
    #expect(harness.seek(2).loads == ["file:///0"])
    harness.settle()
    #expect(harness.settle().engineCommands.isEmpty)
    #expect(harness.position == .seconds(2))
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("A rate change during a transition reloads the current item at its position", arguments: Window.allCases)
  func rateInWindow(window: Window) throws {
    var harness = try harness(in: window).harness
    #expect(harness.decide(.setRate(2)).loads == ["file:///0"])
    #expect(harness.position == .seconds(8))
    #expect(harness.settle().engineCommands == [.seek(to: .seconds(8), rate: 2)])
    harness.settle()
    harness.run(measured: 8)
    harness.advance(.milliseconds(500))
    #expect(harness.position == .seconds(9))
  }

  @Test("Next during a transition selects the same item as without it", arguments: Window.allCases)
  func nextInWindow(window: Window) throws {
    var harness = try harness(in: window).harness
    #expect(harness.next().loads == ["file:///1"])
    #expect(harness.lastEffects.events == [.currentItemChanged(from: harness.items[0], to: harness.items[1])])
    #expect(harness.lastSuccessor == nil)
  }

  /// An edit of the queue, and whether it withdraws the item prerolled after item 0.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var withdraws: Bool
    var input: @Sendable ([Player.Item]) -> PlaybackInput

    static let all = [
      Edit(testDescription: "insert after current", withdraws: true) {
        .insert([Player.Item(uri: "file:///x")], after: $0[0].id)
      },
      Edit(testDescription: "insert at the end", withdraws: false) { _ in
        .insert([Player.Item(uri: "file:///x")], after: nil)
      },
      Edit(testDescription: "remove the follower", withdraws: true) { .remove($0[1].id) },
      Edit(testDescription: "move the follower away", withdraws: true) { .move($0[1].id, to: 2) },
      Edit(testDescription: "move another", withdraws: false) { .move($0[2].id, to: 0) },
      Edit(testDescription: "remove another", withdraws: false) { .remove($0[2].id) },
      Edit(testDescription: "loop the track", withdraws: true) { _ in .setLoop(.track) },
      Edit(testDescription: "loop the playlist", withdraws: false) { _ in .setLoop(.playlist) },
    ]
  }

  @Test(
    "An edit keeps a prerolled item that still follows and withdraws any other", arguments: Edit.all, Window.allCases
  )
  func edits(edit: Edit, window: Window) throws {
    var (harness, stream) = try harness(in: window)
    let items = harness.items
    let effects = harness.decide(edit.input(items))
    #expect(harness.current == harness.items[0])
    #expect(harness.position == .seconds(8))
    #expect(harness.lastSuccessor != nil)
    guard edit.withdraws, window != .failed else { return #expect(effects.engineCommands.isEmpty) }
    #expect(effects.engineCommands == [.withdraw(stream)])
    let following = harness.following
    // A next item whose samples are in the output is cut off at the instant of its first sample.
    let end = window == .started ? harness.advance(.seconds(1)) : harness.end()
    #expect(end.events.first == .itemDidPlayToEnd(items[0]))
    #expect(end.loads == [following?.uri])
    #expect(harness.position == .zero)
  }

  @Test("After a withdrawal no other item is prerolled, whatever the next edit")
  func withdrawnOnce() throws {
    var harness = try harness(in: .offered).harness
    let (items, new) = (harness.items, Player.Item(uri: "file:///x"))
    harness.decide(.insert([new], after: items[0].id))
    #expect(harness.decide(.remove(new.id)).engineCommands.isEmpty)
    #expect(harness.offer() == nil)
    #expect(harness.end().loads == ["file:///1"])
  }

  @Test("The failure of a withdrawn item is ignored")
  func withdrawnFails() throws {
    var (harness, stream) = try harness(in: .offered)
    let items = harness.items
    harness.decide(.remove(items[1].id))
    #expect(harness.report(.failed(stream, PlayerError(code: .notFound, message: ""))).isEmpty)
    #expect(harness.end().events.contains(.currentItemChanged(from: items[0], to: items[2])))
  }

  @Test("A pause after an edit holds the position, and play resumes from it", arguments: [Window.offered, .started])
  func pauseAfterEdit(window: Window) throws {
    var harness = try harness(in: window).harness
    let items = harness.items
    harness.decide(.remove(items[1].id))
    _ = harness.pause()
    #expect(harness.advance(.seconds(3)).events.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    harness.run()
    let end = window == .started ? harness.advance(.seconds(1)) : harness.end()
    #expect(end.loads == ["file:///2"])
  }

  @Test("An item that is held at its end after a withdrawal is loaded again by play")
  func holdAfterEdit() throws {
    var harness = try harness(in: .offered).harness
    harness.decide(.setActionAtItemEnd(.pause))
    harness.advance(.seconds(2))
    #expect(harness.end().engineCommands == [.setPlaying(false)])
    #expect(harness.position == .seconds(10))
    #expect(harness.play().loads == ["file:///0"])
  }

  @Test("A withdrawing edit before playback starts reloads the current item")
  func editWhileLoading() throws {
    var harness = MachineHarness()
    _ = harness.play()
    _ = try harness.requireOffer()
    let items = harness.items
    #expect(harness.decide(.remove(items[1].id)).loads == ["file:///0"])
  }

  @Test("No item is offered while stopped, while seeking, at another rate, or at the end of the queue")
  func nothingToOffer() {
    var harness = MachineHarness()
    #expect(harness.offer() == nil)
    harness.start()
    _ = harness.seek(3)
    #expect(harness.offer() == nil)
    harness = MachineHarness()
    harness.start()
    harness.decide(.setRate(1.5))
    harness.settle()
    #expect(harness.offer() == nil)
    harness = MachineHarness(at: 2)
    harness.start()
    #expect(harness.offer() == nil)
  }

  @Test("A looped track is prerolled after itself, with one repetition each and no item change")
  func loopTrack() throws {
    var harness = MachineHarness(loop: .track)
    harness.start()
    for round in 1...3 {
      harness.advance(.seconds(9))
      let next = try harness.requireOffer()
      #expect(next.uri == "file:///0")
      harness.startNext(next.stream, in: 1)
      let events = harness.advance(.seconds(1)).events
      #expect(events == [.itemDidPlayToEnd(harness.items[0]), .itemRepeated(harness.items[0], loopCount: round)])
      #expect(harness.position == .zero)
      #expect(harness.snapshot.loopCount == round)
    }
    #expect(harness.effects.loads.count == 1)
  }

  @Test("A looped playlist of one item repeats like a looped track")
  func loopPlaylistOfOne() throws {
    var harness = MachineHarness(1, loop: .playlist)
    harness.start()
    harness.advance(.seconds(9))
    _ = try harness.prerollNext(1)
    let events = harness.advance(.seconds(1)).events
    #expect(events == [.itemDidPlayToEnd(harness.items[0]), .itemRepeated(harness.items[0], loopCount: 1)])
  }
}
