import Testing

@testable import GstPlayer

@Suite("Items that are parts of their media: what is asked of the pipeline")
struct PartRuleTests {
  private func part(_ from: Double, _ to: Double?, of uri: String = "file:///a") -> PlayerItem {
    PlayerItem(uri: uri, hints: nil, start: .seconds(from), end: to.map { .seconds($0) })
  }

  /// A machine that plays these parts of a minute, the first of them.
  private func playing(_ parts: [PlayerItem], media: Double = 60) -> Bench {
    var bench = Bench(0)
    bench.step { $0.replaceQueue(with: parts, startingAt: 0, now: $1) }
    _ = bench.play()
    bench.settle(duration: media)
    if bench.machine.seek != nil { bench.settle(duration: media) }
    bench.run(measured: parts.first.map { Double($0.start.components.seconds) })
    return bench
  }

  @Test("A part begins by a seek; where the next one meets it, play goes on and that one is current in its turn")
  func joined() {
    let parts = [part(5, 9), part(9, 12)]
    var bench = playing(parts)
    #expect(bench.effects.orders.contains(.seek(to: .seconds(5), rate: 1)))
    #expect(bench.snapshot.duration == .seconds(4))
    #expect(bench.position == .zero)
    let effects = bench.pass(.seconds(5))
    #expect(effects.events == [.itemDidPlayToEnd(parts[0]), .currentItemChanged(from: parts[0], to: parts[1])])
    #expect(effects.orders.allSatisfy { $0 == .samplePosition })
    #expect(bench.position == .seconds(1))
    #expect(bench.snapshot.duration == .seconds(3))
  }

  @Test("A part from the beginning that is met by the next one is played without any seek")
  func firstJoined() {
    let bench = playing([part(0, 9), part(9, nil)])
    #expect(!bench.effects.orders.contains { if case .seek = $0 { true } else { false } })
    #expect(bench.snapshot.duration == .seconds(9))
  }

  @Test(
    "Where the next one is elsewhere, the pipeline is told where to stop",
    arguments: [(9.5, 12.0, "file:///a"), (9, 12, "file:///b"), (0, 5, "file:///a")])
  func apart(from: Double, to: Double, uri: String) {
    var bench = playing([part(5, 9), part(from, to, of: uri)])
    #expect(bench.effects.orders.contains(.seek(to: .seconds(5), rate: 1, until: .seconds(9))))
    #expect(bench.pass(.seconds(6)).events.isEmpty)
    #expect(bench.end().loads == [uri])
  }

  @Test("A seek counts from the part's start, and ends with it")
  func seek() {
    var bench = playing([part(5, 9)])
    #expect(bench.seek(2).orders == [.seek(to: .seconds(7), rate: 1, until: .seconds(9))])
    bench.settle(duration: 60)
    #expect(bench.position == .seconds(2))
    #expect(bench.seek(100).orders == [.seek(to: .seconds(9), rate: 1, until: .seconds(9))])
  }

  @Test("At another speed the join comes at its time")
  func rate() {
    let parts = [part(5, 9), part(9, nil)]
    var bench = playing(parts)
    bench.step { $0.setRate(2, now: $1) }
    bench.settle(duration: 60)
    bench.run(measured: 5)
    #expect(bench.pass(.milliseconds(1900)).events.isEmpty)
    #expect(bench.pass(.milliseconds(200)).events.contains(.currentItemChanged(from: parts[0], to: parts[1])))
    #expect(bench.position == .milliseconds(200))
  }

  @Test("A looped part repeats from its start")
  func loop() {
    var bench = Bench(0)
    bench.step { $0.replaceQueue(with: [part(5, 9), part(9, 12)], startingAt: 0, now: $1) }
    bench.machine.queue.loop = .track
    _ = bench.play()
    bench.settle(duration: 60)
    #expect(bench.lastEffects.orders.contains(.seek(to: .seconds(5), rate: 1, until: .seconds(9))))
    bench.settle(duration: 60)
    bench.run(measured: 5)
    #expect(bench.end().orders == [.seek(to: .seconds(5), rate: 1, until: .seconds(9))])
  }

