import Testing

@testable import Playback

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
    #expect(bench.snapshot.isPlaybackBufferEmpty)
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

  @Test("In the tail of the hand-over all of the item is decoded, and an empty buffer stalls nothing")
  func inTail() throws {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(9))
    _ = try bench.enterTail(1)
    bench.pass(.milliseconds(500))
    #expect(bench.buffer(0).orders.isEmpty)
    bench.pass(.milliseconds(600))
    #expect(bench.current == bench.items[1])
    #expect(bench.snapshot.timeControlStatus == .playing)
  }

  @Test("A successor whose buffer ran empty before it was heard stalls when it has been heard")
  func afterHandOver() throws {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(9))
    let next = try bench.enterTail(1)
    bench.step { $0.buffering(next, percent: 0, StreamProgress(), now: $1) }
    bench.pass(.milliseconds(1_100))
    #expect(bench.current == bench.items[1])
    #expect(bench.snapshot.timeControlStatus == .playing)
    bench.step { machine, _ in machine.follow(.decoded(until: .seconds(2)), of: next) }
    bench.measure()
    bench.pass(.milliseconds(1_800))
    #expect(bench.measure().events.isEmpty)
    bench.pass(.milliseconds(60))
    #expect(bench.measure().events == [.playbackStalled(bench.items[1])])
  }

  @Test("What was taken from the queue is heard before a stall, and the buffer is empty only then")
  func downstream() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.buffer(100, held: 2)
    bench.pass(.seconds(3))
    #expect(bench.buffer(0, held: 1.5).events.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .playing)
    #expect(bench.snapshot.bufferingPercent == 75)
    #expect(bench.snapshot.loadedTimeRanges == [.seconds(3)..<(.milliseconds(4_500))])
    // The look is due when all but the margin has been heard, and finds that more has been decoded by then.
    #expect(bench.pass(.milliseconds(1_449)).orders.isEmpty)
    #expect(bench.pass(.milliseconds(1)).orders == [.samplePosition])
    bench.step { machine, _ in machine.follow(.decoded(until: .seconds(5)), of: machine.token) }
    #expect(bench.measure().events.isEmpty)
    #expect(!bench.snapshot.isPlaybackBufferEmpty)
    #expect(bench.pass(.milliseconds(500)).orders == [.samplePosition])
    let dry = bench.measure()
    #expect(dry.events == [.playbackStalled(bench.items[0])])
    #expect(dry.orders == [.setPlaying(false)])
    #expect(bench.position == .milliseconds(4_950))
    #expect(bench.snapshot.isPlaybackBufferEmpty)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
  }

  @Test("Half of the forward buffer ahead of the position is half of it, however full the queue of GStreamer is")
  func held() {
    var bench = Bench(scheme: "http")
    _ = bench.play()
    bench.buffer(3, held: 1)
    bench.settle()
    #expect(bench.snapshot.bufferingPercent == 50)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(bench.buffer(4, held: 2).orders == [.setPlaying(true)])
    #expect(bench.snapshot.isPlaybackBufferFull)
  }

  @Test("While the queue is not empty, a decoder that is late is waited for, and play does not stall")
  func lateDecoder() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(1))
    var progress = StreamProgress.decoded(until: .seconds(1))
    progress.receive(from: 0)
    progress.receive(bytes: 10_000)
    progress.forward(from: 0)
    progress.forward(bytes: 9_000)
    bench.step { [progress] in $0.buffering($0.token, percent: 10, progress, now: $1) }
    bench.pass(.zero)
    #expect(bench.measure().events.isEmpty)
    #expect(bench.pass(.milliseconds(25)).orders == [.samplePosition])
    progress.forward(bytes: 1_000)
    bench.step { [progress] machine, _ in machine.follow(progress, of: machine.token) }
    #expect(bench.measure().events == [.playbackStalled(bench.items[0])])
  }

  @Test("What only seemed to be held when play stalled does not count when the buffer fills again")
  func surplus() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(1))
    // A tenth of the bytes is 1 s; decoded is nothing of them.
    var progress = StreamProgress.decoded(until: .seconds(1))
    progress.size = 1_000
    progress.receive(from: 100)
    progress.forward(from: 100)
    progress.forward(bytes: 300)
    progress.receive(bytes: 300)
    bench.step { [progress] in $0.buffering($0.token, percent: 0, progress, now: $1) }
    bench.pass(.zero)
    #expect(bench.measure().events == [.playbackStalled(bench.items[0])])
    #expect(bench.snapshot.isPlaybackBufferEmpty)
    #expect(bench.snapshot.loadedTimeRanges.isEmpty)
    progress.receive(bytes: 100)
    bench.step { [progress] in $0.buffering($0.token, percent: 1, progress, now: $1) }
    #expect(bench.snapshot.bufferingPercent == 50)
    #expect(bench.snapshot.loadedTimeRanges == [.seconds(1)..<(.seconds(2))])
  }

  @Test("Play resumes when the buffer fills while the pipeline is still pausing")
  func filledWhilePausing() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(3))
    #expect(bench.buffer(0).events == [.playbackStalled(bench.items[0])])
    let facts = StreamFacts(duration: .seconds(10), progress: .decoded(until: .seconds(5)))
    let settled = bench.step { $0.settled($0.token, facts, now: $1) }
    #expect(settled.orders == [.setPlaying(true)])
    #expect(bench.run(measured: 3).events == [.playbackResumed(bench.items[0], at: .seconds(3))])
    #expect(bench.buffer(100, held: 2).orders.isEmpty)
  }

  @Test("At the end of the item an empty buffer is no stall")
  func atEnd() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.pass(.seconds(9))
    bench.buffer(0, held: 1)
    bench.pass(.milliseconds(990))
    #expect(bench.measure().events.isEmpty)
    #expect(bench.end().events.first == .itemDidPlayToEnd(bench.items[0]))
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
