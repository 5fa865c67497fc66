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
      ended.stream.setWanted(.ended, now: instant)
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
    before.setWanted(.running, now: Self.instant)
    before.continueBroadcast(at: .seconds(6))
    before.cut(PlayerError(code: .networkCut, message: "scripted"))
    _ = before.buffer.report(percent: 40, StreamProgress(), now: Self.instant)
    before.buffer.hold(.zero, of: .seconds(1))
    before.setRate(2)
    before.awaitSuccessor(now: Self.instant)
    for number in [5, 6] as [UInt64] {
      before.successors.open(Player.Item(uri: "file:///\(number)"), StreamToken(number: number))
    }
    before.successors.setMedia(.seconds(9), of: StreamToken(number: 5))
    before.successors.settle(StreamToken(number: 5), StreamFacts(duration: .seconds(9), isLive: true))
    let next = before.successors.begin()
    let after = LoadedStream(next, after: before, timeout: .zero, now: Self.instant)
    #expect(after.token.number == 5 && after.run == .running && after.media == .seconds(9) && after.isLive)
    #expect(after.successors.map(\.token.number) == [6] && !after.isRead && after.ended == nil)
    #expect(after.offset == .zero && after.sourceFailure == nil && after.buffer.percent == 100)
  }
}
