import Testing

@testable import Playback

@Suite("Gapless queue of several short items") struct GaplessQueueTests {
  private func offer(_ harness: inout MachineHarness, after stream: StreamToken) throws -> NextStream {
    let offer = harness.offer(after: stream)
    return try #require(offer)
  }

  /// Returns a harness in which item 0 has 0.4 s left to play and items 1 and 2, of 0.3 s each, are at the output.
  private func chain(loop: Player.LoopMode = .none) throws -> (harness: MachineHarness, streams: [StreamToken]) {
    var harness = MachineHarness(4, loop: loop)
    harness.start(duration: 1)
    harness.advance(.milliseconds(600))
    let first = try offer(&harness, after: harness.token).stream
    let second = try offer(&harness, after: first).stream
    harness.startNext(first, in: 0.4, duration: 0.3)
    harness.startNext(second, in: 0.7, duration: 0.3)
    return (harness, [first, second])
  }

  @Test("Each next item is requested while an earlier one plays, and becomes current when it becomes audible")
  func inOrder() throws {
    var (harness, streams) = try chain()
    #expect(try offer(&harness, after: streams[1]).uri == "file:///3")
    #expect(harness.current == harness.items[0])
    harness.advance(.milliseconds(399))
    #expect(harness.position == .milliseconds(999))
    for index in 1...2 {
      let change = harness.advance(.milliseconds(index == 1 ? 1 : 300))
      #expect(
        change.events == [
          .itemDidPlayToEnd(harness.items[index - 1]),
          .currentItemChanged(from: harness.items[index - 1], to: harness.items[index]),
        ])
      #expect(harness.token == streams[index - 1])
      #expect(harness.position == .zero)
      #expect(harness.snapshot.duration == .milliseconds(300))
    }
    harness.advance(.milliseconds(200))
    #expect(harness.position == .milliseconds(200))
    #expect(harness.effects.loads.count == 1)
  }

  @Test("The next item is requested once per stream, and only for the last stream read")
  func onceEach() throws {
    let (harness, streams) = try chain()
    for stream in [harness.token, streams[0]] {
      var harness = harness
      #expect(harness.offer(after: stream) == nil)
    }
  }

  @Test("A pause holds the remaining time of each item, and play resumes with it")
  func pause() throws {
    var (harness, streams) = try chain()
    harness.advance(.milliseconds(100))
    _ = harness.pause()
    #expect(harness.advance(.seconds(3)).events.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    harness.report(.running(streams[1], position: .milliseconds(10)))
    #expect(harness.position == .milliseconds(700))
    #expect(harness.advance(.milliseconds(599)).events.count == 2)
    #expect(harness.current == harness.items[1])
    #expect(harness.advance(.milliseconds(1)).events.count == 2)
    #expect(harness.current == harness.items[2])
  }

  @Test("A seek loads the audible item again")
  func seek() throws {
    var (harness, _) = try chain()
    harness.advance(.milliseconds(500))
    #expect(harness.current == harness.items[1])
    #expect(harness.seek(0.2).loads == ["file:///1"])
    #expect(harness.lastSuccessor == nil)
    #expect(harness.position == .milliseconds(200))
  }

  @Test("An edit behind the prerolled items keeps them; an edit among them withdraws those that no longer follow")
  func edits() throws {
    var (harness, streams) = try chain()
    let items = harness.items
    #expect(harness.decide(.remove(items[3].id)).engineCommands.isEmpty)
    let edit = harness.decide(.insert([Player.Item(uri: "file:///x")], after: items[1].id))
    #expect(edit.engineCommands == [.withdraw(streams[1])])
    #expect(harness.advance(.milliseconds(699)).loads.isEmpty)
    #expect(harness.current == items[1])
    #expect(harness.advance(.milliseconds(1)).loads == ["file:///x"])
  }

  @Test("A second edit can withdraw an earlier prerolled item")
  func secondEdit() throws {
    var (harness, streams) = try chain()
    let items = harness.items
    harness.decide(.insert([Player.Item(uri: "file:///x")], after: items[1].id))
    let edit = harness.decide(.insert([Player.Item(uri: "file:///y")], after: items[0].id))
    #expect(edit.engineCommands == [.withdraw(streams[0])])
    #expect(harness.advance(.milliseconds(400)).loads == ["file:///y"])
  }

  @Test("If the last prerolled item fails, the items before it play to their end, and then it is loaded again")
  func failure() throws {
    var (harness, streams) = try chain()
    let third = try offer(&harness, after: streams[1]).stream
    #expect(
      harness.report(.failed(third, PlayerError(code: .notMedia, message: ""))) == [
        .command(.withdraw(third))
      ])
    #expect(harness.advance(.milliseconds(700)).events.count == 4)
    #expect(harness.current == harness.items[2])
    harness.advance(.milliseconds(400))
    let end = harness.end()
    #expect(
      end.events == [
        .itemDidPlayToEnd(harness.items[2]), .currentItemChanged(from: harness.items[2], to: harness.items[3]),
      ])
    #expect(end.loads == ["file:///3"])
  }

  @Test("A looped item is offered as its own next item as often as requested")
  func loop() throws {
    var (harness, _) = try chain(loop: .track)
    let repetitions = harness.advance(.seconds(0.7)).events.filter {
      if case .itemRepeated = $0 { true } else { false }
    }
    #expect(
      repetitions == [.itemRepeated(harness.items[0], loopCount: 1), .itemRepeated(harness.items[0], loopCount: 2)])
    #expect(harness.current == harness.items[0])
    #expect(harness.effects.loads.count == 1)
  }

  @Test("The end of the stream also ends each item whose start was not noticed in time")
  func end() throws {
    var (harness, streams) = try chain()
    harness.now = harness.now + .seconds(5)
    let events = harness.report(.ended(streams[1])).events
    #expect(events.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }.count == 3)
    #expect(harness.current == harness.items[3])
  }
}
