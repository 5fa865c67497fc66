import Testing

@testable import PlayerdService

@Suite("The window of the queue that is published") struct TrackWindowTests {
  @Test("A short queue is published completely", arguments: [0, 1, 199, 200])
  func short(count: Int) {
    for current in [nil, 0, count - 1] { #expect(TrackWindow.range(count: count, current: current) == 0..<count) }
  }

  @Test(
    "Of a long queue a window is published, with a quarter of it on either side of the current track",
    arguments: [201, 1_000, 100_000])
  func long(count: Int) {
    var last: Range<Int>?
    var moves = 0
    for current in 0..<min(count, 2_000) {
      let range = TrackWindow.range(count: count, current: current)
      #expect(range.count == TrackWindow.size && range.lowerBound >= 0 && range.upperBound <= count)
      #expect(range.contains(current))
      #expect(current - range.lowerBound >= 50 || range.lowerBound == 0)
      #expect(range.upperBound - current > 49 || range.upperBound == count)
      if let last, last != range { moves += 1 }
      last = range
    }
    #expect(moves <= min(count, 2_000) / 100)
    #expect(TrackWindow.range(count: count, current: count - 1).upperBound == count)
    #expect(TrackWindow.range(count: count, current: nil) == 0..<TrackWindow.size)
  }
}
