import Testing

@testable import GstPlayer

@Suite("Buffering") struct BufferingTests {
  @Test("A buffer that runs dry holds the position, is told once, and play goes on by itself when it is full")
  func stall() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(3))
    let dry = bench.buffer(40)
    #expect(dry.orders == [.setPlaying(false)])
    #expect(dry.events == [.playbackStalled(bench.items[0])])
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.snapshot.bufferingPercent == 40)
    bench.pass(.seconds(2))
    #expect(bench.position == .seconds(3))
    #expect(bench.buffer(10).events.isEmpty)
    #expect(bench.buffer(99).orders.isEmpty)
    #expect(bench.buffer(100).orders == [.setPlaying(true)])
    #expect(bench.snapshot.timeControlStatus == .playing)
    #expect(bench.run(measured: 3).events == [.playbackResumed(bench.items[0], at: .seconds(3))])
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(4))
    #expect(bench.buffer(100).isEmpty)
  }

  @Test("The first filling is no stall")
  func firstFilling() {
    var bench = Bench(scheme: "http")
    _ = bench.play()
    #expect(bench.buffer(0).events.isEmpty)
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(bench.buffer(60).events.isEmpty)
    #expect(bench.buffer(100).orders == [.setPlaying(true)])
    #expect(bench.run().events.isEmpty)
  }

  @Test("A pause while it fills is the user's and stays")
  func pausedWhileFilling() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.buffer(40)
    #expect(bench.pause().orders.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.buffer(100).orders.isEmpty)
    #expect(bench.play().orders == [.setPlaying(true)])
  }

  @Test("Filling while paused is no stall, and play waits for it")
  func fillingWhilePaused() {
    var bench = Bench(scheme: "http")
    bench.startPaused()
    #expect(bench.buffer(30).events.isEmpty)
    #expect(bench.play().orders.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(bench.buffer(100).orders == [.setPlaying(true)])
  }

  @Test("What a seek empties is no stall")
  func afterSeek() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(1))
    _ = bench.seek(6)
    #expect(bench.buffer(0).events.isEmpty)
    #expect(bench.position == .seconds(6))
    bench.settle()
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(6))
    #expect(bench.buffer(100).orders == [.setPlaying(true)])
    #expect(bench.run(measured: 6).events.isEmpty)
  }

  @Test("A live stream plays on, whatever its buffer says")
  func live() {
    var bench = Bench(scheme: "http")
    _ = bench.play()
    #expect(bench.settle(duration: nil, isSeekable: false, isLive: true).orders == [.setPlaying(true)])
    bench.run(measured: 0)
    #expect(bench.buffer(10).isEmpty)
    #expect(bench.snapshot.timeControlStatus == .playing)
    #expect(bench.snapshot.duration == nil)
    bench.pass(.seconds(5))
    #expect(bench.position == .seconds(5))
  }

  @Test("Another item starts with a clean buffer")
  func nextItem() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.buffer(10)
    _ = bench.next()
    #expect(bench.snapshot.bufferingPercent == 100)
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.run().events.isEmpty)
  }

  @Test("A stall in the tail of the hand-over holds the rest of it")
  func inTail() throws {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(9))
    _ = try bench.enterTail(1)
    bench.pass(.milliseconds(500))
    bench.buffer(20)
    #expect(bench.pass(.seconds(5)).events.isEmpty)
    #expect(bench.position == .milliseconds(9500))
  }

  @Test("Percentages out of range are kept within it", arguments: [(-5, 0), (0, 0), (250, 100)])
  func range(percent: Int, shown: Int) {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.buffer(50)
    bench.buffer(percent)
    #expect(bench.snapshot.bufferingPercent == shown)
  }
}
