import TestSupport
import Testing

@testable import GstPlayer

@Suite("The header of an MP4 file in pieces") struct MovieCollectorTests {
  private static func box(_ name: String, _ size: Int) -> [UInt8] {
    [0, 0, UInt8(size >> 8), UInt8(size & 0xFF)] + Array(name.utf8) + [UInt8](repeating: 7, count: size - 8)
  }

  private let file = box("ftyp", 28) + box("free", 8) + box("mdat", 500) + box("moov", 300) + box("free", 40)

  /// Returns what passes, the offset of the box in it, and how many pieces were held back.
  private func collect(_ file: [UInt8], _ size: Int) -> (passed: [UInt8], movie: Int?, held: Int) {
    var collector = MovieCollector()
    var (passed, movie, held) = ([UInt8](), Int?.none, 0)
    for start in stride(from: 0, to: file.count, by: size) {
      let piece = Array(file[start..<min(file.count, start + size)])
      guard !collector.isDone else {
        passed += piece
        continue
      }
      switch collector.take(piece.count, { piece }) {
      case .pass: passed += piece
      case .hold: held += 1
      case .replace(let bytes, let offset):
        movie = offset.map { passed.count + $0 }
        passed += bytes
      }
    }
    return (passed + collector.rest, movie, held)
  }

  @Test("All data passes in its order, whatever the size of its pieces; the box is in one of them")
  func sizes() {
    for size in 1...file.count {
      let result = collect(file, size)
      #expect(result.passed == file)
      #expect(result.movie == 536)
    }
    #expect(collect(file, file.count).held == 0)
    // Nothing of the media is held back.
    #expect(collect(Self.box("ftyp", 28) + Self.box("mdat", 60_000), 100).held <= 1)
  }

  @Test("Data that are not boxes, and damaged or truncated boxes, pass unchanged", .seeded)
  func hostile() {
    var generator = SeededGenerator()
    for count in 0..<file.count { #expect(collect(Array(file.prefix(count)), 50).passed == Array(file.prefix(count))) }
    for size in [1, 7, 100, 900] {
      for _ in 0..<300 {
        var broken = file
        for _ in 0..<4 {
          let place = Int.random(in: 0..<broken.count, using: &generator)
          broken[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        }
        #expect(collect(broken, size).passed == broken)
      }
    }
    let wide: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [UInt8](repeating: 0xFF, count: 8)
    #expect(collect(Self.box("ftyp", 28) + wide + file, 10).movie == nil)
  }
}
