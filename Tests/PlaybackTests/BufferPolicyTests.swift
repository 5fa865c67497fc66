import Testing

@testable import Playback

@Suite("What play waits for, and for how long") struct BufferPolicyTests {
  private func filling(_ percent: Int, held: Double = 0, waits: Bool = true) -> Bench {
    var bench = Bench(scheme: "http")
    bench.step { $0.setAutomaticallyWaits(waits, now: $1) }
    _ = bench.play()
    bench.buffer(percent, held: held)
    return bench
  }

  @Test("A player that does not wait plays with what there is, and pauses when it runs dry")
  func notWaiting() {
    var bench = filling(7, held: 0.25, waits: false)
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.snapshot.timeControlStatus == .playing)
    bench.run(measured: 0)
    #expect(bench.buffer(3, held: 1.25).orders.isEmpty)
    bench.pass(.seconds(1))
    let dry = bench.buffer(0)
    #expect(dry.events == [.playbackStalled(bench.items[0])])
    #expect(dry.orders == [.setPlaying(false)])
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.buffer(100).orders.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
  }

  @Test("Another limit for a silent server holds at once")
  func patience() {
    var bench = filling(50)
    bench.settle()
    bench.pass(.seconds(20))
    #expect(bench.current == bench.items[0])
    bench.step { machine, _ in machine.settings.networkTimeout = .seconds(25) }
    bench.pass(.seconds(4))
    #expect(bench.current == bench.items[0])
    bench.pass(.seconds(2))
    #expect(bench.current == bench.items[1])
  }

  @Test("With nothing there at all it waits, but not to minimise stalls")
  func nothingThere() {
    var bench = filling(0, waits: false)
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(bench.buffer(1, held: 0.25).orders == [.setPlaying(true)])
  }

  @Test("Told to wait no longer it starts at once, and told to wait again it plays on until the buffer is empty")
  func changed() {
    var bench = filling(30, held: 0.5)
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.step { $0.setAutomaticallyWaits(false, now: $1) }.orders == [.setPlaying(true)])
    bench.run()
    #expect(bench.step { $0.setAutomaticallyWaits(true, now: $1) }.orders.isEmpty)
    #expect(bench.buffer(20, held: 0.3).orders.isEmpty)
    #expect(bench.buffer(0).orders == [.setPlaying(false)])
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(bench.buffer(50, held: 1).orders.isEmpty)
    #expect(bench.buffer(100).orders == [.setPlaying(true)])
  }

  @Test("Play at once starts with what there is; empty later, it is a stall like any")
  func immediately() {
    var bench = filling(30, held: 0.5)
    bench.settle()
    #expect(bench.step { $0.playImmediately(atRate: 1, now: $1) }.orders == [.setPlaying(true)])
    bench.run()
    #expect(bench.buffer(0).events == [.playbackStalled(bench.items[0])])
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(bench.buffer(60, held: 1.2).orders.isEmpty)
  }

  @Test("Play at once with an empty buffer waits, and is no stall")
  func immediatelyEmpty() {
    var bench = filling(0)
    bench.settle()
    let effects = bench.step { $0.playImmediately(atRate: 1, now: $1) }
    #expect(effects.orders.isEmpty)
    #expect(effects.events.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
  }

  @Test("Play at once from Stopped loads the item, and does not wait for a full buffer; the next play does")
  func immediatelyFromStopped() {
    var bench = Bench(scheme: "http")
    bench.step { $0.playImmediately(atRate: 2, now: $1) }
    #expect(bench.snapshot.rate == 2)
    bench.buffer(0)
    bench.buffer(5, held: 0.25)
    bench.settle()
    bench.buffer(5, held: 0.25)
    #expect(bench.settle().orders == [.setPlaying(true)])
    bench.run()
    _ = bench.pause()
    #expect(bench.play().orders.isEmpty)
  }

  @Test("A server that stays silent is waited for up to the time-out, and then fails once")
  func silentServer() {
    var bench = Bench(configuration: PlayerConfiguration(networkTimeout: .seconds(20)), scheme: "http")
    bench.start()
    bench.buffer(50)
    #expect(bench.pass(.seconds(15)).events.isEmpty)
    bench.buffer(60)
    #expect(bench.pass(.seconds(19)).events.isEmpty)
    let events = bench.pass(.seconds(1)).events
    guard case .itemFailed(bench.items[0], let error) = events.first else {
      Issue.record("no failure in \(events)")
      return
    }
    #expect(error.code == .networkTimeout)
    #expect(bench.current == bench.items[1])
  }

  @Test("While paused nobody is waited for")
  func pausedSilence() {
    var bench = Bench(configuration: PlayerConfiguration(networkTimeout: .seconds(20)), scheme: "http")
    bench.start()
    bench.buffer(50)
    _ = bench.pause()
    #expect(bench.machine.nextWake == nil)
    bench.pass(.seconds(100))
    _ = bench.play()
    #expect(bench.pass(.seconds(19)).events.isEmpty)
    #expect(bench.pass(.seconds(1)).events.count == 2)
  }

  @Test("A stream whose buffer tells nothing stalls within a second of its position's standing, and resumes by itself")
  func starved() {
    var bench = Bench(scheme: "rtsp")
    _ = bench.play()
    bench.settle(duration: nil, isSeekable: false, isLive: true)
    bench.run(measured: 0)
    var events: [PlayerEvent] = []
    func look(_ bench: inout Bench, at seconds: Double) -> [PlayerEvent] {
      bench.pass(.milliseconds(500))
      return bench.step { $0.sampled($0.token, position: .seconds(seconds), now: $1) }.events
    }
    for place in [0.5, 1, 1.5, 1.7] { events += look(&bench, at: place) }
    #expect(events.isEmpty)
    #expect(look(&bench, at: 1.7) == [.playbackStalled(bench.items[0])])
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(look(&bench, at: 1.7).isEmpty)
    #expect(look(&bench, at: 1.9) == [.playbackResumed(bench.items[0], at: .seconds(1.9))])
    #expect(bench.snapshot.timeControlStatus == .playing)
  }
}

