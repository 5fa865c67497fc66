import TestSupport
import Testing

@testable import GstPlayer

@Suite("Program maps of transport streams", .seeded) struct ProgramMapTests {
  /// A segment with its tables, and a packet of metadata.
  private static let segment: [UInt8] = {
    var stream = TransportStream()
    stream.beginSegment()
    stream.append(tag: TransportStream.tag(ID3.frame("TIT2", [3] + Array("One".utf8), 4)), at: 1)
    return stream.bytes
  }()

  private func changed(_ bytes: [UInt8]) -> (bytes: [UInt8], search: ProgramMap.Search) {
    var bytes = bytes
    let search = ProgramMap.announceKLV(in: &bytes)
    return (bytes, search)
  }

  @Test("A table that announces ID3 metadata announces KLV metadata instead, with a valid checksum")
  func change() throws {
    let (bytes, search) = changed(Self.segment)
    #expect(search == .init(hasChanged: true, tail: bytes.count) && bytes.count == Self.segment.count)
    let map = bytes[188..<376]
    #expect(map.contains(sequence: Array("KLVA".utf8)) && map.contains(sequence: [0x06, 0xE1, 0x02]))
    let length = Int(map[194] & 0x0F) << 8 | Int(map[195])
    #expect(ProgramMap.checksum(map[193..<196 + length]) == 0)
    #expect(bytes[..<188] == Self.segment[..<188] && bytes[376...] == Self.segment[376...])
    #expect(changed(bytes).search.hasChanged == false)
  }

  @Test("A table with a wrong checksum, or for other metadata, is not changed")
  func others() {
    var wrong = Self.segment
    wrong[188 + 4 + 1 + 3] ^= 1
    #expect(changed(wrong) == (wrong, .init(tail: wrong.count)))
    var scrambled = Self.segment
    scrambled[188 + 3] |= 0x80
    #expect(changed(scrambled) == (scrambled, .init(tail: scrambled.count)))
  }

  @Test("A table is found in data that is split at any byte")
  func split() {
    let expected = changed(Self.segment).bytes
    for cut in 0...Self.segment.count {
      let (first, search) = changed(Array(Self.segment[..<cut]))
      let (second, last) = changed(Array(first[search.tail...]) + Self.segment[cut...])
      #expect(first[..<search.tail] + second[..<last.tail] == expected[...], "split at \(cut)")
    }
  }

  @Test("Damaged packets keep their number, the bytes behind the last whole one, and are changed once")
  func fuzz() {
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      var bytes = Self.segment
      for _ in 0..<generator.next(below: 8) {
        let index = Int(generator.next(below: UInt64(bytes.count)))
        bytes[index] = UInt8(truncatingIfNeeded: generator.next())
      }
      bytes.removeLast(Int(generator.next(below: UInt64(bytes.count))))
      // A valid checksum admits any content of a section.
      if bytes.count > 376 {
        let length = min(Int(bytes[194] & 0x0F) << 8 | Int(bytes[195]), 180)
        if length >= 4 {
          let end = 196 + length - 4
          let sum = ProgramMap.checksum(bytes[193..<end])
          for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index)) }
        }
      }
      let (result, search) = changed(bytes)
      #expect(result.count == bytes.count && (0...bytes.count).contains(search.tail))
      #expect(result[search.tail...] == bytes[search.tail...])
      let again = changed(result)
      #expect(again.bytes == result && !again.search.hasChanged)
    }
    for count in 0..<400 { _ = changed([UInt8](repeating: 0x47, count: count)) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: sequence) }
  }
}
