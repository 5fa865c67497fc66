import Testing

@testable import Playback

@Suite("Position and duration of the current item") struct PositionTests {
  @Test("The position is never beyond the duration, even if the end is late")
  func notBeyondDuration() {
    var harness = MachineHarness()
    harness.start(duration: 3)
    harness.advance(.seconds(12))
    #expect(harness.current == harness.items[0])
    #expect(harness.position == .seconds(3))
  }

  @Test("The position is measured three times after a start, shortly before the end, and when it is read")
  func sampling() {
    var harness = MachineHarness()
    harness.start(duration: 1000)
    let first = harness.advance(.milliseconds(150))
    #expect(first.engineCommands == [.samplePosition(of: harness.token)])
    #expect(harness.advance(.milliseconds(100)).engineCommands == [.samplePosition(of: harness.token)])
    #expect(harness.advance(.seconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    #expect(harness.advance(.seconds(100)).engineCommands.isEmpty)
    // The check of the duration.
    #expect(
      harness.nextWake == harness.now + (.seconds(999.5) - harness.position))
    #expect(harness.read() == [.command(.samplePosition(of: harness.token))])
    #expect(harness.read().isEmpty)
    harness.advance(.seconds(6))
    #expect(harness.read() == [.command(.samplePosition(of: harness.token))])
  }

  @Test("Reading the position while paused or stopped sends no query to the pipeline")
  func readWhilePaused() {
    var harness = MachineHarness()
    harness.startPaused()
    harness.advance(.seconds(3))
    #expect(harness.read().isEmpty)
    _ = harness.stop()
    harness.advance(.seconds(30))
    #expect(harness.read().isEmpty)
  }

  @Test("A measurement that agrees changes nothing; one that differs is corrected gradually")
  func corrected() {
    var harness = MachineHarness()
    harness.start(duration: 1000)
    harness.advance(.seconds(5))
    #expect(harness.sample(.seconds(5.001)).isEmpty)
    #expect(harness.sample(.milliseconds(4900)).isEmpty)
    #expect(harness.position == .seconds(5))
    harness.advance(.seconds(20))
    #expect(harness.position == .milliseconds(24_900))
  }

  @Test("A late start is corrected at once")
  func startCorrected() {
    var harness = MachineHarness()
    harness.start(duration: 1000)
    harness.advance(.milliseconds(150))
    harness.sample(.milliseconds(110))
    #expect(harness.position == .milliseconds(150))
    harness.advance(.milliseconds(50))
    #expect(harness.position == .milliseconds(160))
  }

  @Test("At another rate, a late start is corrected at once too, and late starts do not add up")
  func fastStartsCorrected() {
    var harness = MachineHarness()
    harness.decide(.playImmediately(rate: 4))
    harness.settle(duration: 1000)
    harness.settle(duration: 1000)
    for start in [Duration.zero, .milliseconds(680)] {
      // The output begins 80 ms late.
      harness.report(.audible(harness.token, at: start))
      harness.advance(.milliseconds(150))
      harness.sample(start + .milliseconds(280))
      harness.advance(.milliseconds(100))
      #expect(harness.position == start + .milliseconds(680))
      _ = harness.pause()
      _ = harness.play()
    }
  }

  @Test("An output that has fallen seconds behind is reported as a time jump")
  func starved() {
    var harness = MachineHarness()
    harness.start(duration: 1000)
    harness.advance(.seconds(50))
    let jump = harness.sample(.seconds(47))
    #expect(jump.events.contains(.timeJumped(from: .seconds(50), to: .seconds(47))))
    #expect(harness.position == .seconds(47))
  }

  @Test("A measurement of another stream, during a seek or while paused is ignored")
  func staleSample() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(5))
    let stale = StreamToken(number: 999)
    #expect(harness.sample(.seconds(1), of: stale).isEmpty)
    _ = harness.seek(7)
    #expect(harness.sample(.seconds(1)).isEmpty)
    harness.settle()
    _ = harness.pause()
    #expect(harness.sample(.seconds(1)).isEmpty)
    #expect(harness.position == .seconds(7))
  }

  @Test("A duration may be reported late, and may change; an unknown duration is ignored")
  func duration() {
    var harness = MachineHarness()
    harness.start(duration: nil)
    #expect(harness.snapshot.duration == nil)
    #expect(harness.report(.stream(harness.token, .durationChanged(.seconds(20)))) == [.emit(.changed)])
    #expect(harness.report(.stream(harness.token, .durationChanged(.seconds(20)))).isEmpty)
    #expect(harness.report(.stream(harness.token, .durationChanged(nil))).isEmpty)
    #expect(harness.snapshot.duration == .seconds(20))
    harness.report(.stream(harness.token, .durationChanged(.seconds(19))))
    #expect(harness.snapshot.duration == .seconds(19))
  }

  @Test("A start position beyond the duration is clamped when the duration becomes known while loading")
  func startBeyondDuration() {
    var harness = MachineHarness()
    _ = harness.play()
    _ = harness.seek(100)
    harness.report(.stream(harness.token, .durationChanged(.seconds(10))))
    #expect(harness.position == .seconds(10))
  }

  @Test("Tags of the current stream are merged, and published once")
  func tags() {
    var harness = MachineHarness()
    harness.start()
    var title = MediaMetadata()
    title.title = "One"
    var album = MediaMetadata()
    album.album = "Two"
    #expect(harness.report(.stream(harness.token, .tags(title, about: .stream))) == [.emit(.changed)])
    let revision = harness.snapshot.detailsRevision
    #expect(harness.report(.stream(harness.token, .tags(title, about: .stream))).isEmpty)
    #expect(harness.snapshot.detailsRevision == revision)
    harness.report(.stream(harness.token, .tags(album, about: .stream)))
    #expect(harness.snapshot.metadata.title == "One")
    #expect(harness.snapshot.metadata.album == "Two")
    #expect(harness.snapshot.detailsRevision != revision)
    _ = harness.next()
    #expect(harness.snapshot.metadata == MediaMetadata())
  }
}
