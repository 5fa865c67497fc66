import FoundationEssentials
import TestSupport
import Testing

@testable import Playback

@Suite("The chapter that play is in") struct ChapterWatchTests {
  private static let three = [Chapter(start: .zero), Chapter(start: .seconds(3)), Chapter(start: .seconds(6))]

  private func bench(_ count: Int = 1, isFollowed: Bool = true, loop: LoopMode = .none) -> ObserverBench {
    var bench = ObserverBench(count, loop: loop)
    bench.watch.isFollowed = isFollowed
    return bench
  }

  /// The current item turns out to have chapters.
  private func tell(_ chapters: [Chapter], _ bench: inout ObserverBench) {
    bench.step { $0.step { machine, _ in machine.chaptersChanged(machine.token, chapters) } }
  }

  /// The chapters told, by number; -1 for none.
  private func told(_ bench: ObserverBench) -> [Int] {
    bench.told.compactMap { if case .event(.chapterChanged(_, let index, _)) = $0 { index ?? -1 } else { nil } }
  }

  @Test(
    "It is the innermost that has begun and not ended",
    arguments: [
      (0.0, nil), (0.9, nil), (1, 0), (1.5, 0), (2, 1), (2.9, 1), (3, 0), (4, 2), (5, 2), (5.9, 2), (6, nil), (7, 3),
      (9.9, 3), (10, 3),
    ] as [(Double, Int?)])
  func index(position: Double, expected: Int?) {
    let chapters = [(1.0, 3.0), (2, 1), (4, 2), (7, 3)].map {
      Chapter(start: .seconds($0.0), duration: .seconds($0.1))
    }
    #expect(chapters.index(at: .seconds(position), of: .seconds(10)) == expected)
    #expect([Chapter]().index(at: .seconds(position), of: .seconds(10)) == nil)
  }

  @Test("Each is told as play enters it, the first as soon as it is known, the last until the end")
  func play() {
    var bench = bench()
    bench.start()
    bench.pass(0.2)
    #expect(told(bench).isEmpty)
    tell(Self.three, &bench)
    #expect(told(bench) == [0])
    bench.pass(2.7)
    #expect(told(bench) == [0])
    bench.pass(0.2)
    #expect(told(bench) == [0, 1])
    bench.pass(7)
    bench.step { $0.end() }
    let item = bench.bench.items[0]
    #expect(told(bench) == [0, 1, 2])
    #expect(
      bench.told.contains(
        .event(.chapterChanged(item, index: 1, Chapter(start: .seconds(3), duration: .seconds(3))))))
  }

  @Test("One timer waits for the next, and none when nobody hears of it or nothing moves")
  func wakes() {
    var followed = bench()
    followed.start()
    tell(Self.three, &followed)
    #expect(followed.nextWake == followed.bench.now + .seconds(3) + .microseconds(1))
    followed.pass(7)
    #expect(followed.nextWake == nil)
    followed.seek(1)
    #expect(followed.nextWake != nil)
    followed.step { _ = $0.pause() }
    #expect(followed.nextWake == nil)

    var ignored = bench(isFollowed: false)
    ignored.start()
    tell(Self.three, &ignored)
    #expect(ignored.nextWake == nil)
    ignored.pass(4)
    #expect(told(ignored).isEmpty)
    // Who comes now is told of the next.
    ignored.step { _ in }
    ignored.watch.isFollowed = true
    ignored.step { _ in }
    #expect(told(ignored).isEmpty)
    ignored.pass(3)
    #expect(told(ignored) == [2])
  }

  @Test("A seek into another is told once, when it is done, after the jump; one within the same is not")
  func seeks() {
    var bench = bench()
    bench.start()
    tell(Self.three, &bench)
    bench.step { _ = $0.seek(7) }
    bench.step { _ = $0.seek(4) }
    #expect(told(bench) == [0])
    for _ in 0..<2 { bench.step { $0.settle() } }
    bench.step { $0.run() }
    #expect(told(bench) == [0, 1])
    let events = bench.told.compactMap { if case .event(let event) = $0 { event } else { nil } }
    let jump = events.lastIndex { if case .timeJumped = $0 { true } else { false } }
    let chapter = events.lastIndex { if case .chapterChanged = $0 { true } else { false } }
    #expect(jump.flatMap { jump in chapter.map { jump < $0 } } == true)
    bench.seek(5)
    #expect(told(bench) == [0, 1])
    bench.step { _ = $0.pause() }
    bench.seek(0.5)
    #expect(told(bench) == [0, 1, 0])
  }

  @Test(
    "Play that goes on from a start and is measured a little before it does not go back", arguments: [0.0, 1e-9, 0.02])
  func measuredBefore(lag: Double) {
    var bench = bench()
    bench.start()
    tell(Self.three, &bench)
    bench.step { _ = $0.seek(3) }
    bench.step { $0.settle() }
    bench.step { $0.run(measured: 3 - lag) }
    bench.pass(1)
    #expect(told(bench) == [0, 1])
  }

  @Test("What lies between two is none, and told so")
  func gaps() {
    var bench = bench()
    bench.start()
    tell([(1.0, 1.0), (4, 2)].map { Chapter(start: .seconds($0.0), duration: .seconds($0.1)) }, &bench)
    bench.pass(9)
    #expect(told(bench) == [0, -1, 1, -1])
  }

  @Test("Another item begins with its own, after the news that it is current; one without has no news")
  func items() throws {
    var bench = bench(3)
    bench.start()
    tell(Self.three, &bench)
    bench.pass(9)
    let stream = try bench.bench.takeOffer().stream
    bench.step { $0.startNext(stream, in: 1) }
    bench.step { $0.step { machine, _ in machine.chaptersChanged(stream, Self.three) } }
    bench.forget()
    bench.pass(1.5)
    let items = bench.bench.items
    let first = Chapter(start: .zero, duration: .seconds(3))
    #expect(
      bench.told == [
        .event(.itemDidPlayToEnd(items[0])), .event(.currentItemChanged(from: items[0], to: items[1])),
        .event(.chapterChanged(items[1], index: 0, first)),
      ])
    bench.forget()
    bench.step { _ = $0.next() }
    bench.step { $0.settle() }
    bench.step { $0.run() }
    bench.pass(5)
    #expect(told(bench).isEmpty)
  }

  @Test("A loop begins with the first again, and so does play after a stop, which itself is none")
  func again() {
    var bench = bench(loop: .track)
    bench.start()
    tell(Self.three, &bench)
    bench.pass(10)
    bench.step { $0.end() }
    bench.step { $0.settle() }
    bench.step { $0.run() }
    bench.pass(1)
    #expect(told(bench) == [0, 1, 2, 0])
    bench.step { _ = $0.stop() }
    #expect(told(bench) == [0, 1, 2, 0])
    bench.start()
    #expect(told(bench) == [0, 1, 2, 0, 0])
  }

  @Test("Of all that passed while the process stood, the one that play is in is told")
  func stood() {
    for isAhead in [true, false] {
      var bench = bench()
      bench.start(duration: 100)
      tell((0..<10).map { Chapter(start: .seconds($0 * 10)) }, &bench)
      bench.pass(1)
      bench.stand(60)
      bench.pass(0.01)
      #expect(told(bench) == [0])
      if isAhead {
        bench.measure()
      } else {
        bench.step { $0.step { $0.sampled($0.token, position: .seconds(1), now: $1) } }
      }
      bench.pass(0.01)
      #expect(told(bench) == (isAhead ? [0, 6] : [0]))
    }
  }
}
