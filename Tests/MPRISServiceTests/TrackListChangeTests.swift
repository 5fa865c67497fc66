import TestSupport
import Testing

@testable import MPRISService

/// Tests of the signals that lead from one track list to another.
@Suite struct TrackListChangeTests {
  private func list(_ numbers: some Sequence<Int>) -> [MPRISTrackID] {
    numbers.map { MPRISTrackID(UInt64($0), in: .example) }
  }

  private func news(_ old: some Sequence<Int>, _ new: some Sequence<Int>) -> [TrackListChange] {
    TrackListChange.from(list(old), to: list(new))
  }

  private func added(_ track: UInt64, after place: UInt64?) -> TrackListChange {
    .added(MPRISTrackID(track, in: .example), after: place.map { MPRISTrackID($0, in: .example) } ?? .noTrack)
  }

  @Test("Equal lists cause no change")
  func equal() {
    #expect(news([], []).isEmpty)
    #expect(news([1, 2], [1, 2]).isEmpty)
  }

  @Test("An added track is one signal with its position")
  func added() {
    #expect(news([1, 2], [3, 1, 2]) == [added(3, after: nil)])
    #expect(news([1, 2], [1, 3, 2]) == [added(3, after: 1)])
    #expect(news([1, 2], [1, 2, 3, 4]) == [added(3, after: 2), added(4, after: 3)])
  }

  @Test("A removed track is one signal")
  func removed() {
    #expect(news([1, 2, 3], [1, 3]) == [.removed(MPRISTrackID(2, in: .example))])
    #expect(news([1], []) == [.removed(MPRISTrackID(1, in: .example))])
  }

  @Test("Removals come before additions")
  func order() {
    #expect(news([1, 2, 3], [2, 3, 4]) == [.removed(MPRISTrackID(1, in: .example)), added(4, after: 3)])
  }

  @Test("A different list, a new order and very many changes replace the list")
  func replaced() {
    #expect(news([1, 2], [3]) == [.replaced])
    #expect(news([1, 2, 3], [2, 1, 3]) == [.replaced])
    #expect(news([], [1]) == [.replaced])
    #expect(news([1], 1..<11).count == 9)
    #expect(news(0..<200, 100..<300) == [.replaced])
    #expect(news(0..<20, [0]) == [.replaced])
  }

  @Test("A client that applies the signals in order has the new list", .seeded)
  func applied() {
    var generator = SeededGenerator()
    for _ in 0..<500 {
      let old = list(0..<Int.random(in: 0..<12, using: &generator))
      var new = old.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
      for number in 100..<(100 + Int.random(in: 0..<5, using: &generator)) {
        new.insert(MPRISTrackID(UInt64(number), in: .example), at: Int.random(in: 0...new.count, using: &generator))
      }
      var client = old
      for item in TrackListChange.from(old, to: new) {
        switch item {
        case .removed(let track): client.removeAll { $0 == track }
        case .added(let track, let place):
          client.insert(track, at: place == .noTrack ? 0 : (client.firstIndex(of: place) ?? -2) + 1)
        case .replaced: client = new
        }
      }
      #expect(client == new)
    }
  }
}