@Suite("Ranges") struct RangeTests {
  @Test("A file is loaded and can be sought as a whole, once it is ready")
  func local() {
    var bench = Bench()
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    #expect(bench.snapshot.seekableTimeRanges.isEmpty)
    bench.start()
    #expect(bench.snapshot.loadedTimeRanges == [.zero..<(.seconds(10))])
    #expect(bench.snapshot.seekableTimeRanges == [.zero..<(.seconds(10))])
    _ = bench.stop()
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    #expect(bench.snapshot.seekableTimeRanges.isEmpty)
  }

  @Test("Of a stream, what is held follows the position, and ends with the item")
  func stream() {
    var bench = Bench(scheme: "http")
    bench.step { machine, _ in machine.setForwardBuffer(.seconds(4)) }
    #expect(bench.lastEffects.orders == [.setForwardBuffer(.seconds(4))])
    bench.start(isSeekable: false)
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    bench.buffer(100, held: 4)
    #expect(bench.snapshot.loadedTimeRanges == [.zero..<(.seconds(4))])
    #expect(bench.snapshot.seekableTimeRanges.isEmpty)
    bench.pass(.milliseconds(1_100))
    #expect(bench.snapshot.loadedTimeRanges == [.seconds(1)..<(.seconds(4))])
    bench.buffer(100, held: 4)
    #expect(bench.snapshot.loadedTimeRanges == [.seconds(1)..<(.milliseconds(5_250))])
    bench.pass(.milliseconds(6_900))
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    bench.buffer(100, held: 4)
    #expect(bench.snapshot.loadedTimeRanges == [.seconds(8)..<(.seconds(10))])
  }

  @Test("Once a successor is asked for, all of a stream is loaded; after a seek, nothing that was held before")
  func turns() throws {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.buffer(100, held: 3)
    _ = bench.seek(6)
    bench.settle()
    bench.run(measured: 6)
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    _ = try bench.takeOffer()
    #expect(bench.snapshot.loadedTimeRanges == [.seconds(6)..<(.seconds(10))])
  }

  @Test("A live stream has none")
  func live() {
    var bench = Bench(scheme: "http")
    _ = bench.play()
    bench.settle(duration: nil, isSeekable: false, isLive: true)
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    #expect(bench.snapshot.seekableTimeRanges.isEmpty)
  }
}
