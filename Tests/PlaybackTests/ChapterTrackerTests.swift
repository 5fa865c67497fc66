import FoundationEssentials
import TestSupport
import Testing

@testable import Playback

@Suite("Current chapter") struct ChapterTrackerTests {
  private static let three = [Chapter(start: .zero), Chapter(start: .seconds(3)), Chapter(start: .seconds(6))]

  private func harness(_ count: Int = 1, isFollowed: Bool = true, loop: Player.LoopMode = .none) -> ObserverHarness {
    var harness = ObserverHarness(count, loop: loop)
    harness.watch.followsChapters = isFollowed
    return harness
  }

  /// Reports the chapters of the current item.
  private func emit(_ chapters: [Chapter], _ harness: inout ObserverHarness) {
    harness.step { $0.report(.stream($0.token, .chapters(chapters))) }
  }

  /// Returns the indices of the reported chapters; -1 for none.
  private func reported(_ harness: ObserverHarness) -> [Int] {
    harness.reported.compactMap {
      if case .event(.chapterChanged(_, let index, chapter: _)) = $0 { index ?? -1 } else { nil }
    }
  }

  @Test(
    "The current chapter is the innermost one that has begun and not ended",
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

  @Test("Each chapter is reported when playback enters it, and the first as soon as it is known")
  func play() {
    var harness = harness()
    harness.start()
    harness.advance(0.2)
    #expect(reported(harness).isEmpty)
    emit(Self.three, &harness)
    #expect(reported(harness) == [0])
    harness.advance(2.7)
    #expect(reported(harness) == [0])
    harness.advance(0.2)
    #expect(reported(harness) == [0, 1])
    harness.advance(7)
    harness.step { $0.end() }
    let item = harness.harness.items[0]
    #expect(reported(harness) == [0, 1, 2])
    #expect(
      harness.reported.contains(
        .event(.chapterChanged(item, index: 1, chapter: Chapter(start: .seconds(3), duration: .seconds(3))))))
  }

  @Test("One timer is set for the next chapter, and none without observers or while playback stands")
  func wakes() {
    var followed = harness()
    followed.start()
    emit(Self.three, &followed)
    #expect(followed.nextWake == followed.harness.now + .seconds(3) + .microseconds(1))
    followed.advance(7)
    #expect(followed.nextWake == nil)
    followed.seek(1)
    #expect(followed.nextWake != nil)
    followed.step { _ = $0.pause() }
    #expect(followed.nextWake == nil)

    var ignored = harness(isFollowed: false)
    ignored.start()
    emit(Self.three, &ignored)
    #expect(ignored.nextWake == nil)
    ignored.advance(4)
    #expect(reported(ignored).isEmpty)
    // An observer that is added now receives the next chapter.
    ignored.step { _ in }
    ignored.watch.followsChapters = true
    ignored.step { _ in }
    #expect(reported(ignored).isEmpty)
    ignored.advance(3)
    #expect(reported(ignored) == [2])
  }

  @Test("A seek into another chapter reports it once, after the time jump; a seek within a chapter reports none")
  func seeks() {
    var harness = harness()
    harness.start()
    emit(Self.three, &harness)
    harness.step { _ = $0.seek(7) }
    harness.step { _ = $0.seek(4) }
    #expect(reported(harness) == [0])
    for _ in 0..<2 { harness.step { $0.settle() } }
    harness.step { $0.run() }
    #expect(reported(harness) == [0, 1])
    let events = harness.reported.compactMap { if case .event(let event) = $0 { event } else { nil } }
    let jump = events.lastIndex { if case .timeJumped = $0 { true } else { false } }
    let chapter = events.lastIndex { if case .chapterChanged = $0 { true } else { false } }
    #expect(jump.flatMap { jump in chapter.map { jump < $0 } } == true)
    harness.seek(5)
    #expect(reported(harness) == [0, 1])
    harness.step { _ = $0.pause() }
    harness.seek(0.5)
    #expect(reported(harness) == [0, 1, 0])
  }

  @Test(
    "Playback measured slightly before the start of a chapter stays in that chapter", arguments: [0.0, 1e-9, 0.02])
  func measuredBefore(lag: Double) {
    var harness = harness()
    harness.start()
    emit(Self.three, &harness)
    harness.step { _ = $0.seek(3) }
    harness.step { $0.settle() }
    harness.step { $0.run(measured: 3 - lag) }
    harness.advance(1)
    #expect(reported(harness) == [0, 1])
  }

  @Test("After a stall at the start of a chapter, playback that resumes slightly before it stays in that chapter")
  func resumedBefore() {
    var harness = harness()
    harness.harness = MachineHarness(1, scheme: "http")
    harness.start()
    emit(Self.three, &harness)
    harness.advance(3.01)
    harness.step { $0.buffer(40) }
    harness.step { $0.buffer(100) }
    harness.step { $0.run(measured: 2.98) }
    #expect(harness.harness.position == .milliseconds(2_980))
    harness.advance(1)
    #expect(reported(harness) == [0, 1])
  }

  @Test("A gap between chapters is reported as no chapter")
  func gaps() {
    var harness = harness()
    harness.start()
    emit([(1.0, 1.0), (4, 2)].map { Chapter(start: .seconds($0.0), duration: .seconds($0.1)) }, &harness)
    harness.advance(9)
    #expect(reported(harness) == [0, -1, 1, -1])
  }

  @Test("The first chapter of the next item is reported after the item change; without chapters nothing is reported")
  func items() throws {
    var harness = harness(3)
    harness.start()
    emit(Self.three, &harness)
    harness.advance(9)
    let stream = try harness.harness.requireOffer().stream
    harness.step { $0.settleNext(stream) }
    harness.step { $0.report(.stream(stream, .chapters(Self.three))) }
    harness.forget()
    harness.advance(1)
    #expect(harness.reported.isEmpty)
    harness.step { $0.enterNext(stream) }
    harness.advance(0.5)
    let items = harness.harness.items
    let first = Chapter(start: .zero, duration: .seconds(3))
    #expect(
      harness.reported == [
        .event(.itemDidPlayToEnd(items[0])), .event(.currentItemChanged(from: items[0], to: items[1])),
        .event(.chapterChanged(items[1], index: 0, chapter: first)),
      ])
    harness.forget()
    harness.step { _ = $0.next() }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.advance(5)
    #expect(reported(harness).isEmpty)
  }

  @Test("A repetition and a play after a stop report the first chapter again; the stop itself reports none")
  func again() {
    var harness = harness(loop: .track)
    harness.start()
    emit(Self.three, &harness)
    harness.advance(10)
    harness.step { $0.end() }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(reported(harness) == [0, 1, 2, 0])
    harness.step { _ = $0.stop() }
    #expect(reported(harness) == [0, 1, 2, 0])
    harness.start()
    #expect(reported(harness) == [0, 1, 2, 0, 0])
  }

  @Test("After a suspension of the process, only the current chapter is reported")
  func harnessAfterSuspension() {
    for isAhead in [true, false] {
      var harness = harness()
      harness.start(duration: 100)
      emit((0..<10).map { Chapter(start: .seconds($0 * 10)) }, &harness)
      harness.advance(1)
      harness.stand(60)
      harness.advance(0.01)
      #expect(reported(harness) == [0])
      if isAhead {
        harness.measure()
      } else {
        harness.step { $0.sample(.seconds(1)) }
      }
      harness.advance(0.01)
      #expect(reported(harness) == (isAhead ? [0, 6] : [0]))
    }
  }
}
