import Joining
import Playback
import Synchronization
import Testing

@Suite("Formats and blocks") struct FormatTests {
  @Test("A time is its nearest frame, also before zero and beyond all numbers")
  func frames() {
    let format = Harness.format
    #expect(format.frame(at: .microseconds(1_400)) == 1)
    #expect(format.frame(at: .microseconds(1_600)) == 2)
    #expect(format.frame(at: .microseconds(-1_600)) == -2)
    #expect(format.frame(at: .seconds(Int64.max / 10)) == 1 << 53)
    #expect(format.frame(at: .seconds(Int64.min / 10)) == -1 << 53)
    #expect(format.frame(at: .seconds(Int64.max / 1_000_000)) == 1 << 53)
    #expect(format.time(at: 1_500) == .milliseconds(1_500))
  }

  @Test("A format has a rate and channels, and not more than a sound card")
  func limits() {
    #expect(PCMFormat(.int16, rate: 0, channels: 2) == nil)
    #expect(PCMFormat(.int16, rate: 1_536_001, channels: 2) == nil)
    #expect(PCMFormat(.int16, rate: 44_100, channels: 0) == nil)
    #expect(PCMFormat(.int16, rate: 44_100, channels: 65) == nil)
    #expect(PCMFormat(.int16, rate: 1_536_000, channels: 64) != nil)
  }

  @Test("A block has whole frames, whose numbers can be added")
  func blocks() {
    #expect(Block(Harness.passage(1), Harness.format, first: 0, bytes: [1, 2, 3]) == nil)
    #expect(Block(Harness.passage(1), Harness.format, first: 1 << 53, bytes: [1, 2]) == nil)
    #expect(Block(Harness.passage(1), Harness.format, first: -1 << 53, bytes: [1, 2]) == nil)
    #expect(Block(Harness.passage(1), Harness.format, first: -5, bytes: [1, 2])?.end == -4)
  }

  /// Memory that notes which of its bytes were copied.
  private final class NotedMemory: SampleMemory {
    let count = 40
    let copies = Mutex<[Range<Int>]>([])

    func bytes(_ range: Range<Int>) -> [UInt8] {
      copies.withLock { $0.append(range) }
      return range.map { UInt8($0) }
    }
  }

  @Test("The samples of a memory are copied once, when they are written, and those that arrive twice are not")
  func memory() {
    let memory = NotedMemory()
    var joiner = Joiner(Harness.format)
    joiner.setPlan([Part(1)], from: 0)
    for first: Int64 in [5, 0, 10, 30] {
      joiner.append(Block(Harness.passage(1), Harness.format, first: first, memory: memory).required)
    }
    #expect(memory.copies.withLock { $0 }.isEmpty)
    #expect(joiner.next(8) == .samples(Array(0..<10) + Array(0..<6)))
    #expect(joiner.next(22) == .samples(Array(6..<40) + Array(30..<40)))
    #expect(memory.copies.withLock { $0 } == [0..<10, 0..<6, 6..<40, 30..<40])
    #expect(Block(Harness.passage(1), Harness.format, first: 1 << 53, memory: memory) == nil)
  }

  @Test("A run of no frames is one frame")
  func noFrames() {
    var joiner = Joiner(Harness.format)
    joiner.setPlan([Part(1)], from: 0)
    joiner.append(Block(Harness.passage(1), Harness.format, first: 0, bytes: [1, 2, 3, 4]).required)
    #expect(joiner.next(0) == .samples([1, 2]))
  }

  @Test("A floating-point sample beyond full scale is limited to it when a gain above 1 applies")
  func beyondFullScale() {
    let format = PCMFormat(.float32, rate: 1_000, channels: 1).required
    var joiner = Joiner(format)
    joiner.setPlan([Part(1, gain: 1.5)], from: 0)
    // 4.0
    joiner.append(Block(Harness.passage(1), format, first: 0, bytes: [0, 0, 0x80, 0x40]).required)
    #expect(joiner.next(1) == .samples([0, 0, 0x80, 0x3F]))
  }
}