  @Test("A loop that is set while the next one was to follow still ends the part at its end")
  func loopLater() {
    let parts = [part(5, 9), part(9, 12)]
    var bench = playing(parts)
    bench.step { $0.editQueue(now: $1) { $0.loop = .track } }
    let effects = bench.pass(.milliseconds(4100))
    #expect(effects.events == [.itemDidPlayToEnd(parts[0]), .itemRepeated(parts[0], loopCount: 1)])
    #expect(effects.orders.contains(.seek(to: .seconds(5), rate: 1, until: .seconds(9))))
  }

  @Test("Parts so short that the media ended before them have ended, each in its turn")
  func unnoticed() {
    let parts = [part(0, 59.99), part(59.99, nil)]
    var bench = playing(parts)
    bench.pass(.milliseconds(59_950))
    #expect(bench.current == parts[0])
    let effects = bench.end()
    #expect(
      effects.events == [
        .itemDidPlayToEnd(parts[0]), .currentItemChanged(from: parts[0], to: parts[1]), .itemDidPlayToEnd(parts[1]),
        .queueEnded,
      ])
  }

  @Test("After the process has stood for long, a measurement tells whether the end was reached")
  func doubt() {
    let parts = [part(0, 30), part(30, nil)]
    var bench = playing(parts)
    bench.pass(.seconds(10))
    bench.now = bench.now + .seconds(600)
    #expect(bench.step { $0.wake(now: $1) }.orders == [.samplePosition])
    bench.step { $0.sampled($0.token, position: .seconds(12), now: $1) }
    #expect(bench.current == parts[0])
    #expect(bench.position == .seconds(12))
    bench.pass(.seconds(19))
    #expect(bench.current == parts[1])
  }

  @Test("A part that begins behind its media's end, or cannot be reached, fails, and a waiting seek is answered")
  func misplaced() {
    for (media, isSeekable, code) in [(4.0, true, PlayerError.Code.corrupt), (60, false, .unknown)] {
      var bench = Bench(0)
      let parts = [part(5, 9)]
      bench.step { $0.replaceQueue(with: parts, startingAt: 0, now: $1) }
      _ = bench.play()
      _ = bench.seek(1, ticket: 1)
      let events = bench.settle(duration: media, isSeekable: isSeekable).events
      #expect(bench.effects.finished == [1: [false]])
      let codes = events.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }
      #expect(codes == [code])
    }
  }

  @Test("What follows the last part is handed over; what must be sought or stopped first is not")
  func offers() throws {
    let whole = PlayerItem(uri: "file:///b")
    var bench = playing([part(5, nil), whole])
    #expect(try bench.takeOffer().uri == "file:///b")
    bench = playing([part(5, nil), part(0, 9, of: "file:///b"), part(9, nil, of: "file:///b")])
    #expect(try bench.takeOffer().uri == "file:///b")
    for next in [part(5, nil, of: "file:///b"), part(0, 9, of: "file:///b")] {
      var bench = playing([part(5, nil), next])
      let offer = bench.offer()
      #expect(offer == nil)
    }
  }

  @Test("After a hand-over into a sheet, its parts follow each other")
  func handOver() throws {
    let parts = [PlayerItem(uri: "file:///b"), part(0, 9), part(9, nil)]
    var bench = playing(parts)
    let next = try bench.takeOffer()
    bench.startNext(next.stream, in: 1, duration: 20)
    bench.pass(.seconds(2))
    #expect(bench.current == parts[1])
    #expect(bench.snapshot.duration == .seconds(9))
    bench.pass(.seconds(9))
    #expect(bench.current == parts[2])
    #expect(bench.snapshot.duration == .seconds(11))
    #expect(bench.position == .seconds(1))
  }
}
