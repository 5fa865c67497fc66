import Joining
import Playback
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess

/// Tests of the entries that a deck puts into a ring, and of the reports about their use.
@Suite("The feed of a ring") struct RingFeedTests {
  private static let stream = StreamToken(number: 7)
  private static let passage = Passage(stream)
  private static let next = Passage(stream, seek: 1)

  /// A feed, and the reader of its ring, which wakes it.
  private final class Pair: Sendable {
    let writer: RingWriter
    let feed: RingFeed
    let reader: RingReader
    /// The frames that were reported as used.
    let used = EventLog<Used>()
    let wakes = EventLog<Void>()
    let isExact = Flag()

    /// Whether something is to happen at a frame.
    final class Flag: Sendable {
      private let value = Atomic(false)
      var isSet: Bool {
        get { value.load(ordering: .relaxed) }
        set { value.store(newValue, ordering: .relaxed) }
      }
    }

    struct Used: Equatable {
      var passage: Passage
      var frame: Int64
    }

    init(limit: Duration = .seconds(4)) throws {
      let memory = try #require(RingMemory())
      let writer = RingWriter(memory, stream: stream, limit: limit) {}
      let feed = RingFeed(writer, reserve: .seconds(2)) { [used] passage, frame in
        used.append(Used(passage: passage, frame: frame))
      } isExact: { [isExact] in
        isExact.isSet
      }
      (self.writer, self.feed) = (writer, feed)
      reader = RingReader(memory, stream: stream) { [wakes] in
        wakes.append(())
        feed.readerHasMoved()
      }
    }

    func frames(of passage: Passage = passage) -> [Int64] {
      used.elements.filter { $0.passage == passage }.map(\.frame)
    }
  }

  /// A block whose bytes depend on its first frame.
  private static func block(first: Int64, frames: Int, of passage: Passage = passage) throws -> Block {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 1))
    let bytes = (0..<frames).flatMap { index -> [UInt8] in
      let frame = UInt16(truncatingIfNeeded: first + Int64(index))
      return [UInt8(truncatingIfNeeded: frame), UInt8(truncatingIfNeeded: frame >> 8)]
    }
    return try #require(Block(passage, format, first: first, bytes: bytes))
  }

  @Test(
    "Samples that do not fit into the ring are written in order when the reader releases some, and the end after them")
  func room() throws {
    let pair = try Pair(limit: .zero)
    // More than the ring holds, in blocks that are larger than a record.
    let blocks = try (0..<4).map { try Self.block(first: Int64($0) * 100_000, frames: 100_000) }
    for block in blocks { pair.feed.put(.block(block)) }
    pair.feed.put(.ended(Self.passage))
    #expect(pair.writer.unused.frames < 200_000)
    var (next, hasEnded, isWrong): (Int64, Bool, Bool) = (0, false, false)
    for _ in 0..<10_000 where !hasEnded {
      for entry in pair.reader.take() {
        switch entry {
        case .block(let block):
          isWrong = isWrong || hasEnded || block.first != next || block.passage != Self.passage
          isWrong = try isWrong || block.bytes != Self.block(first: next, frames: Int(block.frames)).bytes
          next = block.end
        case .ended(let passage):
          #expect(passage == Self.passage)
          hasEnded = true
        }
      }
      pair.reader.use(Self.passage, before: next)
    }
    #expect(hasEnded && !isWrong)
    #expect(next == 400_000)
    #expect(pair.reader.fault == nil)
  }

  @Test("What waits is dropped when a later passage begins, which makes the earlier ones obsolete")
  func obsolete() throws {
    let pair = try Pair(limit: .zero)
    pair.feed.put(.block(try Self.block(first: 0, frames: 400_000)))
    var held = pair.reader.take()
    #expect(!held.isEmpty && pair.reader.oldest == 0)
    pair.feed.put(.block(try Self.block(first: 50, frames: 100, of: Self.next)))
    // The ring has room for it when the reader releases its blocks.
    #expect(pair.reader.oldest == 1)
    #expect(pair.reader.take().isEmpty)
    held = []
    pair.feed.put(.ended(Self.next))
    var texts: [String] = []
    for entry in held + pair.reader.take() {
      switch entry {
      case .block(let block): texts.append("\(block.passage.seek): \(block.first)..<\(block.end)")
      case .ended(let passage): texts.append("\(passage.seek): end")
      }
    }
    #expect(texts == ["1: 50..<150", "1: end"])
    #expect(pair.writer.unused.frames == 100)
    // Nothing of the passage before is used any more.
    pair.reader.use(Self.next, before: 150)
    #expect(pair.frames().isEmpty && pair.frames(of: Self.next) == [150])
  }

  @Test("The use is reported when only the reserve is unused, and when nothing is, and wakes the deck for that alone")
  func reports() throws {
    let pair = try Pair()
    for index in 0..<16 { pair.feed.put(.block(try Self.block(first: Int64(index) * 250, frames: 250))) }
    let held = pair.reader.take()
    let wakes = pair.wakes.count
    for frame in stride(from: Int64(250), through: 4_000, by: 250) {
      pair.reader.use(Self.passage, before: frame)
      #expect(pair.frames() == (frame < 2_000 ? [] : frame < 4_000 ? [2_000] : [2_000, 4_000]))
    }
    #expect(pair.wakes.count == wakes + 2)
    withExtendedLifetime(held) {}
  }

  @Test("While something is to happen at a frame, each use is reported")
  func exact() throws {
    let pair = try Pair()
    for index in 0..<16 { pair.feed.put(.block(try Self.block(first: Int64(index) * 250, frames: 250))) }
    let held = pair.reader.take()
    pair.isExact.isSet = true
    pair.feed.readerHasMoved()
    for frame in [Int64(250), 500, 1_000] { pair.reader.use(Self.passage, before: frame) }
    #expect(pair.frames() == [250, 500, 1_000])
    pair.isExact.isSet = false
    pair.reader.use(Self.passage, before: 1_250)
    #expect(pair.frames() == [250, 500, 1_000, 1_250])
    // From now on at the reserve again.
    for frame in [Int64(1_500), 1_750, 2_000, 2_250] { pair.reader.use(Self.passage, before: frame) }
    #expect(pair.frames() == [250, 500, 1_000, 1_250, 2_000])
    withExtendedLifetime(held) {}
  }
}
