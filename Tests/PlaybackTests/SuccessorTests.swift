import Testing

@testable import Playback

@Suite("Items that follow") struct SuccessorTests {
  @Test("The next item is opened when the current one is decoded, and becomes current when it is audible")
  func transition() throws {
    var harness = MachineHarness()
    harness.start()
    let first = harness.token
    harness.advance(.seconds(6))
    let next = try harness.requireOffer()
    #expect(next.uri == "file:///1" && next.start == .zero)
    #expect(harness.lastEffects.plan == [PlannedPart(first), PlannedPart(next.stream)])
    #expect(harness.offer() == nil)
    #expect(harness.settleNext(next.stream, duration: 5).isEmpty)
    harness.advance(.milliseconds(3_999))
    #expect(harness.current == harness.items[0] && harness.position == .milliseconds(9_999))
    #expect(harness.snapshot.duration == .seconds(10))
    #expect(harness.report(.stream(first, .ended(at: .seconds(10)))).isEmpty)
    let change = harness.report(.audible(next.stream, at: .zero))
    #expect(
      change.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(change.engineCommands == [.close(first), .plan([PlannedPart(next.stream)])])
    #expect(change.hasChanged)
    #expect(harness.current == harness.items[1] && harness.token == next.stream)
    #expect(harness.snapshot.duration == .seconds(5) && harness.position == .zero)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
    #expect(harness.effects.loads == ["file:///0", "file:///1"])
    #expect(harness.offer()?.uri == "file:///2")
    #expect(harness.violations.isEmpty)
  }

