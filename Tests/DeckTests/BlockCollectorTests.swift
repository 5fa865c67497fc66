import Joining
import Playback
import Testing

@testable import GstPlayer

@Suite("Short blocks")
struct BlockCollectorTests {
  private static let passage = Passage(StreamToken(number: 1))

  /// Makes a block of 1 kHz and one channel of 16 bits: 10 frames are 10 ms.
  private func block(_ frames: Range<Int64>, of passage: Passage = passage, channels: Int = 1) throws -> Block {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: channels))
    let bytes = frames.flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: format.bytesPerFrame) }
    return try #require(Block(passage, format, first: frames.lowerBound, bytes: bytes))
  }

  private func ranges(_ blocks: [Block]) -> [Range<Int64>] { blocks.map { $0.first..<$0.end } }

  @Test("Blocks of one frame are joined to blocks of 10 ms, and the rest is returned at the end")
  func joined() throws {
    var collector = BlockCollector()
    var blocks: [Block] = []
    for frame in Int64(5)..<28 { blocks += collector.add(try block(frame..<frame + 1)) }
    #expect(ranges(blocks) == [5..<15, 15..<25])
    #expect(blocks.flatMap(\.bytes) == (5..<25).flatMap { [UInt8($0), UInt8($0)] })
    #expect(collector.take().map { ranges([$0]) } == [25..<28])
    #expect(collector.take() == nil)
  }

  @Test("A block that is long enough passes at once, and after short ones it ends the wait")
  func long() throws {
    var collector = BlockCollector()
    #expect(ranges(collector.add(try block(0..<10))) == [0..<10])
    #expect(collector.add(try block(10..<12)).isEmpty)
    #expect(ranges(collector.add(try block(12..<50))) == [10..<50])
    #expect(collector.take() == nil)
  }

  @Test("A gap, another passage and another format end a block")
  func breaks() throws {
    var collector = BlockCollector()
    #expect(collector.add(try block(0..<2)).isEmpty)
    #expect(ranges(collector.add(try block(3..<5))) == [0..<2])
    let next = Passage(StreamToken(number: 1), seek: 1)
    #expect(ranges(collector.add(try block(5..<6, of: next))) == [3..<5])
    #expect(ranges(collector.add(try block(6..<7, of: next, channels: 2))) == [5..<6])
    #expect(ranges(collector.add(try block(90..<120, of: next, channels: 2))) == [6..<7, 90..<120])
    #expect(collector.take() == nil)
  }
}
