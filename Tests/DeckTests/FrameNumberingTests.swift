import Testing

@testable import GstPlayer

@Suite("Numbers of frames")
struct FrameNumberingTests {
  /// The numbers of buffers of 100 frames with these times, with a tolerance of 20 frames.
  private func numbers(_ stamps: [Int64?], from start: Int64 = 0, to end: Int64? = nil) -> [Int64] {
    var numbering = FrameNumbering(from: start)
    numbering.end = end
    return stamps.map { numbering.number(100, stamp: $0, tolerance: 20) }
  }

  @Test("Times that are rounded continue the count")
  func rounded() { #expect(numbers([0, 101, 219, 281, 400]) == [0, 100, 200, 300, 400]) }

  @Test("The first buffer begins at its time, and without one at the target")
  func first() {
    #expect(numbers([50, nil, 250]) == [50, 150, 250])
    #expect(numbers([nil, nil], from: 70) == [70, 170])
  }

  @Test("A later time is a gap")
  func gap() { #expect(numbers([0, 150, 250, nil]) == [0, 150, 250, 350]) }

  @Test("Times that begin again continue the count, and a later gap is one")
  func chain() { #expect(numbers([0, 100, 0, 100, 250]) == [0, 100, 200, 300, 450]) }

  @Test("A time beyond the end of the media continues the count, and a gap before the end stays")
  func beyondEnd() {
    #expect(numbers([0, 9_000, 20_000, 20_100, nil], to: 1_000) == [0, 100, 200, 300, 400])
    #expect(numbers([0, 500, 9_000, 9_300], to: 1_000) == [0, 500, 600, 900])
    // After a seek, the first time may be beyond the end too.
    #expect(numbers([9_000, 9_100], from: 400, to: 1_000) == [400, 500])
  }

  @Test("A time beyond every medium is limited")
  func limit() {
    #expect(numbers([.max, .max]) == [1 << 52, (1 << 52) + 100])
    #expect(numbers([0, .min, .max]).allSatisfy { $0.magnitude <= 1 << 53 })
  }
}

@Suite("Samples that are not used")
struct BacklogTests {
  @Test("Used frames leave, also within a range and across a gap")
  func advance() {
    var backlog = Backlog()
    backlog.add(0..<100)
    backlog.add(100..<200)
    backlog.add(500..<600)
    #expect(backlog.frames == 300)
    backlog.advance(to: 50)
    #expect(backlog.frames == 250)
    backlog.advance(to: 40)
    #expect(backlog.frames == 250)
    backlog.advance(to: 300)
    #expect(backlog.frames == 100)
    backlog.advance(to: 550)
    #expect(backlog.frames == 50)
    backlog.advance(to: 10_000)
    #expect(backlog.frames == 0)
  }
}
