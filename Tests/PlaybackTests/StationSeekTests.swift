import Testing

@testable import Playback

/// The rules of going back in a station whose received data the engine keeps, or whose server offers the past.
@Suite("Going back in a station") struct StationSeekTests {
  /// Returns the progress of a station with data that is kept, in seconds.
  private func progress(_ kept: ClosedRange<Double>, decoded: Double) -> StreamProgress {
    var progress = StreamProgress.decoded(until: .seconds(decoded))
    progress.kept = Duration.seconds(kept.lowerBound)..<Duration.seconds(kept.upperBound)
    return progress
  }

  /// Returns a harness with a station that has played for 100 s, of which all and 5 s more are kept.
  private func playing() -> MachineHarness {
    var harness = MachineHarness(1, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    var tags = MediaMetadata()
    tags.organization = "The Station"
    harness.report(.stream(harness.token, .tags(tags, about: .stream)))
    harness.advance(.seconds(100))
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(0...105, decoded: 104))))
    return harness
  }

  private func target(_ effects: [Effect]) -> Duration? {
    effects.engineCommands.compactMap { if case .seek(_, let target, _) = $0 { target } else { nil } }.last
  }

  @Test("A station supports seeking within the kept data, up to a forward buffer before its end, and has no duration")
  func range() {
    var harness = MachineHarness(1, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    #expect(!harness.snapshot.isSeekable && harness.snapshot.seekableTimeRanges.isEmpty)
    harness = playing()
    #expect(harness.snapshot.isSeekable && harness.snapshot.duration == nil)
    #expect(harness.snapshot.seekableTimeRanges == [Duration.zero..<Duration.seconds(103)])
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(50...120, decoded: 104))))
    #expect(harness.snapshot.seekableTimeRanges == [Duration.seconds(51)..<Duration.seconds(118)])
    _ = harness.stop()
    #expect(!harness.snapshot.isSeekable && harness.snapshot.seekableTimeRanges.isEmpty)
  }

  @Test("A seek goes to its target, or to the nearest position; at the end of the kept data, nothing is received again")
  func seeks() {
    var harness = playing()
    #expect(target(harness.seek(70)) == .seconds(70))
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 70)
    #expect(harness.position == .seconds(70) && harness.snapshot.isSeekable)
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(20...130, decoded: 74))))
    #expect(target(harness.seek(0)) == .seconds(21))
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 21)
    #expect(target(harness.seek(500)) == .seconds(128))
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 128)
    #expect(target(harness.seek(500)) == nil)
    #expect(harness.position == .seconds(128))
  }

  @Test("A short pause continues where it was, and one longer than the data is kept at the oldest data")
  func pauses() {
    var harness = playing()
    _ = harness.pause()
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(40...140, decoded: 104))))
    #expect(target(harness.play()) == nil)
    harness.run()
    #expect(harness.position == .seconds(100))
    _ = harness.pause()
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(300...900, decoded: 104))))
    #expect(target(harness.play()) == .seconds(301))
    harness.settle(duration: nil, isSeekable: false)
    #expect(harness.lastEffects.events.contains(.timeJumped(from: .seconds(100), to: .seconds(301))))
  }

  @Test("After a cut, a seek stays in the kept data, and playback reconnects at its end")
  func cut() {
    var harness = playing()
    var error = PlayerError(code: .networkCut, message: "scripted")
    error.isFromSource = true
    harness.report(.stream(harness.token, .failed(error)))
    let sought = harness.seek(30)
    #expect(target(sought) == .seconds(30) && sought.loads.isEmpty)
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 30)
    #expect(harness.snapshot.timeControlStatus == .playing)
    harness.advance(.seconds(10))
    let ended = harness.report(.stream(harness.token, .ended(at: .seconds(105))))
    #expect(ended.events.contains(.playbackStalled(harness.items[0])) && harness.snapshot.isReconnecting)
    #expect(!harness.snapshot.isSeekable)
  }

  @Test("After the end of the process that kept the data, nothing of it can be reached")
  func lostProcess() {
    var harness = playing()
    var error = PlayerError(code: .networkCut, message: "scripted")
    (error.isFromSource, error.losesKeptData) = (true, true)
    harness.report(.stream(harness.token, .failed(error)))
    #expect(!harness.snapshot.isSeekable && target(harness.seek(30)) == nil)
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("After a reconnection, the positions of the kept data continue the ones before")
  func reconnected() {
    var harness = playing()
    harness.fail(.networkCut)
    harness.advance(.seconds(1))
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 0)
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(0...12, decoded: 4))))
    #expect(harness.snapshot.seekableTimeRanges == [Duration.seconds(100)..<Duration.seconds(110)])
    #expect(target(harness.seek(0)) == .zero)
    #expect(target(harness.seek(104)) == nil, "it follows the seek in progress")
    harness.settle(duration: nil, isSeekable: false)
    #expect(target(harness.lastEffects) == .seconds(4))
  }

  @Test("A live stream is seekable within the window of its server, and after a long pause it continues at its start")
  func window() {
    var harness = MachineHarness(1, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    let offer = { (harness: inout MachineHarness, window: Range<Int>) in
      var progress = StreamProgress.decoded(until: .seconds(62))
      progress.window = Duration.seconds(window.lowerBound)..<Duration.seconds(window.upperBound)
      harness.report(.stream(harness.token, .progressed(progress)))
    }
    harness.advance(.seconds(60))
    offer(&harness, 0..<70)
    #expect(harness.snapshot.seekableTimeRanges == [Duration.zero..<Duration.seconds(70)])
    #expect(target(harness.seek(20)) == .seconds(20))
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 20)
    offer(&harness, 10..<80)
    _ = harness.pause()
    // The window moves on during the pause, unreported.
    harness.advance(.seconds(300))
    #expect(target(harness.play()) == .seconds(311))
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 311)
    // Its server does not answer any more, so no seek reaches what it offered.
    var error = PlayerError(code: .networkCut, message: "scripted")
    error.isFromSource = true
    harness.report(.stream(harness.token, .failed(error)))
    #expect(!harness.snapshot.isSeekable && target(harness.seek(200)) == nil)
  }

  @Test("At a seek, the title is the one at its target, although the engine repeats it later")
  func shownTitle() {
    var harness = playing()
    let token = harness.token
    let title = { (harness: inout MachineHarness, text: String, start: Double) in
      var tags = MediaMetadata()
      tags.title = text
      harness.report(.stream(token, .tags(tags, about: .item)))
      harness.report(.stream(token, .titleStarts(text, at: .seconds(start))))
    }
    title(&harness, "One", 10)
    title(&harness, "Two", 90)
    _ = harness.seek(50)
    #expect(harness.snapshot.metadata.title == "One")
    harness.settle(duration: nil, isSeekable: false)
    harness.run(measured: 50)
    _ = harness.seek(102)
    #expect(harness.snapshot.metadata.title == "Two")
  }

  @Test("At the present, a request for the present does nothing, and a short step back is a seek")
  func present() {
    var harness = playing()
    harness.report(.stream(harness.token, .buffering(percent: 100, progress(0...102.5, decoded: 101.5))))
    // The reachable end is at 100.5 s, half a second after the position; a client knew another one.
    #expect(target(harness.seek(99.8)) == nil && harness.position == .seconds(100))
    #expect(target(harness.seek(500)) == nil)
    #expect(target(harness.seek(98)) == .seconds(98))
  }

  @Test("A title that is heard again after a seek back is not noted again")
  func titles() {
    var titles: [StreamTitle] = []
    titles.note("One", at: .seconds(1))
    titles.note("Two", at: .seconds(9))
    titles.note("One", at: .seconds(4))
    titles.note("Two", at: .seconds(9))
    titles.note("One", at: .seconds(20))
    #expect(titles.map(\.text) == ["One", "Two", "One"] && titles.map(\.start) == [1, 9, 20].map { .seconds($0) })
  }
}
