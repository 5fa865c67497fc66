import Testing

@testable import Playback

@Suite("Reconnecting to a broadcast") struct ReconnectingTests {
  /// Returns a harness with a station that has played for 10 s, and an item after it.
  private func playing(_ configuration: Player.Configuration = Player.Configuration()) -> MachineHarness {
    var harness = MachineHarness(2, configuration: configuration, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    var tags = MediaMetadata()
    tags.organization = "The Station"
    harness.report(.stream(harness.token, .tags(tags, about: .stream)))
    harness.advance(.seconds(10))
    return harness
  }

  /// Lets one attempt after another fail; returns the seconds between them.
  private func pauses(_ harness: inout MachineHarness) -> [Int] {
    var pauses: [Int] = []
    let item = harness.current
    while harness.current == item, let wake = harness.nextWake {
      pauses.append(Int((wake - harness.now) / .seconds(1)))
      harness.advance(wake - harness.now)
      harness.fail(.networkRefused)
    }
    return pauses
  }

  @Test("A part that starts within a broadcast fails at once, because its start cannot be reached")
  func partOfBroadcast() {
    var harness = MachineHarness()
    let part = Player.Item(uri: "http:///radio", externalMetadata: nil, start: .seconds(10))
    harness.decide(.replaceQueue([part]))
    _ = harness.play()
    let effects = harness.settle(duration: nil, isSeekable: false)
    #expect(effects.events.contains { if case .itemFailed(part, _) = $0 { true } else { false } })
    #expect(harness.streamState == .none && harness.nextWake == nil)
  }

  @Test(
    "A lost connection keeps the intent and the position, and playback resumes after a reconnection",
    arguments: [PlayerError.Code.networkCut, .readError])
  func cut(code: PlayerError.Code) {
    var harness = playing()
    let lost = harness.fail(code)
    #expect(
      lost.events.filter { if case .warning = $0 { false } else { true } } == [.playbackStalled(harness.items[0])])
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(harness.snapshot.isReconnecting)
    #expect(harness.snapshot.itemStatus == .readyToPlay)
    #expect(harness.snapshot.bufferingPercent == 0)
    #expect(harness.advance(.milliseconds(999)).engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(1)).loads == [harness.items[0].uri])
    #expect(harness.position == .seconds(10))
    #expect(harness.snapshot.isReconnecting)
    harness.settle(duration: nil, isSeekable: false)
    let found = harness.run(measured: 0)
    #expect(found.events == [.playbackResumed(harness.items[0], at: .seconds(10))])
    #expect(!harness.snapshot.isReconnecting)
    harness.sample(.zero)
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(12))
  }

  @Test("The retry delays grow to 30 s; after 3 min the station fails once, and the next item plays")
  func pausesGrow() {
    var harness = playing()
    harness.fail(.networkCut)
    #expect(pauses(&harness) == [1, 2, 4, 8, 16, 30, 30, 30, 30])
    let failures = harness.effects.events.compactMap { event -> PlayerError.Code? in
      if case .itemFailed(_, let error) = event { error.code } else { nil }
    }
    #expect(failures == [.networkCut])
    #expect(harness.current == harness.items[1])
  }

  @Test("A loss soon after a reconnection continues the same retries; a later loss starts new ones")
  func again() {
    for (played, pause) in [(5, 2), (30, 1)] {
      var harness = playing()
      harness.fail(.networkCut)
      harness.advance(.seconds(1))
      harness.settle(duration: nil, isSeekable: false)
      harness.run(measured: 0)
      harness.advance(.seconds(played))
      harness.fail(.networkCut)
      #expect(harness.nextWake.map { $0 - harness.now } == .seconds(pause))
    }
  }

  @Test("A station that ends is reconnected, without a successor; another stream that ends has ended")
  func end() {
    var harness = playing()
    let next = harness.offer()
    #expect(next == nil)
    harness.end()
    #expect(harness.current == harness.items[0])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    harness = MachineHarness(2, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
  }

  @Test("A pause suspends the reconnection; play retries at once, and stop ends it")
  func paused() {
    var harness = playing()
    harness.fail(.networkCut)
    _ = harness.pause()
    #expect(harness.nextWake == nil)
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.play().loads == [harness.items[0].uri])
    #expect(harness.position == .seconds(10))
    harness.fail(.networkRefused)
    _ = harness.stop()
    #expect(harness.nextWake == nil)
    #expect(harness.snapshot.transport == .stopped)
  }

  @Test("Reconnection is for stations that have played and lost the network, and not for files")
  func others() {
    var harness = MachineHarness(2, scheme: "http")
    harness.start()
    harness.fail(.networkCut)
    #expect(harness.current == harness.items[1])
    harness = MachineHarness(2, scheme: "http")
    _ = harness.play()
    harness.fail(.networkRefused)
    #expect(harness.current == harness.items[1])
    harness = playing()
    harness.fail(.codecMissing)
    #expect(harness.current == harness.items[1])
    // A file of unknown duration from a server without range requests.
    var file = StreamProgress()
    file.size = 490_000
    harness = playing()
    harness.decide(.progress(file, of: harness.token))
    harness.fail(.networkCut)
    #expect(harness.current == harness.items[1])
    harness = playing(Player.Configuration(reconnectTimeout: .zero))
    harness.fail(.networkCut)
    #expect(harness.current == harness.items[1])
  }
}
