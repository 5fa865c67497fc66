import Testing

@testable import Playback

@Suite("Sources that end early") struct SourceLossTests {
  private let pipelineTimeout = Player.Configuration().pipelineTimeout

  /// Reports an error of the source of the current item.
  private func end(_ harness: inout MachineHarness, _ code: PlayerError.Code = .networkCut) -> [Effect] {
    var error = PlayerError(code: code, message: "scripted")
    error.isFromSource = true
    return harness.report(.stream(harness.token, .failed(error)))
  }

  private func codes(_ effects: [Effect]) -> [PlayerError.Code] {
    effects.events.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }
  }

  @Test("An item that is not ready after its source has ended fails long before the load time-out")
  func neverReady() {
    var harness = MachineHarness(2, scheme: "http")
    _ = harness.play()
    harness.advance(.seconds(1))
    #expect(end(&harness).events.isEmpty)
    #expect(harness.advance(pipelineTimeout - .milliseconds(1)).events.isEmpty)
    let failed = harness.advance(.milliseconds(1))
    #expect(codes(failed) == [.networkCut])
    #expect(failed.loads == [harness.items[1].uri])
  }

  @Test("A buffering message and a second error of the source do not extend the wait")
  func noExtension() {
    var harness = MachineHarness(2, scheme: "http")
    _ = harness.play()
    _ = end(&harness)
    harness.advance(.seconds(1))
    _ = end(&harness)
    harness.buffer(20)
    #expect(codes(harness.advance(pipelineTimeout - .seconds(1))) == [.networkCut])
  }

  @Test("An output that has stood after the end of the source moves the position back")
  func stoodOutput() {
    var harness = MachineHarness(2, scheme: "http")
    harness.start(duration: 100)
    harness.advance(.seconds(10))
    _ = end(&harness)
    harness.advance(.seconds(30))
    #expect(harness.position == .seconds(40))
    let effects = harness.sample(.seconds(20))
    #expect(effects.events == [.timeJumped(from: .seconds(40), to: .seconds(20))] && harness.position == .seconds(20))
  }

  @Test("The load time-out applies if it is earlier")
  func loadTimeout() {
    var harness = MachineHarness(2, configuration: Player.Configuration(loadTimeout: .seconds(1)), scheme: "http")
    _ = harness.play()
    _ = end(&harness)
    #expect(codes(harness.advance(.seconds(1))) == [.networkCut])
  }

  @Test("An item ends normally if the server refuses the empty range after a seek to the very end")
  func refusedRangeAtEnd() {
    var harness = MachineHarness(2, scheme: "http")
    harness.start(duration: 10)
    _ = harness.seek(10)
    #expect(end(&harness, .httpError).events.isEmpty)
    harness.settle()
    harness.run(measured: 10)
    #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
    harness.settle()
    harness.run()
    _ = harness.seek(9)
    _ = end(&harness, .httpError)
    harness.settle()
    harness.run(measured: 9)
    #expect(codes(harness.end()) == [.httpError])
  }

  @Test("A looped item whose server refused the range at its end is opened again, without that failure")
  func loopAfterRefusedRange() {
    var harness = MachineHarness(1, loop: .track, scheme: "http")
    harness.start(duration: 10)
    _ = harness.seek(10)
    _ = end(&harness, .httpError)
    harness.settle()
    harness.run(measured: 10)
    #expect(harness.end().loads == [harness.items[0].uri])
    harness.settle()
    harness.run()
    #expect(codes(harness.end()).isEmpty)
  }

  @Test("An item that is ready with the received data plays it, and then fails")
  func received() {
    var harness = MachineHarness(2, scheme: "http")
    _ = harness.play()
    _ = end(&harness)
    harness.advance(.milliseconds(100))
    #expect(codes(harness.settle()).isEmpty)
    harness.run()
    #expect(codes(harness.advance(.seconds(5))).isEmpty)
    #expect(codes(harness.end()) == [.networkCut])
  }

  @Test(
    "A source that ends in the middle fails with the server's status if it is known",
    arguments: [
      (PlayerError.Code.networkCut, PlayerError.Code.networkCut), (.networkRefused, .networkCut),
      (.httpError, .httpError),
    ])
  func code(reported: PlayerError.Code, expected: PlayerError.Code) {
    var harness = MachineHarness(2, scheme: "http")
    harness.start()
    #expect(end(&harness, reported).events.isEmpty)
    #expect(codes(harness.end()) == [expected])
  }

  @Test("A new rate needs no source: the received data plays at it, and then the item fails")
  func rateAfterLoss() {
    var harness = MachineHarness(2, scheme: "http")
    harness.start(duration: 100)
    harness.advance(.seconds(2))
    _ = end(&harness)
    let effects = harness.decide(.setRate(2))
    #expect(effects.engineCommands == [.settings(harness.engineSettings)] && effects.events.isEmpty)
    harness.advance(.milliseconds(500))
    #expect(harness.position == .seconds(3))
    #expect(codes(harness.end()) == [.networkCut])
  }

  @Test("A new rate during a seek whose source has ended does not affect the seek")
  func rateDuringSeekAfterLoss() {
    var harness = MachineHarness(2, scheme: "http")
    harness.start(duration: 100)
    harness.advance(.seconds(10))
    _ = harness.seek(60)
    _ = end(&harness)
    let effects = harness.decide(.setRate(2))
    #expect(effects.engineCommands == [.settings(harness.engineSettings)] && effects.events.isEmpty)
    #expect(harness.settle(duration: 100).events == [.timeJumped(from: .seconds(10), to: .seconds(60))])
    #expect(harness.position == .seconds(60))
  }

  @Test(
    "A seek that follows another one, or repeats it exactly, opens an item again whose source has ended by then",
    arguments: [false, true])
  func furtherSeekAfterLoss(isRepeated: Bool) {
    var harness = MachineHarness(2, scheme: "http")
    harness.start(duration: 100)
    if !isRepeated { _ = harness.seek(30) }
    harness.decide(.seek(to: .seconds(60), within: .infinity, SeekTicket(number: 1)))
    _ = end(&harness)
    let settled = harness.settle(duration: 100)
    #expect(settled.loads == [harness.items[0].uri])
    #expect(settled.events == [.timeJumped(from: .zero, to: .seconds(60))])
    harness.settle(duration: 100)
    harness.settle(duration: 100)
    #expect(harness.effects.finished == [1: [true]])
  }
}
