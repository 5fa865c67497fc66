import Testing

@testable import Playback

@Suite("Buffering") struct BufferingTests {
  @Test("An empty buffer holds the position and reports one stall; playback resumes when the buffer is full")
  func stall() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(3))
    let dry = harness.buffer(40)
    #expect(dry.engineCommands == [.setPlaying(false)])
    #expect(dry.events == [.playbackStalled(harness.items[0])])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.snapshot.isPlaybackBufferEmpty)
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(3))
    #expect(harness.buffer(10).events.isEmpty)
    #expect(harness.buffer(99).engineCommands.isEmpty)
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
    #expect(harness.snapshot.timeControlStatus == .playing)
    #expect(harness.run(measured: 3).events == [.playbackResumed(harness.items[0], at: .seconds(3))])
    #expect(harness.buffer(100).isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(4))
    // The received range has grown.
    #expect(harness.buffer(100) == [.emit(.changed)])
  }

  @Test("The first buffering is not a stall")
  func firstFilling() {
    var harness = MachineHarness(scheme: "http")
    _ = harness.play()
    #expect(harness.buffer(0).events.isEmpty)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.buffer(60).events.isEmpty)
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
    #expect(harness.run().events.isEmpty)
  }

  @Test("Pausing during buffering stays paused")
  func pausedWhileFilling() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(40)
    #expect(harness.pause().engineCommands.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.buffer(100).engineCommands.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("Buffering while paused is not a stall, and play waits for it")
  func fillingWhilePaused() {
    var harness = MachineHarness(scheme: "http")
    harness.startPaused()
    #expect(harness.buffer(30).events.isEmpty)
    #expect(harness.play().engineCommands.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
  }

  @Test("A buffer emptied by a seek is not a stall")
  func afterSeek() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(1))
    _ = harness.seek(6)
    #expect(harness.buffer(0).events.isEmpty)
    #expect(harness.position == .seconds(6))
    harness.settle()
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(6))
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
    #expect(harness.run(measured: 6).events.isEmpty)
  }

  @Test("After a seek, the player waits for data even if the empty buffer is reported after the end of the seek")
  func emptyAfterSeek() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(100)
    harness.advance(.seconds(1))
    _ = harness.seek(6)
    #expect(harness.settle().engineCommands.isEmpty)
    harness.run(measured: 6)
    harness.advance(.milliseconds(5))
    let emptied = harness.buffer(0, held: 1)
    #expect(emptied.engineCommands == [.setPlaying(false)])
    #expect(emptied.events.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    harness.advance(.seconds(2))
    #expect(harness.position == .milliseconds(6_005))
    #expect(harness.violations.isEmpty)
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
    #expect(harness.run(measured: 6.005).events.isEmpty)
  }

  @Test("A seek waits for data if the fill level was below 100 percent before it")
  func seekWithPartOfBuffer() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(3, held: 1)
    #expect(harness.snapshot.timeControlStatus == .playing)
    _ = harness.seek(6)
    #expect(harness.settle().engineCommands == [.setPlaying(false)])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.buffer(50, held: 1).engineCommands.isEmpty)
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
    #expect(harness.run(measured: 6).events.isEmpty)
  }

  @Test("A refused seek empties no buffer: playback continues with the remaining data")
  func refusedSeek() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 100)
    harness.buffer(3, held: 1)
    _ = harness.seek(6)
    let effects = harness.report(.stream(harness.token, .seekRefused(position: .seconds(2))))
    #expect(effects.engineCommands.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .playing)
    #expect(harness.violations.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3))
  }

  @Test("Once the position has been measured after a seek, playback continues with the remaining data")
  func emptyLongAfterSeek() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(100)
    _ = harness.seek(6)
    harness.settle()
    harness.run(measured: 6)
    harness.advance(.milliseconds(200))
    harness.measure()
    #expect(harness.buffer(0, held: 1).engineCommands.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("A live stream ignores buffering messages")
  func live() {
    var harness = MachineHarness(scheme: "http")
    _ = harness.play()
    #expect(
      harness.settle(duration: nil, isSeekable: false, isLive: true).engineCommands == [
        harness.itemPlan, .setPlaying(true),
      ])
    harness.run(measured: 0)
    #expect(harness.buffer(10).isEmpty)
    #expect(harness.snapshot.timeControlStatus == .playing)
    #expect(harness.snapshot.duration == nil)
    harness.advance(.seconds(5))
    #expect(harness.position == .seconds(5))
  }

  @Test("The next item starts with a new buffer state")
  func nextItem() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(10)
    _ = harness.next()
    #expect(harness.snapshot.bufferingPercent == 100)
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    #expect(harness.run().events.isEmpty)
  }

  @Test("When an item is read to its end, an empty buffer does not stall it")
  func isRead() throws {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireNext()
    harness.settleNext(next)
    harness.report(.stream(harness.token, .read))
    harness.advance(.milliseconds(500))
    #expect(harness.buffer(0).engineCommands.isEmpty)
    harness.advance(.milliseconds(500))
    harness.enterNext(next)
    harness.advance(.milliseconds(100))
    #expect(harness.current == harness.items[1])
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("A next item whose buffer runs empty before it is audible stalls only after its decoded data has played")
  func emptySuccessor() throws {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireNext()
    harness.settleNext(next)
    harness.report(.stream(next, .buffering(percent: 0, StreamProgress())))
    harness.advance(.seconds(1))
    harness.enterNext(next)
    harness.advance(.milliseconds(100))
    #expect(harness.current == harness.items[1])
    #expect(harness.snapshot.timeControlStatus == .playing)
    harness.decide(.progress(.decoded(until: .seconds(2)), of: next))
    harness.measure()
    harness.advance(.milliseconds(1_800))
    #expect(harness.measure().events.isEmpty)
    harness.advance(.milliseconds(60))
    #expect(harness.measure().events == [.playbackStalled(harness.items[1])])
  }

  @Test("A next item that begins while the pause for a stall is carried out plays, unless playback is paused")
  func beginsDuringStall() throws {
    for isPaused in [false, true] {
      var harness = MachineHarness(scheme: "http")
      harness.start(duration: nil)
      let first = harness.token
      harness.advance(.seconds(3))
      #expect(harness.buffer(40).engineCommands == [.setPlaying(false)])
      if isPaused { _ = harness.pause() }
      let next = try harness.prepareNext()
      let begun = harness.enterNext(next).engineCommands
      #expect(
        begun == [.close(first), .plan([PlannedPart(next)])] + (isPaused ? [] : [.setPlaying(true)]))
      #expect(harness.current == harness.items[1])
      #expect(harness.violations.isEmpty)
    }
  }

  @Test("Decoded data plays before a stall is reported and the buffer counts as empty")
  func downstream() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(100, held: 2)
    harness.advance(.seconds(3))
    #expect(harness.buffer(0, held: 1.5).events.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .playing)
    #expect(harness.snapshot.bufferingPercent == 75)
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(3)..<(.milliseconds(4_500))])
    // The query is due when all but the margin has been played, and finds that more has been decoded since.
    #expect(harness.advance(.milliseconds(1_449)).engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    harness.decide(.progress(.decoded(until: .seconds(5)), of: harness.token))
    #expect(harness.measure().events.isEmpty)
    #expect(!harness.snapshot.isPlaybackBufferEmpty)
    #expect(harness.advance(.milliseconds(500)).engineCommands == [.samplePosition(of: harness.token)])
    let dry = harness.measure()
    #expect(dry.events == [.playbackStalled(harness.items[0])])
    #expect(dry.engineCommands == [.setPlaying(false)])
    #expect(harness.position == .milliseconds(4_950))
    #expect(harness.snapshot.isPlaybackBufferEmpty)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
  }

  @Test("The buffering percentage is the share of the forward buffer, independent of GStreamer's queue level")
  func held() {
    var harness = MachineHarness(scheme: "http")
    _ = harness.play()
    harness.buffer(3, held: 1)
    harness.settle()
    #expect(harness.snapshot.bufferingPercent == 50)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.buffer(4, held: 2).engineCommands == [.setPlaying(true)])
    #expect(harness.snapshot.isPlaybackBufferFull)
  }

  @Test("Playback does not stall while a late decoder has data left in the queue")
  func lateDecoder() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(1))
    var progress = StreamProgress.decoded(until: .seconds(1))
    progress.receive(from: 0)
    progress.receive(bytes: 10_000)
    progress.forward(from: 0)
    progress.forward(bytes: 9_000)
    harness.report(.stream(harness.token, .buffering(percent: 10, progress)))
    harness.advance(.zero)
    #expect(harness.measure().events.isEmpty)
    #expect(harness.advance(.milliseconds(25)).engineCommands == [.samplePosition(of: harness.token)])
    progress.forward(bytes: 1_000)
    harness.decide(.progress(progress, of: harness.token))
    #expect(harness.measure().events == [.playbackStalled(harness.items[0])])
  }

  @Test("After a stall, an overestimated buffer level does not count when the buffer fills again")
  func surplus() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(1))
    // A tenth of the bytes is 1 s; none of these bytes are decoded.
    var progress = StreamProgress.decoded(until: .seconds(1))
    progress.size = 1_000
    progress.receive(from: 100)
    progress.forward(from: 100)
    progress.forward(bytes: 300)
    progress.receive(bytes: 300)
    harness.report(.stream(harness.token, .buffering(percent: 0, progress)))
    harness.advance(.zero)
    #expect(harness.measure().events == [.playbackStalled(harness.items[0])])
    #expect(harness.snapshot.isPlaybackBufferEmpty)
    // Without a seek, the end of the range does not move back.
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(1)..<(.seconds(4))])
    progress.receive(bytes: 100)
    harness.report(.stream(harness.token, .buffering(percent: 1, progress)))
    #expect(harness.snapshot.bufferingPercent == 50)
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(1)..<(.seconds(4))])
  }

  @Test("Play resumes when the buffer fills while the engine is still pausing")
  func filledWhilePausing() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(3))
    #expect(harness.buffer(0).events == [.playbackStalled(harness.items[0])])
    let facts = StreamFacts(duration: .seconds(10), progress: .decoded(until: .seconds(5)))
    let settled = harness.report(.stream(harness.token, .settled(facts)))
    #expect(settled.engineCommands == [.setPlaying(true)])
    #expect(harness.run(measured: 3).events == [.playbackResumed(harness.items[0], at: .seconds(3))])
    #expect(harness.buffer(100, held: 2).engineCommands.isEmpty)
  }

  @Test("An empty buffer at the end of the item is not a stall")
  func atEnd() {
    var harness = MachineHarness(1, scheme: "http")
    harness.start()
    harness.advance(.seconds(9))
    harness.buffer(0, held: 1)
    harness.advance(.milliseconds(990))
    #expect(harness.measure().events.isEmpty)
    #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
  }

  @Test("Buffering percentages are clamped to 0…100", arguments: [(-5, 0), (0, 0), (250, 100)])
  func range(percent: Int, shown: Int) {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(50)
    harness.buffer(percent)
    #expect(harness.snapshot.bufferingPercent == shown)
  }
}
