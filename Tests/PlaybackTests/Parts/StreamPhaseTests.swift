import Testing

@testable import Playback

@Suite("Stream phases") struct StreamPhaseTests {
  private static let instant = MonotonicTime(nanoseconds: 7)

  private static func stream(_ number: UInt64 = 4) -> LoadedStream {
    LoadedStream(token: StreamToken(number: number), timeout: .zero, now: instant)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var phase: StreamPhase
    var isLoading = false
    var isReady = false
    var isAtEnd = false
    var testDescription: String { "\(phase)".prefix { $0 != "(" }.description + (isAtEnd ? " at the end" : "") }

    static var all: [Row] {
      var ready = StreamPhase.loading(stream())
      ready.becomeReady()
      var ended = ready
      ended.stream.run = .ended
      return [
        Row(phase: .none),
        Row(phase: .loading(stream()), isLoading: true),
        Row(phase: ready, isReady: true),
        Row(phase: ended, isReady: true, isAtEnd: true),
        Row(phase: .released(isAtEnd: false)),
        Row(phase: .released(isAtEnd: true), isAtEnd: true),
        Row(phase: .outputLost(retry: instant)),
        Row(phase: .sourceLost(retry: instant)),
      ]
    }
  }

  @Test("Only loading and ready phases have a stream", arguments: Row.all)
  func access(_ row: Row) {
    var phase = row.phase
    #expect(phase.isLoading == row.isLoading && phase.isReady == row.isReady && phase.isAtEnd == row.isAtEnd)
    #expect(phase.isLoaded == (row.isLoading || row.isReady))
    #expect(phase.stream.token.number == (phase.isLoaded ? 4 : 0))
    phase.becomeReady()
    #expect(phase.isReady == phase.isLoaded)
  }

  @Test("The stream of an item that begins inherits only the running output and the later successors")
  func successor() {
    var before = Self.stream()
    before.run = .running
    before.offset = .seconds(6)
    before.sourceFailure = PlayerError(code: .networkCut, message: "scripted")
    before.buffer.percent = 40
    (before.rate, before.isRead, before.ended) = (2, true, Self.instant)
    for number in [5, 6] as [UInt64] {
      before.successors.append(
        Successor(item: Player.Item(uri: "file:///\(number)"), token: StreamToken(number: number)))
    }
    var next = before.successors.removeFirst()
    (next.media, next.isLive) = (.seconds(9), true)
    let after = LoadedStream(next, after: before, timeout: .zero, now: Self.instant)
    #expect(after.token.number == 5 && after.run == .running && after.media == .seconds(9) && after.isLive)
    #expect(after.successors.map(\.token.number) == [6] && !after.isRead && after.ended == nil)
    #expect(after.offset == .zero && after.sourceFailure == nil && after.buffer.percent == 100)
  }
}
