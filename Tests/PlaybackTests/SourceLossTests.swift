import Testing

@testable import Playback

@Suite("A source that ends early") struct SourceLossTests {
  private let patience = PlayerConfiguration().patience

  /// An error of the source of the current item.
  private func end(_ bench: inout Bench, _ code: PlayerError.Code = .networkCut) -> [Effect] {
    var error = PlayerError(code, "scripted")
    error.isFromSource = true
    return bench.step { $0.failed($0.token, error, now: $1) }
  }

  private func codes(_ effects: [Effect]) -> [PlayerError.Code] {
    effects.events.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }
  }

  @Test("An item that does not preroll after its source has ended fails long before the load time-out")
  func noPreroll() {
    var bench = Bench(2, scheme: "http")
    _ = bench.play()
    bench.pass(.seconds(1))
    #expect(end(&bench).events.isEmpty)
    #expect(bench.pass(patience - .milliseconds(1)).events.isEmpty)
    let failed = bench.pass(.milliseconds(1))
    #expect(codes(failed) == [.networkCut])
    #expect(failed.loads == [bench.items[1].uri])
  }

  @Test("A buffering level and a second error of the source do not extend the wait")
  func noExtension() {
    var bench = Bench(2, scheme: "http")
    _ = bench.play()
    _ = end(&bench)
    bench.pass(.seconds(1))
    _ = end(&bench)
    bench.buffer(20)
    #expect(codes(bench.pass(patience - .seconds(1))) == [.networkCut])
  }

  @Test("The load time-out stays when it comes first")
  func loadTimeout() {
    var bench = Bench(2, configuration: PlayerConfiguration(loadTimeout: .seconds(1)), scheme: "http")
    _ = bench.play()
    _ = end(&bench)
    #expect(codes(bench.pass(.seconds(1))) == [.networkCut])
  }

  @Test("An item that prerolls from the received data plays it, and then fails")
  func preroll() {
    var bench = Bench(2, scheme: "http")
    _ = bench.play()
    _ = end(&bench)
    bench.pass(.milliseconds(100))
    #expect(codes(bench.settle()).isEmpty)
    bench.run()
    #expect(codes(bench.pass(.seconds(5))).isEmpty)
    #expect(codes(bench.end()) == [.networkCut])
  }

  @Test(
    "A source that ends in the middle fails with the status of the server if that is known",
    arguments: [
      (PlayerError.Code.networkCut, PlayerError.Code.networkCut), (.networkRefused, .networkCut),
      (.httpError, .httpError),
    ])
  func code(reported: PlayerError.Code, expected: PlayerError.Code) {
    var bench = Bench(2, scheme: "http")
    bench.start()
    #expect(end(&bench, reported).events.isEmpty)
    #expect(codes(bench.end()) == [expected])
  }
}
