import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Estimated offsets in a stream of bytes") struct ByteMapTests {
  private let end = ByteMap.Point(offset: 1_000_000, time: .seconds(100))

  @Test("A time between two known points is interpolated; the start and the end of the media are known")
  func interpolated() {
    var map = ByteMap()
    #expect(map.offset(of: .seconds(50), end: end) == 500_000)
    map.note(ByteMap.Point(offset: 100_000, time: .seconds(40)))
    #expect(map.offset(of: .seconds(20), end: end) == 50_000)
    #expect(map.offset(of: .seconds(70), end: end) == 550_000)
    #expect(map.offset(of: .seconds(70), end: end, bisects: true) == 550_000)
    #expect(map.offset(of: .seconds(41), end: end, bisects: true) == 550_000)
    #expect(map.offset(of: .seconds(200), end: end) == 1_000_000)
    #expect(map.last(upTo: .seconds(39)).offset == 0 && map.last(upTo: .seconds(40)).offset == 100_000)
  }

  @Test("A point that contradicts the known ones is ignored, and the number of points is limited")
  func contradictions() {
    var map = ByteMap()
    map.note(ByteMap.Point(offset: 100, time: .seconds(10)))
    for (offset, time) in [(100, 11), (50, 12), (200, 10), (150, 5), (100, 5), (-1, 5)] as [(Int64, Int64)] {
      map.note(ByteMap.Point(offset: offset, time: .seconds(time)))
    }
    #expect(map.points.map(\.offset) == [0, 100])
    for index in 1...1000 { map.note(ByteMap.Point(offset: 100 + Int64(index), time: .seconds(10 + index))) }
    #expect(map.points.count == ByteMap.limit)
    #expect(map.offset(of: .seconds(5), end: ByteMap.Point(offset: 0, time: .zero)) == 50)
  }

  /// Returns the offset of 60 s after frames of 26 ms with these sizes.
  private func offset(sizes: [Int], size: Int64) -> Int64? {
    var rate = ConstantRate()
    rate.note(offset: 0, size: 417, duration: .zero)
    var offset: Int64 = 417
    for size in sizes {
      rate.note(offset: offset, size: size, duration: .milliseconds(26))
      offset += Int64(size)
    }
    return rate.offset(of: .seconds(60), end: ByteMap.Point(offset: size, time: .seconds(100)))
  }

  @Test("Frames of one size, with and without padding, have a constant rate, which the size of the media confirms")
  func constantRate() throws {
    let frames = (0..<100).map { 417 + $0 % 2 }
    let whole: Int64 = 1_605_769
    let found = try #require(self.offset(sizes: frames, size: whole))
    #expect(abs(found - (417 + whole * 60 / 100)) < 20)
    #expect(self.offset(sizes: frames, size: whole * 2) == nil)
    #expect(self.offset(sizes: frames.map { $0 + ($0 % 2) * 100 }, size: whole) == nil)
    #expect(self.offset(sizes: Array(frames.prefix(20)), size: whole) == nil)
  }
}
