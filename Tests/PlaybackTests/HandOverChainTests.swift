import Testing

@testable import Playback

@Suite("A chain of short items in the hand-over") struct HandOverChainTests {
  private func offer(_ bench: inout Bench, after stream: StreamToken) throws -> NextStream {
    var offer: NextStream?
    bench.step { offer = $0.offerNext(for: stream, now: $1) }
    return try #require(offer)
  }

  /// Item 0 has 0.4 s to play, and items 1 and 2, of 0.3 s each, are at the output already.
  private func chain(loop: LoopMode = .none) throws -> (bench: Bench, streams: [StreamToken]) {
    var bench = Bench(4, loop: loop)
    bench.start(duration: 1)
    bench.pass(.milliseconds(600))
    let first = try offer(&bench, after: bench.token).stream
    let second = try offer(&bench, after: first).stream
    bench.startNext(first, in: 0.4, duration: 0.3)
    bench.startNext(second, in: 0.7, duration: 0.3)
    return (bench, [first, second])
  }

  @Test("Each successor is asked for while an item before it is heard, and becomes current when it is heard itself")
  func inOrder() throws {
    var (bench, streams) = try chain()
    #expect(try offer(&bench, after: streams[1]).uri == "file:///3")
    #expect(bench.current == bench.items[0])
    bench.pass(.milliseconds(399))
    #expect(bench.position == .milliseconds(999))
    for index in 1...2 {
      let change = bench.pass(.milliseconds(index == 1 ? 1 : 300))
      #expect(
        change.events == [
          .itemDidPlayToEnd(bench.items[index - 1]),
          .currentItemChanged(from: bench.items[index - 1], to: bench.items[index]),
        ])
      #expect(bench.token == streams[index - 1])
      #expect(bench.position == .zero)
      #expect(bench.snapshot.duration == .milliseconds(300))
    }
    bench.pass(.milliseconds(200))
    #expect(bench.position == .milliseconds(200))
    #expect(bench.effects.loads.count == 1)
  }

  @Test("A stream is not asked twice for what follows it, and only the last one read is")
  func onceEach() throws {
    let (bench, streams) = try chain()
    for stream in [bench.token, streams[0]] {
      var bench = bench
      var offer: NextStream?
      bench.step { offer = $0.offerNext(for: stream, now: $1) }
      #expect(offer == nil)
    }
  }

  @Test("A pause holds what remains of each, and play goes on with it")
  func pause() throws {
    var (bench, streams) = try chain()
    bench.pass(.milliseconds(100))
    _ = bench.pause()
    #expect(bench.pass(.seconds(3)).events.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
    bench.step { $0.running(streams[1], position: .milliseconds(10), now: $1) }
    #expect(bench.position == .milliseconds(700))
    #expect(bench.pass(.milliseconds(599)).events.count == 2)
    #expect(bench.current == bench.items[1])
    #expect(bench.pass(.milliseconds(1)).events.count == 2)
    #expect(bench.current == bench.items[2])
  }

  @Test("A seek goes back into the item that is heard")
  func seek() throws {
    var (bench, _) = try chain()
    bench.pass(.milliseconds(500))
    #expect(bench.current == bench.items[1])
    #expect(bench.seek(0.2).loads == ["file:///1"])
    #expect(bench.machine.loaded.handOver.isEmpty)
    #expect(bench.position == .milliseconds(200))
  }

  @Test("An edit behind the chain keeps it, and one within it ends the chain before what no longer follows")
  func edits() throws {
    var (bench, streams) = try chain()
    let items = bench.items
    #expect(bench.step { $0.remove(items[3].id, now: $1) }.orders.isEmpty)
    let edit = bench.step { $0.insert([PlayerItem(uri: "file:///x")], after: items[1].id, now: $1) }
    #expect(edit.orders == [.withdraw(streams[1])])
    #expect(bench.pass(.milliseconds(699)).loads.isEmpty)
    #expect(bench.current == items[1])
    #expect(bench.pass(.milliseconds(1)).loads == ["file:///x"])
  }

  @Test("A second edit may end the chain earlier")
  func secondEdit() throws {
    var (bench, streams) = try chain()
    let items = bench.items
    bench.step { $0.insert([PlayerItem(uri: "file:///x")], after: items[1].id, now: $1) }
    let edit = bench.step { $0.insert([PlayerItem(uri: "file:///y")], after: items[0].id, now: $1) }
    #expect(edit.orders == [.withdraw(streams[0])])
    #expect(bench.pass(.milliseconds(400)).loads == ["file:///y"])
  }

  @Test("The last of a chain fails: those before it play out, and its failure comes in its turn")
  func failure() throws {
    var (bench, streams) = try chain()
    let third = try offer(&bench, after: streams[1]).stream
    #expect(bench.step { $0.failed(third, PlayerError(.notMedia, ""), now: $1) } == [.command(.withdraw(third))])
    #expect(bench.pass(.milliseconds(700)).events.count == 4)
    #expect(bench.current == bench.items[2])
    bench.pass(.milliseconds(400))
    let end = bench.end()
    #expect(
      end.events == [
        .itemDidPlayToEnd(bench.items[2]), .currentItemChanged(from: bench.items[2], to: bench.items[3]),
      ])
    #expect(end.loads == ["file:///3"])
  }

  @Test("A looped item is its own successor as often as it is asked for")
  func loop() throws {
    var (bench, _) = try chain(loop: .track)
    let repetitions = bench.pass(.seconds(0.7)).events.filter { if case .itemRepeated = $0 { true } else { false } }
    #expect(repetitions == [.itemRepeated(bench.items[0], loopCount: 1), .itemRepeated(bench.items[0], loopCount: 2)])
    #expect(bench.current == bench.items[0])
    #expect(bench.effects.loads.count == 1)
  }

  @Test("The end of the stream ends each successor whose start was not noticed in time")
  func end() throws {
    var (bench, streams) = try chain()
    bench.now = bench.now + .seconds(5)
    let events = bench.step { $0.endOfStream(streams[1], now: $1) }.events
    #expect(events.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }.count == 3)
    #expect(bench.current == bench.items[3])
  }
}
