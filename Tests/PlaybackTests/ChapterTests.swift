import Testing

@testable import Playback

@Suite("Chapters")
struct ChapterTests {
  @Test("Chapters are sorted by start; chapters with the same start keep the order of the item")
  func order() {
    let chapters = [Chapter(start: .seconds(5), title: "b"), Chapter(start: .zero, title: "a")]
    #expect(Chapter.ordered(chapters, end: nil).map(\.title) == ["a", "b"])
    let same = (0..<100).map { Chapter(start: .zero, title: "\($0)") }
    #expect(Chapter.ordered(same, end: nil) == same)
  }

  @Test("A chapter ends at its own end, else at the start of a later chapter, else with the item")
  func ends() {
    let chapters = [
      Chapter(start: .zero, title: "part"), Chapter(start: .zero, title: "first in it"),
      Chapter(start: .seconds(2), duration: .seconds(1)), Chapter(start: .seconds(4)),
    ]
    let closed = Chapter.ordered(chapters, end: .seconds(10))
    #expect(closed.map(\.end) == [.seconds(2), .seconds(2), .seconds(3), .seconds(10)])
    #expect(Chapter.ordered(chapters, end: nil).last?.end == nil)
    #expect(Chapter.ordered(chapters, end: .seconds(3)).last?.end == nil, "the item is shorter than its chapters say")
  }

  @Test("The last chapter ends with the item as soon as the item's duration is known")
  func lateDuration() {
    var harness = MachineHarness()
    harness.start(duration: nil)
    let news = harness.report(.stream(harness.token, .chapters([Chapter(start: .zero)])))
    #expect(news.hasChanged)
    #expect(harness.snapshot.chapters == [Chapter(start: .zero)])
    harness.report(.stream(harness.token, .durationChanged(.seconds(8))))
    #expect(harness.snapshot.chapters == [Chapter(start: .zero, duration: .seconds(8))])
  }

  @Test("Receiving the same chapters again is not a change")
  func repetition() {
    var harness = MachineHarness()
    harness.start()
    let marks = [Chapter(start: .zero, title: "One")]
    harness.report(.stream(harness.token, .chapters(marks)))
    #expect(harness.report(.stream(harness.token, .chapters(marks))).isEmpty)
  }

  @Test("Of more chapters than the limit, the first are kept, and one warning names the limit")
  func excess() {
    var harness = MachineHarness()
    harness.start()
    let marks = (0...Chapter.limit).map { Chapter(start: .milliseconds(Int64($0))) }
    harness.report(.stream(harness.token, .chapters(Array(marks.dropLast()))))
    #expect(!harness.effects.events.contains { if case .warning = $0 { true } else { false } })
    harness.report(.stream(harness.token, .chapters(marks)))
    #expect(harness.snapshot.chapters.count == Chapter.limit)
    harness.report(.stream(harness.token, .chapters(marks)))
    harness.report(.stream(harness.token, .tags(MediaMetadata(), about: .item)))
    let warnings = harness.effects.events.filter { if case .warning = $0 { true } else { false } }
    #expect(warnings == [.warning("only the first 10000 chapters are kept", of: harness.items[0])])
  }

  @Test("A title of more than 1 KiB is cut, and one warning names the limit")
  func longTitle() {
    var harness = MachineHarness()
    harness.start()
    let mark = Chapter(start: .zero, title: String(repeating: "a", count: 1_025))
    harness.report(.stream(harness.token, .chapters([mark])))
    #expect(harness.snapshot.chapters.first?.title?.utf8.count == 1_024)
    harness.report(.stream(harness.token, .chapters([mark, Chapter(start: .seconds(1))])))
    #expect(
      harness.effects.events == [.warning("only the first KiB of a chapter's title is kept", of: harness.items[0])])
  }

  @Test("A part that the engine has left out is reported with its item")
  func leftOut() {
    var harness = MachineHarness()
    harness.start()
    let effects = harness.report(.stream(harness.token, .leftOut("a picture is left out")))
    #expect(effects.events == [.warning("a picture is left out", of: harness.items[0])])
  }

  @Test("The chapters of the next item are published only when that item becomes current")
  func nextItem() throws {
    var harness = MachineHarness()
    harness.start()
    harness.report(.stream(harness.token, .chapters([Chapter(start: .zero, title: "A")])))
    let next = try harness.requireOffer()
    let early = harness.report(.stream(next.stream, .chapters([Chapter(start: .zero, title: "B")])))
    #expect(early.isEmpty)
    #expect(harness.snapshot.chapters.map(\.title) == ["A"])
    harness.settleNext(next.stream)
    #expect(harness.snapshot.chapters.map(\.title) == ["A"])
    harness.enterNext(next.stream)
    #expect(harness.current == harness.items[1])
    #expect(harness.snapshot.chapters.map(\.title) == ["B"])
    _ = harness.next()
    #expect(harness.snapshot.chapters.isEmpty)
  }

  @Test("The next item does not get the chapters of its media if it plays a part of it")
  func gaplessClip() throws {
    var harness = MachineHarness(1)
    harness.start()
    let clips = [0, 20].map { start in
      Player.Item(
        uri: "file:///clips", externalMetadata: nil, start: .seconds(start), end: .seconds(start + 20))
    }
    let first = harness.items[0].id
    harness.decide(.insert(clips, after: first))
    let next = try harness.requireOffer()
    harness.report(.stream(next.stream, .chapters([Chapter(start: .zero, title: "Media")])))
    harness.settleNext(next.stream, duration: 40)
    harness.enterNext(next.stream)
    #expect(harness.current == clips[0])
    #expect(harness.snapshot.chapters.isEmpty)
  }
}
