import EngineProcess
import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("The deliveries of a deck")
struct InboxTests {
  private let passage = Passage(StreamToken(number: 1))
  private let wakes = EventLog<Void>()
  private let inbox: Inbox

  init() { inbox = Inbox { [wakes] _ in wakes.append(()) } }

  /// A block of whole seconds.
  private func block(_ seconds: Range<Int64>, of passage: Passage? = nil) throws -> SampleEntry {
    let format = try #require(PCMFormat(.int16, rate: 1000, channels: 1))
    let bytes = [UInt8](repeating: 0, count: Int(seconds.count) * 2000)
    return .block(try #require(Block(passage ?? self.passage, format, first: seconds.lowerBound * 1000, bytes: bytes)))
  }

  /// The first seconds of the blocks, and −1 for other deliveries.
  private func seconds(_ deliveries: [SampleEntry]) -> [Int64] {
    deliveries.map { if case .block(let block) = $0 { block.first / 1000 } else { -1 } }
  }

  @Test("Blocks wake the driver until it has 1.5 s of unused samples")
  func reserve() throws {
    inbox.put(try block(0..<1))
    // The driver knows already.
    inbox.put(try block(1..<2))
    #expect(wakes.count == 1)
    #expect(seconds(inbox.take()) == [0, 1])
    inbox.put(try block(2..<3))
    inbox.put(try block(3..<4))
    #expect(wakes.count == 1)
    #expect(seconds(inbox.take()) == [2, 3])
    inbox.use(passage, before: 3000)
    inbox.put(try block(4..<5))
    #expect(wakes.count == 2)
    #expect(seconds(inbox.take()) == [4])
    #expect(inbox.take().isEmpty)
  }

  @Test("Every other delivery wakes the driver, with the blocks before it")
  func others() throws {
    inbox.put(try block(0..<3))
    _ = inbox.take()
    inbox.put(try block(3..<4))
    #expect(wakes.count == 1)
    inbox.put(.ended(passage))
    #expect(wakes.count == 2)
    #expect(seconds(inbox.take()) == [3, -1])
  }

  @Test("The first block after a seek wakes the driver")
  func seek() throws {
    inbox.put(try block(0..<3))
    _ = inbox.take()
    var next = passage
    next.seek += 1
    inbox.put(try block(1..<2, of: next))
    #expect(wakes.count == 2)
    // The driver uses samples of another passage, which does not change the number of unused ones of this passage.
    _ = inbox.take()
    inbox.put(try block(2..<3, of: next))
    _ = inbox.take()
    inbox.use(passage, before: 3000)
    inbox.put(try block(3..<4, of: next))
    #expect(wakes.count == 3)
  }
}
