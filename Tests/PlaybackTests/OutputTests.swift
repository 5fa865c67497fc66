import Testing

@testable import Playback

@Suite("The output") struct OutputTests {
  private let error = PlayerError(.output, "scripted")

  @Test("Lost while playing, the position is held, the item is not skipped, and it says why nothing sounds")
  func lost() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    let effects = bench.fail(.output)
    #expect(effects.events == [.outputFailed(error)])
    #expect(effects.orders == [.unload])
    #expect(bench.current == bench.items[0])
    #expect(bench.snapshot.transport == .playing)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.noOutput))
    #expect(bench.snapshot.lastError == error)
    bench.pass(.milliseconds(499))
    #expect(bench.position == .seconds(3))
    #expect(bench.snapshot.duration == .seconds(10))
  }

  @Test("It is tried again with a back-off that doubles from half a second to ten, and told once")
  func backOff() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    bench.fail(.output)
    var waits: [Duration] = []
    for _ in 0..<8 {
      let lost = bench.now
      guard let wake = bench.machine.nextWake else { break }
      waits.append(wake - lost)
      #expect(bench.pass(wake - lost).loads == ["file:///0"])
      #expect(bench.position == .seconds(3))
      bench.fail(.output)
    }
    #expect(waits == [0.5, 1, 2, 4, 8, 10, 10, 10].map { .seconds($0) })
    #expect(bench.effects.events.filter { $0 == .outputFailed(error) }.count == 1)
  }

  @Test("Back again, play goes on where it was, and the next loss starts with half a second")
  func resumed() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    bench.fail(.output)
    bench.pass(.milliseconds(500))
    bench.fail(.output)
    bench.pass(.seconds(1))
    #expect(bench.settle().orders == [.seek(to: .seconds(3), rate: 1)])
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.run(measured: 3).events == [.playbackResumed(bench.items[0], at: .seconds(3))])
    bench.pass(.seconds(1))
    #expect(bench.position == .seconds(4))
    bench.fail(.output)
    #expect(bench.machine.nextWake == bench.now + .milliseconds(500))
  }

  @Test("Lost while paused, it comes back paused at the same place")
  func lostWhilePaused() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    _ = bench.pause()
    bench.fail(.output)
    #expect(bench.snapshot.timeControlStatus == .paused)
    #expect(bench.pass(.milliseconds(500)).loads == ["file:///0"])
    #expect(bench.settle().orders == [.seek(to: .seconds(3), rate: 1)])
    #expect(bench.settle().orders.isEmpty)
    #expect(bench.position == .seconds(3))
    #expect(!bench.effects.events.contains { if case .playbackResumed = $0 { true } else { false } })
  }

  @Test("Pause and play without an output change the intent, and the position stays")
  func intentWithoutOutput() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(3))
    bench.fail(.output)
    #expect(bench.pause().orders.isEmpty)
    #expect(bench.snapshot.transport == .paused)
    #expect(bench.position == .seconds(3))
    #expect(bench.play().orders.isEmpty)
    #expect(bench.snapshot.timeControlStatus == .waitingToPlay(.noOutput))
    bench.pass(.milliseconds(500))
    bench.settle()
    #expect(bench.settle().orders == [.setPlaying(true)])
  }

  @Test("Stopped without an output, nothing is tried any more")
  func stopWithoutOutput() {
    var bench = Bench()
    bench.start()
    bench.fail(.output)
    _ = bench.stop()
    #expect(bench.machine.nextWake == nil)
    #expect(bench.pass(.seconds(60)).isEmpty)
  }

  @Test("Lost in the hand-over, the current item resumes where it was")
  func lostInTail() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    _ = try bench.enterTail(0.8)
    bench.fail(.output)
    bench.pass(.milliseconds(500))
    #expect(bench.lastEffects.loads == ["file:///0"])
    #expect(bench.settle().orders == [.seek(to: .seconds(9), rate: 1)])
  }

  @Test("After a long pause a local file lets go of the output, and resumes where it was")
  func parked() {
    var bench = Bench(configuration: PlayerConfiguration(releaseOutputAfter: .seconds(5)))
    bench.start()
    bench.pass(.seconds(3))
    _ = bench.pause()
    #expect(bench.machine.nextWake == bench.now + .seconds(5))
    #expect(bench.pass(.milliseconds(4999)).isEmpty)
    #expect(bench.pass(.milliseconds(1)) == [.command(.unload)])
    #expect(bench.machine.nextWake == nil)
    #expect(bench.position == .seconds(3))
    #expect(bench.snapshot.duration == .seconds(10))
    #expect(bench.snapshot.itemStatus == .readyToPlay)
    #expect(bench.snapshot.isSettled)
    #expect(bench.snapshot.isSeekable)
    #expect(bench.play().loads == ["file:///0"])
    #expect(bench.position == .seconds(3))
    #expect(bench.settle().orders == [.seek(to: .seconds(3), rate: 1)])
    #expect(bench.settle().orders == [.setPlaying(true)])
    #expect(bench.effects.events.isEmpty)
  }

  @Test("What was loaded while paused is parked too, and Next goes on from there")
  func parkedFromLoad() {
    var bench = Bench()
    _ = bench.play()
    _ = bench.pause()
    bench.settle()
    #expect(bench.pass(.seconds(60)).orders == [.unload])
    #expect(bench.next().loads == ["file:///1"])
    bench.settle()
    #expect(bench.pass(.seconds(60)).orders == [.unload])
    #expect(bench.stop().isNews)
  }

  @Test(
    "Nothing is parked that cannot be opened again at the same place", arguments: [("http", true), ("file", false)])
  func notParked(scheme: String, isSeekable: Bool) {
    var bench = Bench(scheme: scheme)
    bench.startPaused(isSeekable: isSeekable)
    #expect(bench.machine.nextWake == nil)
    #expect(bench.pass(.seconds(600)).isEmpty)
  }

  @Test("While playing, however long, nothing is parked")
  func notWhilePlaying() {
    var bench = Bench()
    bench.startPaused(duration: 1000)
    bench.pass(.seconds(4))
    _ = bench.play()
    bench.run()
    #expect(!bench.pass(.seconds(100)).orders.contains(.unload))
  }
}