  @Test("A report that is late does not delay the position of the next item")
  func lateReport() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.prepareNext()
    harness.advance(.seconds(10.2))
    #expect(harness.position == .seconds(10))
    harness.report(.stream(harness.token, .ended(at: .seconds(10))))
    harness.report(.audible(next, at: .seconds(0.2)))
    #expect(harness.current == harness.items[1] && harness.position == .seconds(0.2))
  }

  @Test("Early tags and durations of the next item are published only when it becomes current")
  func details() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.requireOffer().stream
    var tags = MediaMetadata()
    tags.title = "Next"
    #expect(harness.report(.stream(next, .tags(tags, about: .stream))).isEmpty)
    #expect(harness.report(.stream(next, .durationChanged(.seconds(3)))).isEmpty)
    #expect(harness.snapshot.metadata.title == nil && harness.snapshot.duration == .seconds(10))
    harness.settleNext(next, duration: nil)
    #expect(harness.snapshot.metadata.title == nil)
    harness.enterNext(next)
    #expect(harness.snapshot.metadata.title == "Next" && harness.snapshot.duration == .seconds(3))
    #expect(harness.snapshot.itemStatus == .readyToPlay)
  }

  @Test("The next item has its own seekability and its own rate", arguments: [(true, false), (false, true)])
  func seekable(first: Bool, second: Bool) throws {
    var harness = MachineHarness()
    harness.decide(.setRate(2))
    harness.start(isSeekable: first)
    #expect(harness.engineSettings.rate == (first ? 2 : 1))
    let stream = try harness.requireOffer().stream
    harness.settleNext(stream, isSeekable: second)
    harness.enterNext(stream)
    #expect(harness.current == harness.items[1] && harness.snapshot.isSeekable == second)
    #expect(harness.engineSettings.rate == (second ? 2 : 1))
  }

  @Test("Positions of the next item are ignored until it is audible")
  func samples() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let stream = try harness.prepareNext()
    #expect(harness.sample(.milliseconds(20), of: stream).isEmpty)
    #expect(harness.position == .seconds(9))
  }

  @Test("A pause before the next item holds the position, and play resumes with it")
  func pause() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let stream = try harness.prepareNext()
    harness.advance(.milliseconds(400))
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    #expect(harness.advance(.seconds(3)).events.isEmpty)
    #expect(harness.position == .milliseconds(9_400) && harness.current == harness.items[0])
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    harness.run(measured: 9.4)
    harness.advance(.milliseconds(600))
    #expect(harness.enterNext(stream).events.count == 2)
    harness.advance(.seconds(1))
    #expect(harness.current == harness.items[1] && harness.position == .seconds(1))
  }

  @Test("An item that becomes audible just before a pause is current, and stands")
  func pauseAtTransition() throws {
    var harness = MachineHarness()
    harness.start()
    let stream = try harness.prepareNext()
    harness.advance(.seconds(10))
    _ = harness.pause()
    harness.enterNext(stream)
    #expect(harness.current == harness.items[1] && harness.position == .zero)
    harness.advance(.seconds(1))
    #expect(harness.position == .zero && harness.violations.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("A long pause before the next item releases both, and the current item resumes at its position")
  func released() throws {
    var harness = MachineHarness()
    harness.start()
    let first = harness.token
    harness.advance(.seconds(9))
    let next = try harness.prepareNext()
    _ = harness.pause()
    #expect(harness.advance(.seconds(6)).engineCommands == [.close(first), .close(next), .plan([])])
    #expect(harness.play().opened.map(\.start) == [.seconds(9)])
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)]), .setPlaying(true)])
  }

  /// The state of a transition: the next item is being opened, is ready, or has failed.
  enum Window: CaseIterable, Sendable { case opening, ready, failed }

  private func harness(in window: Window, loop: Player.LoopMode = .none) throws -> (
    harness: MachineHarness, stream: StreamToken
  ) {
    var harness = MachineHarness(loop: loop)
    harness.start()
    harness.advance(.seconds(8))
    let stream = try harness.requireOffer().stream
    switch window {
    case .opening: break
    case .ready: harness.settleNext(stream)
    case .failed: harness.report(.stream(stream, .failed(PlayerError(code: .notFound, message: ""))))
    }
    return (harness, stream)
  }

  @Test("A seek closes the next item, which is opened again after it", arguments: Window.allCases)
  func seek(window: Window) throws {
    var (harness, stream) = try harness(in: window)
    let effects = harness.seek(2, ticket: 1)
    #expect(effects.loads.isEmpty)
    #expect(effects.closed == (window == .failed ? [] : [stream]))
    #expect(effects.engineCommands.contains(.seek(harness.token, to: .seconds(2))))
    #expect(harness.position == .seconds(2) && harness.snapshot.duration == .seconds(10))
    #expect(harness.offer() == nil)
    let done = harness.settle()
    #expect(done.finished == [1: [true]])
    #expect(done.events == [.timeJumped(from: .seconds(8), to: .seconds(2))])
    harness.run(measured: 2)
    #expect(harness.current == harness.items[0])
    // A failed next item is not opened again before it is current.
    #expect(harness.offer()?.uri == (window == .failed ? nil : "file:///1"))
    #expect(harness.violations.isEmpty)
  }

  @Test("A rate change keeps the next item, which also follows gaplessly", arguments: Window.allCases)
  func rate(window: Window) throws {
    var harness = try harness(in: window).harness
    let effects = harness.decide(.setRate(2))
    #expect(effects.settings?.rate == 2 && effects.engineCommands.count == 1)
    #expect(harness.position == .seconds(8))
    harness.advance(.milliseconds(500))
    #expect(harness.position == .seconds(9))
  }

  @Test("Next during a transition selects the same item as without it", arguments: Window.allCases)
  func next(window: Window) throws {
    var harness = try harness(in: window).harness
    #expect(harness.next().loads == ["file:///1"])
    #expect(harness.lastEffects.events == [.currentItemChanged(from: harness.items[0], to: harness.items[1])])
    #expect(harness.lastSuccessor == nil && harness.openStreams == [harness.token])
  }

  /// An edit of the queue after which item 0 has another follower than item 1, or the same one.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var follower: String?
    var input: @Sendable ([Player.Item]) -> PlaybackInput

    static let all = [
      Edit(testDescription: "insert after current", follower: "file:///x") {
        .insert([Player.Item(uri: "file:///x")], after: $0[0].id)
      },
      Edit(testDescription: "insert at the end") { _ in .insert([Player.Item(uri: "file:///x")], after: nil) },
      Edit(testDescription: "remove the follower", follower: "file:///2") { .remove($0[1].id) },
      Edit(testDescription: "move the follower away", follower: "file:///2") { .move($0[1].id, to: 2) },
      Edit(testDescription: "move another") { .move($0[2].id, to: 0) },
      Edit(testDescription: "remove another") { .remove($0[2].id) },
      Edit(testDescription: "loop the track", follower: "file:///0") { _ in .setLoop(.track) },
      Edit(testDescription: "loop the playlist") { _ in .setLoop(.playlist) },
    ]
  }

  @Test(
    "An edit keeps an open item that still follows, and replaces any other at once", arguments: Edit.all,
    Window.allCases)
  func edits(edit: Edit, window: Window) throws {
    var (harness, stream) = try harness(in: window)
    let effects = harness.decide(edit.input(harness.items))
    #expect(harness.current == harness.items[0] && harness.position == .seconds(8))
    guard let follower = edit.follower else { return #expect(effects.engineCommands.isEmpty) }
    #expect(effects.closed == (window == .failed ? [] : [stream]))
    #expect(effects.loads == [follower])
    let next = try #require(effects.opened.last?.stream)
    #expect(harness.plan.map(\.stream) == [harness.token, next])
    harness.settleNext(next)
    harness.advance(.seconds(2))
    #expect(harness.enterNext(next).events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(harness.current?.uri == follower && harness.position == .zero && harness.violations.isEmpty)
  }

  @Test("Events of an item that an edit has closed are ignored")
  func closedEvents() throws {
    var (harness, stream) = try harness(in: .ready)
    harness.decide(.remove(harness.items[1].id))
    #expect(harness.report(.stream(stream, .failed(PlayerError(code: .notFound, message: "")))).isEmpty)
    #expect(harness.report(.audible(stream, at: .zero)).isEmpty)
    #expect(harness.report(.stream(stream, .ended(at: nil))).isEmpty)
    #expect(harness.current == harness.items[0])
  }

  @Test("An item that ends while the next one is opened waits for it, and for another one after an edit")
  func editAfterEnd() throws {
    var (harness, stream) = try harness(in: .opening)
    harness.advance(.seconds(2))
    #expect(harness.end().events.isEmpty)
    #expect(harness.advance(.seconds(1)).events.isEmpty)
    #expect(harness.position == .seconds(10) && harness.current == harness.items[0])
    let effects = harness.decide(.remove(harness.items[1].id))
    #expect(effects.closed == [stream] && effects.loads == ["file:///2"])
    let next = try #require(effects.opened.last?.stream)
    harness.settleNext(next)
    harness.report(.audible(next, at: .zero))
    #expect(harness.current?.uri == "file:///2")
  }

  @Test("An item that has ended performs the action at the end when no item follows any more")
  func nothingAfterEnd() throws {
    var harness = try harness(in: .opening).harness
    harness.advance(.seconds(2))
    harness.end()
    harness.decide(.setActionAtItemEnd(.pause))
    #expect(harness.snapshot.transport == .paused && harness.position == .seconds(10))
    #expect(harness.openStreams == [harness.token] && harness.violations.isEmpty)
  }

  @Test("No item is opened while stopped or seeking, at the end of the queue, or after a lost connection")
  func nothingToOpen() {
    var harness = MachineHarness()
    #expect(harness.offer() == nil)
    harness.start()
    _ = harness.seek(3)
    #expect(harness.offer() == nil)
    harness = MachineHarness(at: 2)
    harness.start()
    #expect(harness.offer() == nil)
    harness = MachineHarness(scheme: "http")
    harness.start()
    var error = PlayerError(code: .networkCut, message: "")
    error.isFromSource = true
    harness.report(.stream(harness.token, .failed(error)))
    #expect(harness.offer() == nil)
  }

  @Test("An item from a server is opened 20 s before the end of the current one, at any speed", arguments: [1.0, 2])
  func server(rate: Double) {
    var harness = MachineHarness(scheme: "http")
    harness.decide(.setRate(rate))
    harness.start(duration: 100)
    let wait = (100 - 20 * rate) / rate
    #expect(harness.advance(.seconds(wait - 0.1)).loads.isEmpty)
    #expect(harness.advance(.seconds(0.2)).loads == ["http:///1"])
    #expect(harness.plan.count == 2)
  }

  @Test("A looped track follows itself, with one repetition each and no item change")
  func loopTrack() throws {
    var harness = MachineHarness(loop: .track)
    harness.start()
    for round in 1...3 {
      harness.advance(.seconds(10))
      let next = try harness.prepareNext()
      let events = harness.enterNext(next).events
      #expect(events == [.itemDidPlayToEnd(harness.items[0]), .itemRepeated(harness.items[0], loopCount: round)])
      #expect(harness.position == .zero && harness.snapshot.loopCount == round)
    }
    #expect(harness.effects.loads == Array(repeating: "file:///0", count: 4))
  }

  @Test("A looped playlist of one item repeats like a looped track")
  func loopPlaylistOfOne() throws {
    var harness = MachineHarness(1, loop: .playlist)
    harness.start()
    harness.advance(.seconds(10))
    let events = harness.enterNext(try harness.prepareNext()).events
    #expect(events == [.itemDidPlayToEnd(harness.items[0]), .itemRepeated(harness.items[0], loopCount: 1)])
  }

  // MARK: Several short items

  /// Returns a harness in which item 0 has 0.4 s left to play, and items 1 and 2, of 0.3 s each, are ready.
  private func chain(loop: Player.LoopMode = .none) throws -> (harness: MachineHarness, streams: [StreamToken]) {
    var harness = MachineHarness(4, loop: loop)
    harness.start(duration: 1)
    harness.advance(.milliseconds(600))
    let first = try harness.prepareNext(duration: 0.3)
    let second = try harness.requireOffer(after: first).stream
    harness.settleNext(second, duration: 0.3)
    return (harness, [first, second])
  }

  @Test("Each item is opened when the one before it is decoded, and becomes current when it is audible")
  func inOrder() throws {
    var (harness, streams) = try chain()
    #expect(try harness.requireOffer(after: streams[1]).uri == "file:///3")
    #expect(harness.plan.count == 4 && harness.current == harness.items[0])
    for index in 1...2 {
      harness.advance(.milliseconds(index == 1 ? 400 : 300))
      let change = harness.enterNext(streams[index - 1])
      #expect(
        change.events == [
          .itemDidPlayToEnd(harness.items[index - 1]),
          .currentItemChanged(from: harness.items[index - 1], to: harness.items[index]),
        ])
      #expect(harness.token == streams[index - 1] && harness.position == .zero)
      #expect(harness.snapshot.duration == .milliseconds(300))
    }
    harness.advance(.milliseconds(200))
    #expect(harness.position == .milliseconds(200))
  }

  @Test("A stream that is read again opens no second item")
  func onceEach() throws {
    let (harness, streams) = try chain()
    for stream in [harness.token, streams[0]] {
      var harness = harness
      #expect(harness.offer(after: stream) == nil)
    }
  }

  @Test("At most eight items are open beside the current one")
  func limit() throws {
    var harness = MachineHarness(20)
    harness.start(duration: 1)
    var last = harness.token
    for _ in 0..<8 {
      last = try harness.requireOffer(after: last).stream
      harness.settleNext(last, duration: 0.01)
    }
    #expect(harness.offer(after: last) == nil)
    harness.enterNext(harness.successors[0].token)
    #expect(harness.successors.count == 8, "the room is used at once")
  }

  @Test("An edit behind the open items keeps them; an edit among them replaces those that no longer follow")
  func editsOfChain() throws {
    var (harness, streams) = try chain()
    let items = harness.items
    #expect(harness.decide(.remove(items[3].id)).engineCommands.isEmpty)
    let edit = harness.decide(.insert([Player.Item(uri: "file:///x")], after: items[1].id))
    #expect(edit.closed == [streams[1]] && edit.loads == ["file:///x"])
    let second = harness.decide(.insert([Player.Item(uri: "file:///y")], after: items[0].id))
    #expect(second.closed.first == streams[0] && second.loads == ["file:///y"])
  }

  @Test("If the last open item fails, the items before it play to their ends, and then it is opened again")
  func failure() throws {
    var (harness, streams) = try chain()
    let third = try harness.requireOffer(after: streams[1]).stream
    let failure = PlayerError(code: .notMedia, message: "")
    #expect(harness.report(.stream(third, .failed(failure))).closed == [third])
    for stream in streams { #expect(harness.enterNext(stream).events.count == 2) }
    #expect(harness.current == harness.items[2])
    #expect(harness.successors.map(\.item) == [harness.items[3]], "it is tried again beside the item before it")
    harness.report(.stream(harness.successors[0].token, .failed(failure)))
    #expect(harness.successors.isEmpty && harness.end().loads == ["file:///3"])
  }

  // MARK: Items without a sample

  @Test("If a later item is audible, the items before it lack samples, and each begins and ends with it")
  func withoutSamples() throws {
    var harness = MachineHarness(4)
    harness.start()
    harness.advance(.seconds(10))
    let empty = try harness.prepareNext(duration: 0)
    let next = try harness.requireOffer(after: empty).stream
    harness.settleNext(next)
    #expect(
      harness.enterNext(next).events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
        .itemDidPlayToEnd(harness.items[1]), .currentItemChanged(from: harness.items[1], to: harness.items[2]),
      ])
    #expect(harness.token == next && harness.violations.isEmpty)
  }

  @Test("The end of a last item without samples ends it and the current item")
  func lastWithoutSamples() throws {
    var harness = MachineHarness(2)
    harness.start()
    harness.advance(.seconds(10))
    let empty = try harness.prepareNext(duration: 0)
    harness.end()
    #expect(
      harness.report(.stream(empty, .ended(at: nil))).events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
        .itemDidPlayToEnd(harness.items[1]), .queueEnded,
      ])
  }

  // MARK: Items that are late

  @Test("A next item that is not audible within the load time-out after the end is opened again, and fails")
  func late() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireOffer().stream
    harness.advance(.seconds(1))
    harness.end()
    #expect(harness.advance(.milliseconds(9_900)).events.isEmpty)
    let effects = harness.advance(.milliseconds(100))
    #expect(effects.events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(effects.closed.contains(next) && effects.loads == ["file:///1"])
    #expect(harness.current == harness.items[1])
    #expect(harness.advance(.seconds(10)).events.contains { if case .itemFailed = $0 { true } else { false } })
    #expect(harness.current == harness.items[2])
  }

  @Test("After a suspension, an item that has ended is not measured when it is closed")
  func lateAfterSuspension() throws {
    var (harness, _) = try harness(in: .opening)
    let stream = harness.token
    harness.advance(.seconds(2))
    harness.end()
    harness.report(.audible(stream, at: .seconds(10)))
    harness.now = harness.now + .seconds(60)
    let effects = harness.decide(.wake)
    #expect(effects.closed.contains(stream) && effects.loads == ["file:///1"])
    #expect(!effects.engineCommands.contains(.samplePosition(of: stream)))
  }

  @Test("A pause does not count towards the load time-out of the next item")
  func latePause() throws {
    var harness = MachineHarness(configuration: Player.Configuration(loadTimeout: .seconds(2)))
    harness.start()
    harness.advance(.seconds(10))
    _ = try harness.requireOffer()
    harness.end()
    _ = harness.pause()
    harness.advance(.seconds(4))
    harness.decide(.play)
    #expect(harness.advance(.milliseconds(1_900)).events.isEmpty)
    #expect(harness.advance(.milliseconds(100)).loads == ["file:///1"])
  }

  @Test("A buffering message from the next item restarts its load time-out, up to twice its length", arguments: [1, 2])
  func lateBuffering(messages: Int) throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(10))
    let next = try harness.requireOffer().stream
    harness.end()
    for _ in 0..<messages {
      harness.advance(.seconds(9))
      harness.report(.stream(next, .buffering(percent: 3, StreamProgress())))
    }
    #expect(harness.advance(.milliseconds(messages == 1 ? 9_900 : 1_900)).loads.isEmpty)
    #expect(harness.advance(.milliseconds(100)).loads == ["file:///1"])
  }

  @Test("A failure of the next item after the end of the current one begins its own attempt at once")
  func failureAfterEnd() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(10))
    let next = try harness.requireOffer().stream
    harness.end()
    let effects = harness.report(.stream(next, .failed(PlayerError(code: .corrupt, message: "x"))))
    #expect(effects.events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(effects.loads == ["file:///1"] && harness.current == harness.items[1])
  }

  @Test("If no end follows the last sample, the current item ends at most 4.5 s after it")
  func noEnd() throws {
    for duration in [10.0, nil] {
      var harness = MachineHarness()
      harness.start(duration: duration)
      harness.advance(.seconds(9))
      _ = try harness.prepareNext()
      harness.runOut(at: 10)
      #expect(harness.advance(.milliseconds(3_900), upTo: 10, data: 10).events.isEmpty)
      let effects = harness.advance(.milliseconds(1_700), upTo: 10, data: 10)
      #expect(effects.events.contains(.itemDidPlayToEnd(harness.items[0])))
      #expect(effects.loads == ["file:///1"])
    }
  }
}
