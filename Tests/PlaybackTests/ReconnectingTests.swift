import Testing

@testable import Playback

@Suite("A broadcast that is lost is looked for") struct ReconnectingTests {
  /// A station that has played for ten seconds, with an item after it.
  private func playing(_ configuration: PlayerConfiguration = PlayerConfiguration()) -> Bench {
    var bench = Bench(2, configuration: configuration, scheme: "http")
    bench.start(duration: nil, isSeekable: false)
    var tags = MediaMetadata()
    tags.organization = "The Station"
    bench.step { machine, _ in machine.tagsChanged(machine.token, tags) }
    bench.pass(.seconds(10))
    return bench
  }

  /// Lets the attempts fail, one after the other; the seconds between them.
  private func pauses(_ bench: inout Bench) -> [Int] {
    var pauses: [Int] = []
    while let wake = bench.machine.nextWake, case .sourceLost = bench.machine.phase {
      pauses.append(Int((wake - bench.now) / .seconds(1)))
      bench.pass(wake - bench.now)
      bench.fail(.networkRefused)
    }
    return pauses
  }

  @Test(
    "Cut off, it waits with the intent kept and the position held, and goes on from there",
    arguments: [PlayerError.Code.networkCut, .readError])
  func cut(code: PlayerError.Code) {
    var bench = playing()
    let lost = bench.fail(code)
    #expect(lost.events.filter { if case .warning = $0 { false } else { true } } == [.playbackStalled(bench.items[0])])
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(bench.snapshot.itemStatus == .readyToPlay)
    #expect(bench.snapshot.bufferingPercent == 0)
    #expect(bench.pass(.milliseconds(999)).orders.isEmpty)
    #expect(bench.pass(.milliseconds(1)).loads == [bench.items[0].uri])
    #expect(bench.position == .seconds(10))
    bench.settle(duration: nil, isSeekable: false)
    let found = bench.run(measured: 0)
    #expect(found.events == [.playbackResumed(bench.items[0], at: .seconds(10))])
    bench.step { $0.sampled($0.token, position: .zero, now: $1) }
    bench.pass(.seconds(2))
    #expect(bench.position == .seconds(12))
  }

  @Test("The pauses grow to half a minute; after three minutes it is one failure, and the next item plays")
  func pausesGrow() {
    var bench = playing()
    bench.fail(.networkCut)
    #expect(pauses(&bench) == [1, 2, 4, 8, 16, 30, 30, 30, 30])
    let failures = bench.effects.events.compactMap { event -> PlayerError.Code? in
      if case .itemFailed(_, let error) = event { error.code } else { nil }
    }
    #expect(failures == [.networkCut])
    #expect(bench.current == bench.items[1])
  }

  @Test("What is lost again at once is the same loss, what has played for a while another")
  func again() {
    for (played, pause) in [(5, 2), (30, 1)] {
      var bench = playing()
      bench.fail(.networkCut)
      bench.pass(.seconds(1))
      bench.settle(duration: nil, isSeekable: false)
      bench.run(measured: 0)
      bench.pass(.seconds(played))
      bench.fail(.networkCut)
      #expect(bench.machine.nextWake.map { $0 - bench.now } == .seconds(pause))
    }
  }

  @Test("A station that ends is lost and not joined with the next item; another stream that ends has ended")
  func end() {
    var bench = playing()
    let offer = bench.offer()
    #expect(offer == nil)
    bench.end()
    #expect(bench.current == bench.items[0])
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    bench = Bench(2, scheme: "http")
    bench.start(duration: nil, isSeekable: false)
    #expect(bench.end().events.first == .itemDidPlayToEnd(bench.items[0]))
  }

  @Test("Paused, nothing is looked for; Play does it at once, and Stop ends it")
  func paused() {
    var bench = playing()
    bench.fail(.networkCut)
    _ = bench.pause()
    #expect(bench.machine.nextWake == nil)
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.play().loads == [bench.items[0].uri])
    #expect(bench.position == .seconds(10))
    bench.fail(.networkRefused)
    _ = bench.stop()
    #expect(bench.machine.nextWake == nil)
    #expect(bench.snapshot.transport == .stopped)
  }

  @Test("A file of a known length, what never played, and what is no fault of the network fail as ever")
  func others() {
    var bench = Bench(2, scheme: "http")
    bench.start()
    bench.fail(.networkCut)
    #expect(bench.current == bench.items[1])
    bench = Bench(2, scheme: "http")
    _ = bench.play()
    bench.fail(.networkRefused)
    #expect(bench.current == bench.items[1])
    bench = playing()
    bench.fail(.codecMissing)
    #expect(bench.current == bench.items[1])
    // A file whose duration is not known, from a server without ranges.
    var file = StreamProgress()
    file.size = 490_000
    bench = playing()
    bench.step { [file] machine, _ in machine.follow(file, of: machine.token) }
    bench.fail(.networkCut)
    #expect(bench.current == bench.items[1])
    bench = playing(PlayerConfiguration(reconnectTimeout: .zero))
    bench.fail(.networkCut)
    #expect(bench.current == bench.items[1])
  }
}
