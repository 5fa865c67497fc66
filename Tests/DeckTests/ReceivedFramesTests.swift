import TestSupport
import Testing

@testable import GstPlayer

@Suite("Received frames of a station") struct ReceivedFramesTests {
  private typealias Frames = ReceivedFrames<Int>

  /// Frame `number` has this duration, begins after the frames before it, and consists of its number.
  private static let length = Duration.milliseconds(26)

  private static func start(_ number: Int) -> Duration { length * number }

  private static func bytes(_ number: Int, _ count: Int = 400) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + [UInt8](repeating: 7, count: count - 8)
  }

  private static func number(_ bytes: [UInt8]) -> Int {
    bytes.prefix(8).enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
  }

  /// Reads up to a number of items; a mark is negative.
  private static func read(_ frames: inout Frames, _ count: Int = .max) -> [Int] {
    var items: [Int] = []
    while items.count < count, let item = frames.next() {
      switch item {
      case .frame(let bytes, let start, let duration):
        let number = number(bytes)
        // An expectation for each frame would take most of the time.
        items.append(start == Self.start(number) && duration == Self.length ? number : .max)
      case .mark(let mark): items.append(-mark)
      }
    }
    return items
  }

  @Test("Frames and marks are read in their order, each once; a mark before the first frame is only in force")
  func order() {
    var frames = Frames(time: .seconds(60), bytes: 1 << 20)
    #expect(frames.range == nil && !frames.hasNext && frames.unread == .zero && frames.seek(to: .zero) == nil)
    frames.add(1, kind: 1)
    #expect(!frames.hasNext)
    for number in 0..<10 {
      if number == 4 { frames.add(2, kind: 1) }
      frames.add(Self.bytes(number), at: Self.start(number), for: Self.length)
    }
    #expect(Self.read(&frames, 3) == [0, 1, 2])
    #expect(frames.unread == Self.length * 7)
    #expect(Self.read(&frames) == [3, -2, 4, 5, 6, 7, 8, 9])
    #expect(!frames.hasNext && frames.unread == .zero && frames.lastMark(ofKind: 1) == 2)
    frames.add(Self.bytes(10), at: Self.start(10), for: Self.length)
    #expect(Self.read(&frames) == [10])
    #expect(frames.range == Duration.zero..<Self.start(11))
  }

  @Test("A seek continues at the last frame that begins at or before the target, with the marks in force there")
  func seek() {
    var frames = Frames(time: .seconds(60), bytes: 1 << 20)
    frames.add(1, kind: 1)
    frames.add(10, kind: 2)
    for number in 0..<1000 {
      if number == 500 { frames.add(2, kind: 1) }
      frames.add(Self.bytes(number), at: Self.start(number), for: Self.length)
    }
    #expect(frames.seek(to: Self.start(499) + Self.length / 2) == [1, 10])
    #expect(Self.read(&frames, 3) == [499, -2, 500])
    #expect(frames.seek(to: Self.start(500)) == [2, 10])
    #expect(Self.read(&frames, 1) == [500])
    #expect(frames.seek(to: .seconds(-5)) == [1, 10])
    #expect(Self.read(&frames, 1) == [0])
    #expect(frames.seek(to: .seconds(3600)) == [2, 10])
    #expect(Self.read(&frames) == [999])
  }

  @Test("The oldest frames are removed beyond the time and beyond the size; a cursor among them is lost until a seek")
  func limits() throws {
    for (time, bytes) in [(Duration.seconds(20), 1 << 30), (.seconds(3600), 400_000)] {
      var frames = Frames(time: time, bytes: bytes)
      for number in 0..<5000 {
        frames.add(Self.bytes(number), at: Self.start(number), for: Self.length)
        let range = try #require(frames.range)
        #expect(range.upperBound == Self.start(number + 1) && frames.size <= bytes)
        // A chunk of 5 s or of 32 KiB more than the time.
        #expect(range.upperBound - range.lowerBound <= time + .seconds(5) + Self.length)
      }
      let range = try #require(frames.range)
      #expect(range.lowerBound > .zero)
      #expect(time > .seconds(20) || range.upperBound - range.lowerBound >= time)
      #expect(frames.isLost && !frames.hasNext && frames.next() == nil)
      #expect(frames.unread == range.upperBound - range.lowerBound)
      #expect(frames.seek(to: .zero) != nil && !frames.isLost)
      let read = Self.read(&frames)
      #expect(read.first.map(Self.start) == range.lowerBound && read.last == 4999)
    }
  }

  @Test("What was read is not lost when it is removed")
  func readBefore() {
    var frames = Frames(time: .seconds(10), bytes: 1 << 20)
    for number in 0..<5000 {
      frames.add(Self.bytes(number), at: Self.start(number), for: Self.length)
      #expect(Self.read(&frames) == [number])
    }
    #expect(!frames.isLost)
  }

  @Test("A frame whose time is before the end of the last one follows it")
  func timesDoNotGoBack() {
    var frames = Frames(time: .seconds(60), bytes: 1 << 20)
    frames.add(Self.bytes(0), at: .seconds(5), for: .seconds(1))
    frames.add(Self.bytes(1), at: .seconds(1), for: .seconds(1))
    frames.add(Self.bytes(2), at: .seconds(9), for: .seconds(1))
    #expect(frames.range == Duration.seconds(5)..<Duration.seconds(10))
    var starts: [Duration] = []
    while case .frame(_, let start, _)? = frames.next() { starts.append(start) }
    #expect(starts == [.seconds(5), .seconds(6), .seconds(9)])
  }

  @Test(
    "Random additions, readings and seeks agree with a list of all frames", arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var frames = Frames(time: .seconds(30), bytes: 300_000)
    var (count, next) = (0, 0)
    for _ in 0..<150 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        for _ in 0..<Int.random(in: 1...300, using: &generator) {
          let size = Int.random(in: 100...1500, using: &generator)
          frames.add(Self.bytes(count, size), at: Self.start(count), for: Self.length)
          count += 1
        }
      case 2:
        let wasLost = frames.isLost
        let read = Self.read(&frames, Int.random(in: 1...400, using: &generator))
        #expect(read == Array(next..<next + read.count), "each frame once")
        if wasLost { #expect(read.isEmpty) }
        next += read.count
      default:
        guard let range = frames.range else { continue }
        let target = Self.start(Int.random(in: 0...count, using: &generator))
        _ = frames.seek(to: target)
        let first = Int(range.lowerBound / Self.length + 0.5)
        next = min(max(first, Int(target / Self.length + 0.5)), count - 1)
        #expect(!frames.isLost)
      }
      #expect(frames.size <= 300_000)
      if !frames.isLost { #expect(frames.unread == Self.length * (count - next)) }
    }
  }
}
