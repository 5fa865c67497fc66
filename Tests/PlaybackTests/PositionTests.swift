import Testing

@testable import Playback

@Suite("The position of the current item") struct PositionTests {
  @Test("Is never beyond the duration, though the end is late")
  func notBeyondDuration() {
    var bench = Bench()
    bench.start(duration: 3)
    bench.pass(.seconds(20))
    #expect(bench.position == .seconds(3))
  }

  @Test("Is measured soon after a start, once more a second later, and then only when it is read")
  func sampling() {
    var bench = Bench()
    bench.start(duration: 1000)
    let first = bench.pass(.milliseconds(150))
    #expect(first.orders == [.samplePosition])
    #expect(bench.pass(.seconds(1)).orders == [.samplePosition])
    #expect(bench.pass(.seconds(100)).orders.isEmpty)
    #expect(bench.machine.nextWake == nil)
    #expect(bench.read() == [.command(.samplePosition)])
    #expect(bench.read().isEmpty)
    bench.pass(.seconds(6))
    #expect(bench.read() == [.command(.samplePosition)])
  }

  @Test("Reading it while paused or stopped asks nothing of the pipeline")
  func readWhilePaused() {
    var bench = Bench()
    bench.startPaused()
    bench.pass(.seconds(3))
    #expect(bench.read().isEmpty)
    _ = bench.stop()
    bench.pass(.seconds(30))
    #expect(bench.read().isEmpty)
  }

  @Test("A measurement that agrees is no news; one that differs bends the course, without a step")
  func corrected() {
    var bench = Bench()
    bench.start(duration: 1000)
    bench.pass(.seconds(5))
    #expect(bench.step { $0.sampled($0.token, position: .seconds(5.001), now: $1) }.isEmpty)
    let behind = bench.step { $0.sampled($0.token, position: .milliseconds(4900), now: $1) }
    #expect(behind == [.emit(.changed)])
    #expect(bench.position == .seconds(5))
    bench.pass(.seconds(20))
    #expect(bench.position == .milliseconds(24_900))
  }

  @Test("What a start takes is taken at once")
  func startCorrected() {
    var bench = Bench()
    bench.start(duration: 1000)
    bench.pass(.milliseconds(150))
    bench.step { $0.sampled($0.token, position: .milliseconds(110), now: $1) }
    #expect(bench.position == .milliseconds(150))
    bench.pass(.milliseconds(50))
    #expect(bench.position == .milliseconds(160))
  }

  @Test("An output that fell seconds behind is a jump, and told")
  func starved() {
    var bench = Bench()
    bench.start(duration: 1000)
    bench.pass(.seconds(50))
    let jump = bench.step { $0.sampled($0.token, position: .seconds(47), now: $1) }
    #expect(jump.events.contains(.timeJumped(from: .seconds(50), to: .seconds(47))))
    #expect(bench.position == .seconds(47))
  }

  @Test("A measurement of another stream, during a seek or while paused is worth nothing")
  func staleSample() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(5))
    let stale = StreamToken(number: 999)
    #expect(bench.step { $0.sampled(stale, position: .seconds(1), now: $1) }.isEmpty)
    _ = bench.seek(7)
    #expect(bench.step { $0.sampled($0.token, position: .seconds(1), now: $1) }.isEmpty)
    bench.settle()
    _ = bench.pause()
    #expect(bench.step { $0.sampled($0.token, position: .seconds(1), now: $1) }.isEmpty)
    #expect(bench.position == .seconds(7))
  }

  @Test("The duration may come later, and change; nil tells nothing new")
  func duration() {
    var bench = Bench()
    bench.start(duration: nil)
    #expect(bench.snapshot.duration == nil)
    #expect(bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(20)) } == [.emit(.changed)])
    #expect(bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(20)) }.isEmpty)
    #expect(bench.step { machine, _ in machine.durationChanged(machine.token, nil) }.isEmpty)
    #expect(bench.snapshot.duration == .seconds(20))
    bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(19)) }
    #expect(bench.snapshot.duration == .seconds(19))
  }

  @Test("A start position beyond a duration that becomes known while loading is not shown")
  func startBeyondDuration() {
    var bench = Bench()
    _ = bench.play()
    _ = bench.seek(100)
    bench.step { machine, _ in machine.durationChanged(machine.token, .seconds(10)) }
    #expect(bench.position == .seconds(10))
  }

  @Test("Tags of the current stream are merged and told once")
  func tags() {
    var bench = Bench()
    bench.start()
    var title = MediaMetadata()
    title.title = "One"
    var album = MediaMetadata()
    album.album = "Two"
    #expect(bench.step { machine, _ in machine.tagsChanged(machine.token, title) } == [.emit(.changed)])
    let revision = bench.snapshot.detailsRevision
    #expect(bench.step { machine, _ in machine.tagsChanged(machine.token, title) }.isEmpty)
    #expect(bench.snapshot.detailsRevision == revision)
    bench.step { machine, _ in machine.tagsChanged(machine.token, album) }
    #expect(bench.snapshot.metadata.title == "One")
    #expect(bench.snapshot.metadata.album == "Two")
    #expect(bench.snapshot.detailsRevision != revision)
    _ = bench.next()
    #expect(bench.snapshot.metadata == MediaMetadata())
  }

  @Test("What a stream says that is gone is dropped")
  func staleTokens() {
    var bench = Bench()
    _ = bench.play()
    let old = bench.token
    _ = bench.next()
    var tags = MediaMetadata()
    tags.title = "Old"
    #expect(bench.token != old)
    #expect(bench.step { $0.settled(old, StreamFacts(), now: $1) }.isEmpty)
    #expect(bench.step { $0.failed(old, PlayerError(.corrupt, ""), now: $1) }.isEmpty)
    #expect(bench.step { $0.buffering(old, percent: 3, StreamProgress(), now: $1) }.isEmpty)
    #expect(bench.step { machine, _ in machine.tagsChanged(old, tags) }.isEmpty)
    #expect(bench.step { machine, _ in machine.durationChanged(old, .seconds(1)) }.isEmpty)
    bench.settle()
    bench.run()
    #expect(bench.step { $0.endOfStream(old, now: $1) }.isEmpty)
    #expect(bench.step { $0.running(old, position: .seconds(9), now: $1) }.isEmpty)
    #expect(bench.step { $0.seekRefused(old, position: .seconds(9), now: $1) }.isEmpty)
    #expect(bench.step { $0.nextStarted(old, in: .zero, StreamFacts(), now: $1) }.isEmpty)
    var offered: String?
    bench.step { offered = $0.offerNext(for: old, now: $1)?.uri }
    #expect(offered == nil)
    #expect(bench.current == bench.items[1])
    #expect(bench.position == .zero)
    #expect(bench.snapshot.timeControlStatus == .playing)
  }

  @Test("What a stream says after a stop is dropped")
  func afterStop() {
    var bench = Bench()
    bench.start()
    let old = bench.token
    _ = bench.stop()
    #expect(bench.step { $0.endOfStream(old, now: $1) }.isEmpty)
    #expect(bench.step { $0.failed(old, PlayerError(.corrupt, ""), now: $1) }.isEmpty)
    #expect(bench.step { $0.failed($0.token, PlayerError(.corrupt, ""), now: $1) }.isEmpty)
    #expect(bench.step { $0.failed(old, PlayerError(.output, ""), now: $1) }.isEmpty)
    #expect(bench.step { $0.running(old, position: .zero, now: $1) }.isEmpty)
    #expect(bench.snapshot.transport == .stopped)
    #expect(bench.snapshot.lastError == nil)
  }
}
