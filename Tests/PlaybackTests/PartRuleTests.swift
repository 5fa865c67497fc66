import Testing

@testable import Playback

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
    if bench.machine.loaded.seek != nil { bench.settle(duration: media) }
    bench.run(measured: parts.first.map { Double($0.start.components.seconds) })
    return bench
  }

  @Test("A part begins by a seek; where the next one meets it, play goes on and that one is current in its turn")
  func joined() {
    let parts = [part(5, 9), part(9, 12)]
    var bench = playing(parts)
    #expect(bench.effects.orders.contains(.seek(to: .seconds(5), rate: 1, until: .seconds(12))))
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

  /// An edit after which the part from 5 to 9 s is not followed by the one from 9 to 12 s any more.
  struct Parting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What plays next.
    var order: @Sendable (Bench) -> EngineCommand?
    var apply: @Sendable (inout PlaybackMachine, [PlayerItem], MonotonicTime) -> Void

    static let all = [
      Parting(testDescription: "loop the part") { _ in
        .seek(to: .seconds(5), rate: 1, until: .seconds(9))
      } apply: { machine, _, now in
        machine.editQueue(now: now) { $0.loop = .track }
      },
      Parting(testDescription: "insert another item") {
        .load(uri: "file:///b", $0.token)
      } apply: {
        $0.insert([PlayerItem(uri: "file:///b")], after: $1[0].id, now: $2)
      },
      Parting(testDescription: "remove the next part") { _ in
        .unload
      } apply: {
        $0.remove($1[1].id, now: $2)
      },
      Parting(testDescription: "pause at the end") { _ in
        .setPlaying(false)
      } apply: { machine, _, now in
        machine.setActionAtItemEnd(.pause, now: now)
      },
    ]
  }

  @Test("An edit that parts what was joined has the output end the part exactly", arguments: Parting.all)
  func parted(edit: Parting) {
    let parts = [part(5, 9), part(9, 12)]
    var bench = playing(parts)
    #expect(bench.step { edit.apply(&$0, parts, $1) }.orders == [.endStream(bench.token, at: .seconds(9))])
    // The clock may be ahead of what is heard: the output tells the end.
    #expect(bench.pass(.milliseconds(4100)).events.isEmpty)
    let offer = bench.offer()
    #expect(offer == nil)
    let effects = bench.end()
    #expect(effects.events.first == .itemDidPlayToEnd(parts[0]))
    #expect(effects.orders == [edit.order(bench)].compactMap(\.self))
  }

  @Test("An edit that comes when samples beyond the end are in the output lets the clock end the part")
  func partedLate() {
    let parts = [part(5, 9), part(9, 12)]
    var bench = playing(parts)
    bench.step { $0.remove(parts[1].id, now: $1) }
    bench.step { machine, _ in machine.endMissed(machine.token) }
    #expect(bench.pass(.milliseconds(3999)).events.isEmpty)
    #expect(bench.pass(.milliseconds(1)).events == [.itemDidPlayToEnd(parts[0]), .queueEnded])
  }

  @Test("An edit that is taken back joins the parts again")
  func joinedAgain() {
    let parts = [part(5, 9), part(9, 12)]
    var bench = playing(parts)
    bench.step { $0.editQueue(now: $1) { $0.loop = .track } }
    let effects = bench.step { $0.editQueue(now: $1) { $0.loop = .none } }
    #expect(effects.orders == [.endStream(bench.token, at: nil)])
    #expect(bench.pass(.seconds(5)).events.contains(.currentItemChanged(from: parts[0], to: parts[1])))
  }

  @Test(
    "The pipeline stops exactly where the last of the joined parts ends, whatever follows",
    arguments: [nil, "file:///b", "file:///a"], [0.0, 5])
  func stops(next: String?, start: Double) {
    let parts = [part(start, 9), part(9, 12), part(12, 15)] + (next.map { [part(20, nil, of: $0)] } ?? [])
    var bench = playing(parts)
    #expect(bench.effects.orders.contains(.seek(to: .seconds(start), rate: 1, until: .seconds(15))))
    bench.pass(.seconds(15 - start - 0.1))
    #expect(bench.current == parts[2])
    #expect(bench.pass(.seconds(1)).events.isEmpty)
    let end = bench.end()
    #expect(end.events.first == .itemDidPlayToEnd(parts[2]))
    #expect(end.loads == [next].compactMap(\.self))
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

  @Test("A sheet that is handed over is ended by the output where its last part ends, and an edit moves that")
  func handedOverEnd() throws {
    let parts = [PlayerItem(uri: "file:///b"), part(0, 9), part(9, 12)]
    var bench = playing(parts)
    let next = try bench.takeOffer()
    #expect(next.end == .seconds(12))
    let edit = bench.step { $0.remove(parts[2].id, now: $1) }
    #expect(edit.orders == [.endStream(next.stream, at: .seconds(9))])
    bench.startNext(next.stream, in: 1, duration: 20)
    bench.pass(.seconds(2))
    #expect(bench.current == parts[1])
    let offer = bench.offer()
    #expect(offer == nil)
    #expect(bench.pass(.seconds(10)).events.isEmpty)
    #expect(bench.end().events == [.itemDidPlayToEnd(parts[1]), .queueEnded])
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
