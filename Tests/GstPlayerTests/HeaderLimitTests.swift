import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Limits of headers") struct HeaderLimitTests {
  @Test("Headers beyond a limit are refused with the reason, in blocks of any size", arguments: HostileHeaders.all)
  func refusal(sample: HostileHeaders.Sample) {
    for size in [7, 4096, Int.max] {
      var reader = HeaderReader(sample.syntax)
      var error: PlayerError?
      for start in stride(from: 0, to: sample.bytes.count, by: min(size, sample.bytes.count)) where error == nil {
        let block = sample.bytes[start...].prefix(size)
        error = reader.read(block.count) { Array(block.dropFirst($0.lowerBound).prefix($0.count)) }
      }
      #expect(error?.code == sample.reason.map { _ in .limitExceeded }, "blocks of \(size): \(error?.message ?? "")")
      if let reason = sample.reason { #expect(error?.message.contains(reason) == true) }
    }
  }

  @Test("A header that is pulled again from its start, or behind media, is read as one", arguments: [0, 1000])
  func pulled(offset: Int) {
    var reader = HeaderReader(MP4Header())
    let header = HostileHeaders.boxes("moov", 65)
    func pull(_ bytes: [UInt8], at offset: Int) -> PlayerError? {
      reader.seek(to: UInt64(offset))
      return reader.read(bytes.count) { Array(bytes[$0]) }
    }
    #expect(pull([0, 0, 0, 1, 2, 3, 4, 5], at: 5000) == nil)
    #expect(pull(Array(header.prefix(16)), at: offset) == nil)
    #expect(pull(header, at: offset)?.code == .limitExceeded)
  }

  @Test(
    "A damaged header has the same result in blocks of any size, and noise is accepted",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for sample in HostileHeaders.all where sample.bytes.count < 20_000 {
      var bytes = sample.bytes
      for _ in 0..<8 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &generator)))
      var reader = HeaderReader(sample.syntax)
      let error = reader.read(bytes.count) { Array(bytes[$0]) }
      var pieces = HeaderReader(sample.syntax)
      var found: PlayerError?
      var rest = bytes[...]
      while !rest.isEmpty, found == nil {
        let block = Array(rest.prefix(.random(in: 1...bytes.count, using: &generator)))
        rest = rest.dropFirst(block.count)
        found = pieces.read(block.count) { Array(block[$0]) }
      }
      #expect(found == error)
      let noise = bytes.map { _ in UInt8.random(in: 0...255, using: &generator) }
      var other = HeaderReader(sample.syntax)
      #expect(other.read(noise.count) { Array(noise[$0]) } == nil)
    }
  }
}
