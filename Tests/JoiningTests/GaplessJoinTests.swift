import Joining
import Playback
import Testing

@Suite("Gapless joins") struct GaplessJoinTests {
  @Test("Parts follow each other without a sample more or less", arguments: [1, 7, 1_000] as [Int64])
  func joins(step: Int64) {
    var harness = Harness()
    harness.plan([Part(1), Part(2), Part(3)])
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<33, ends: true)
    harness.decode(3, 0..<1, ends: true)
    #expect(harness.write(step: step) == .ended)
    #expect(harness.output == Harness.samples(1, 0..<100) + Harness.samples(2, 0..<33) + Harness.samples(3, 0..<1))
  }

  @Test("Decks may decode in any order")
  func order() {
    var harness = Harness()
    harness.plan([Part(1), Part(2), Part(3)])
    harness.decode(3, 0..<10, ends: true)
    harness.decode(2, 0..<10, ends: true)
    #expect(harness.write() == .waiting(Harness.passage(1)))
    harness.decode(1, 0..<10, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == (1...3).flatMap { Harness.samples($0, 0..<10) })
  }

  @Test("A range starts and ends at its exact samples")
  func ranges() {
    var harness = Harness()
    harness.plan([Part(1, from: 20, to: 50), Part(1, id: 2, from: 50, to: 60), Part(2, from: 5)])
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<10, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 20..<60) + Harness.samples(2, 5..<10))
  }

  @Test("A deck that ends before the end of its range is followed at once")
  func earlyEnd() {
    var harness = Harness()
    harness.plan([Part(1, to: 80), Part(2)])
    harness.decode(1, 0..<30, ends: true)
    harness.decode(2, 0..<10, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<30) + Harness.samples(2, 0..<10))
  }

  @Test("A late deck delays its part, and loses no sample")
  func late() {
    var harness = Harness()
    harness.plan([Part(1), Part(2)])
    harness.decode(1, 0..<30, ends: true)
    #expect(harness.write() == .waiting(Harness.passage(2)))
    #expect(harness.output == Harness.samples(1, 0..<30))
    harness.decode(2, 0..<5)
    #expect(harness.write() == .waiting(Harness.passage(2)))
    harness.decode(2, 5..<9, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<30) + Harness.samples(2, 0..<9))
  }

  @Test("Media without samples is passed over, and reported")
  func empty() {
    var harness = Harness()
    harness.plan([Part(1), Part(2), Part(3)])
    harness.decode(1, 0..<3, ends: true)
    harness.joiner.finish(Harness.passage(2))
    harness.decode(3, 0..<3, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<3) + Harness.samples(3, 0..<3))
    let events = harness.joiner.heard(6)
    #expect(
      events == [
        .began(Part.ID(1), at: .zero), .ended(Part.ID(1), at: .milliseconds(3)), .began(Part.ID(2), at: .zero),
        .ended(Part.ID(2), at: .zero), .began(Part.ID(3), at: .zero), .ended(Part.ID(3), at: .milliseconds(3)),
      ])
  }

  @Test("A part that begins at the end of its media has ended there")
  func nothingLeft() {
    var harness = Harness()
    harness.plan([Part(1, from: 500)])
    harness.joiner.finish(Harness.passage(1))
    #expect(harness.write() == .ended)
    let end = Duration.milliseconds(500)
    #expect(harness.joiner.heard(0) == [.began(Part.ID(1), at: end), .ended(Part.ID(1), at: end)])
  }

  @Test("A part of another format waits until the output is reopened")
  func formats() {
    let other = PCMFormat(.int16, rate: 2_000, channels: 1).required
    var harness = Harness()
    harness.plan([Part(1), Part(2, from: 3)])
    harness.decode(1, 0..<5, ends: true)
    harness.decode(2, 0..<20, ends: true, in: other)
    #expect(harness.write() == .reopening(other))
    #expect(harness.output == Harness.samples(1, 0..<5))
    #expect(
      harness.joiner.reopened(other) == [.began(Part.ID(1), at: .zero), .ended(Part.ID(1), at: .milliseconds(5))])
    #expect(harness.write() == .ended)
    #expect(harness.output.dropFirst(5) == Harness.samples(2, 6..<20)[...])
    #expect(harness.joiner.heard(19).first == .began(Part.ID(2), at: .milliseconds(3)))
  }

  @Test("A loop of 20 ms repeats its samples without a break, until the plan changes")
  func loop() {
    var harness = Harness()
    harness.plan([Part(1, from: 10, to: 30, repeats: true), Part(2)])
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<4, ends: true)
    harness.write(205, step: 9)
    let loop = Harness.samples(1, 10..<30)
    #expect(harness.output == Array((0..<11).flatMap { _ in loop }.prefix(205)))
    let events = harness.joiner.heard(61)
    #expect(events.filter { $0 == .began(Part.ID(1), at: .milliseconds(10)) }.count == 4)
    #expect(events.filter { $0 == .ended(Part.ID(1), at: .milliseconds(30)) }.count == 3)
    harness.plan([Part(1, from: 10, to: 30), Part(2)])
    #expect(harness.write() == .ended)
    #expect(harness.output == Array((0..<11).flatMap { _ in loop }) + Harness.samples(2, 0..<4))
  }

  @Test("A loop without a sample ends")
  func emptyLoop() {
    var harness = Harness()
    harness.plan([Part(1, repeats: true), Part(2, from: 9, to: 9, repeats: true), Part(3)])
    harness.joiner.finish(Harness.passage(1))
    harness.decode(2, 0..<20, ends: true)
    harness.decode(3, 0..<5, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(3, 0..<5))
  }

  @Test("Media that a deck leaves out is silence, and a jump of hours is none")
  func gaps() {
    var harness = Harness()
    harness.plan([Part(1), Part(2)])
    harness.decode(1, 0..<10)
    harness.decode(1, 15..<20)
    harness.decode(1, 3_600_000..<3_600_005, ends: true)
    harness.decode(2, 0..<5, ends: true)
    #expect(harness.write() == .ended)
    let silence = [Int16](repeating: 0, count: 5)
    #expect(
      harness.output == Harness.samples(1, 0..<10) + silence + Harness.samples(1, 15..<20)
        + Harness.samples(1, 3_600_000..<3_600_005) + Harness.samples(2, 0..<5))
    #expect(harness.joiner.position(at: 22)?.time == .milliseconds(3_600_002))
  }

  @Test("Of samples that a deck delivers twice, the first ones are written")
  func twice() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode([1, 2, 3, 4], of: 1)
    harness.decode([8, 9], of: 1, at: 6)
    harness.decode([70, 80, 5, 6, 90, 91, 92], of: 1, at: 2)
    harness.decode([93, 10], of: 1, at: 8, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == [1, 2, 3, 4, 5, 6, 8, 9, 92, 10])
  }

  @Test("The next part is held back until its join is near")
  func lead() {
    var harness = Harness()
    harness.plan([Part(1), Part(2)])
    harness.decode(1, 0..<500, ends: true)
    harness.decode(2, 0..<10, ends: true)
    #expect(harness.write(lead: 100) == .holding(until: 400))
    #expect(harness.output.count == 500)
    harness.joiner.heard(399)
    #expect(harness.write(lead: 100) == .holding(until: 400))
    harness.joiner.heard(400)
    #expect(harness.write(lead: 100) == .ended)
    #expect(harness.output.count == 510)
  }

  @Test("Items that are shorter than the lead are written one by one, as many as it permits")
  func shortItems() {
    var harness = Harness()
    let streams = 1...6 as ClosedRange<UInt64>
    harness.plan(streams.map { Part($0) })
    for stream in streams { harness.decode(stream, 0..<100, ends: true) }
    #expect(harness.write(lead: 300) == .holding(until: 100))
    #expect(harness.output.count == 400)
    harness.joiner.heard(100)
    #expect(harness.write(lead: 300) == .holding(until: 200))
    // Changing parts that are held back costs nothing.
    harness.plan([2, 3, 4, 5, 6, 1].map { Part($0) })
    harness.plan([2, 3, 4, 5, 7, 6].map { Part($0) })
    harness.joiner.heard(200)
    #expect(harness.write(lead: 300) == .waiting(Harness.passage(7)))
    harness.plan([5, 6].map { Part($0) })
    #expect(harness.write(lead: 300) == .ended)
    #expect(harness.output == streams.flatMap { Harness.samples($0, 0..<100) })
  }

  @Test("A change of the plan while the output is to be reopened is understood")
  func reopeningIsReplaced() {
    let other = PCMFormat(.int16, rate: 2_000, channels: 1).required
    var harness = Harness()
    harness.plan([Part(1), Part(2)])
    harness.decode(1, 0..<5, ends: true)
    harness.decode(2, 0..<20, ends: true, in: other)
    harness.decode(3, 0..<5, ends: true)
    #expect(harness.write() == .reopening(other))
    harness.plan([Part(1), Part(3), Part(2)])
    #expect(harness.write() == .reopening(other))
    #expect(harness.output == Harness.samples(1, 0..<5) + Harness.samples(3, 0..<5))
    harness.joiner.reopened(other)
    #expect(harness.write() == .ended)
    #expect(harness.output.dropFirst(10) == Harness.samples(2, 0..<20)[...])
  }

  @Test("Samples of a part that sounds which come in another format are waited for")
  func formatChanges() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode(1, 0..<5)
    harness.write()
    harness.joiner.discard(Harness.passage(1))
    harness.decode(1, 0..<80, in: PCMFormat(.float64, rate: 1_000, channels: 2).required)
    #expect(harness.write() == .waiting(Harness.passage(1)))
    #expect(harness.output.count == 5)
  }

  @Test("A stream whose first sample is later begins with it")
  func laterStart() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode(1, 50..<60, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 50..<60))
    #expect(harness.joiner.heard(1) == [.began(Part.ID(1), at: .milliseconds(50))])
  }

  @Test("A loop that overlaps the part before it repeats without an overlap")
  func loopWithOverlap() {
    var harness = Harness()
    harness.plan([Part(1, overlap: 20, repeats: true)])
    harness.decode(1, 0..<100, ends: true)
    harness.write(250)
    let once = Harness.samples(1, 0..<100)
    #expect(harness.output == once + once + once.prefix(50))
  }

  @Test("The position follows the audible sample, also after a join")
  func position() {
    var harness = Harness()
    harness.plan([Part(1, from: 5), Part(2, from: 7)])
    harness.decode(1, 0..<25, ends: true)
    harness.decode(2, 0..<20, ends: true)
    harness.write()
    for (frame, id, time) in [(0, 1, 5), (19, 1, 24), (20, 2, 7), (32, 2, 19)] as [(Int64, UInt64, Int)] {
      let position = harness.joiner.position(at: frame)
      #expect(position?.part == Part.ID(id))
      #expect(position?.time == .milliseconds(time))
    }
    #expect(harness.joiner.position(at: 33) == nil)
  }

  @Test("A sample is kept until it has been played")
  func memory() {
    var harness = Harness()
    harness.plan([Part(1)])
    for first in stride(from: Int64(0), to: 10_000, by: 100) {
      harness.decode(1, first..<first + 100)
      harness.write()
      harness.joiner.heard(first)
      #expect(harness.joiner.frames(of: Harness.passage(1)) <= 200)
    }
  }
}
