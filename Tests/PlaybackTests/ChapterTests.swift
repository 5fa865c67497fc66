import Testing

@testable import Playback

@Suite("Chapters")
struct ChapterTests {
  @Test("Chapters are in the order of their starts, those that start together in the order of the item")
  func order() {
    let chapters = [Chapter(start: .seconds(5), title: "b"), Chapter(start: .zero, title: "a")]
    #expect(Chapter.ordered(chapters, end: nil).map(\.title) == ["a", "b"])
    let same = (0..<100).map { Chapter(start: .zero, title: "\($0)") }
    #expect(Chapter.ordered(same, end: nil) == same)
  }

  @Test("A chapter ends where it says, else where a later one starts, else with the item")
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
    var bench = Bench()
    bench.start(duration: nil)
    let news = bench.step { machine, _ in machine.chaptersChanged(machine.token, [Chapter(start: .zero)]) }
    #expect(news.isNews)
    #expect(bench.snapshot.chapters == [Chapter(start: .zero)])
    bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(8)) }
    #expect(bench.snapshot.chapters == [Chapter(start: .zero, duration: .seconds(8))])
  }

  @Test("The same chapters again are no news")
  func repetition() {
    var bench = Bench()
    bench.start()
    let marks = [Chapter(start: .zero, title: "One")]
    bench.step { machine, _ in machine.chaptersChanged(machine.token, marks) }
    #expect(bench.step { machine, _ in machine.chaptersChanged(machine.token, marks) }.isEmpty)
  }

  @Test("A successor's chapters are not shown before it is heard, and its predecessor's not afterwards")
  func handOver() throws {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.chaptersChanged(machine.token, [Chapter(start: .zero, title: "A")]) }
    let next = try bench.takeOffer()
    let early = bench.step { machine, _ in machine.chaptersChanged(next.stream, [Chapter(start: .zero, title: "B")]) }
    #expect(early.isEmpty)
    #expect(bench.snapshot.chapters.map(\.title) == ["A"])
    bench.startNext(next.stream, in: 1)
    bench.pass(.seconds(2))
    #expect(bench.current == bench.items[1])
    #expect(bench.snapshot.chapters.map(\.title) == ["B"])
    _ = bench.next()
    #expect(bench.snapshot.chapters.isEmpty)
  }
}
