import TestSupport
import Testing

@testable import Playback

/// The observable state of a machine, and the properties whose observers were notified.
@Player.StateActor private final class Watch {
  let state: Player.State
  private(set) var reported: [String] = []

  init(_ harness: MachineHarness) { state = Player.State(harness.snapshot) }

  /// Applies the machine's decisions so far in one transaction; returns the properties whose observers were notified.
  func update(_ harness: MachineHarness) -> [String] {
    let recorded = EventLog<String>()
    for (name, read) in Self.properties {
      withObservationTracking {
        _ = read(state)
      } onChange: {
        recorded.append(name)
      }
    }
    state.update(harness.snapshot)
    return recorded.elements.sorted()
  }

  static let properties: [(name: String, read: @Player.StateActor (Player.State) -> Any?)] = [
    ("transport", { $0.transport }), ("timeControlStatus", { $0.timeControlStatus }),
    ("reasonForWaitingToPlay", { $0.reasonForWaitingToPlay }), ("rate", { $0.rate }), ("volume", { $0.volume }),
    ("isMuted", { $0.isMuted }), ("currentItem", { $0.currentItem }), ("itemStatus", { $0.itemStatus }),
    ("lastError", { $0.lastError }), ("duration", { $0.duration }), ("metadata", { $0.metadata }),
    ("chapters", { $0.chapters }), ("currentChapterIndex", { $0.currentChapterIndex }),
    ("isSeekable", { $0.isSeekable }), ("isPositionEstimated", { $0.isPositionEstimated }),
    ("bufferingPercent", { $0.bufferingPercent }),
    ("isPlaybackBufferEmpty", { $0.isPlaybackBufferEmpty }), ("isPlaybackBufferFull", { $0.isPlaybackBufferFull }),
    ("isPlaybackLikelyToKeepUp", { $0.isPlaybackLikelyToKeepUp }), ("loop", { $0.loop }),
    ("isShuffled", { $0.isShuffled }), ("hasNext", { $0.hasNext }), ("hasPrevious", { $0.hasPrevious }),
    ("defaultRate", { $0.defaultRate }), ("actionAtItemEnd", { $0.actionAtItemEnd }),
    ("automaticallyWaitsToMinimizeStalling", { $0.automaticallyWaitsToMinimizeStalling }),
    ("preferredForwardBufferDuration", { $0.preferredForwardBufferDuration }),
    ("loadedTimeRanges", { $0.loadedTimeRanges }), ("seekableTimeRanges", { $0.seekableTimeRanges }),
    ("loopCount", { $0.loopCount }), ("audioOutput", { $0.audioOutput }), ("audioTracks", { $0.audioTracks }),
    ("audioTrackIndex", { $0.audioTrackIndex }), ("preferredAudioLanguages", { $0.preferredAudioLanguages }),
  ]
}

@Suite("Observable player state") @Player.StateActor struct ObservationTests {
  private func titled(_ title: String) -> MediaMetadata {
    var metadata = MediaMetadata()
    metadata.title = title
    return metadata
  }

  @Test("A property notifies its observers from its first read on, whatever was read before", arguments: [false, true])
  func firstRead(readsOthers: Bool) {
    var harness = MachineHarness()
    let state = Player.State(harness.snapshot)
    if readsOthers { _ = (state.volume, state.transport) }
    harness.decide(.setVolume(0.5))
    state.update(harness.snapshot)
    let notified = EventLog<Double>()
    withObservationTracking {
      _ = state.rate
    } onChange: {
      notified.append(state.rate)
    }
    harness.decide(.setVolume(0.7))
    state.update(harness.snapshot)
    #expect(notified.elements.isEmpty)
    harness.decide(.setRate(2))
    state.update(harness.snapshot)
    // An observer is notified before the change.
    #expect(notified.elements == [1])
    #expect((state.rate, state.volume) == (2, 0.7))
  }

  @Test("A repetition of an item notifies the observers of the loop count")
  func loopCount() {
    var harness = MachineHarness(1, loop: .track)
    harness.start()
    let watch = Watch(harness)
    harness.advance(.seconds(10))
    harness.end()
    #expect(watch.update(harness).contains("loopCount"))
    #expect(watch.state.loopCount == 1)
  }

  @Test("The neighbours equal the snapshot's")
  func neighbours() {
    let watch = Watch(MachineHarness(2))
    #expect((watch.state.hasPrevious, watch.state.hasNext) == (false, true))
    let last = Watch(MachineHarness(2, at: 1))
    #expect((last.state.hasPrevious, last.state.hasNext) == (true, false))
  }

  @Test("The status and its reason change in one transaction, together with the buffer properties only")
  func statusAndReason() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.buffer(100, held: 1)
    let watch = Watch(harness)
    harness.buffer(40)
    let buffer = ["bufferingPercent", "isPlaybackBufferEmpty", "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp"]
    #expect(watch.update(harness) == buffer + ["reasonForWaitingToPlay", "timeControlStatus"])
    #expect(watch.state.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(watch.state.reasonForWaitingToPlay == .toMinimizeStalls)
    harness.buffer(60)
    #expect(watch.update(harness) == ["bufferingPercent", "isPlaybackBufferEmpty"])
    harness.buffer(0)
    #expect(watch.update(harness) == ["bufferingPercent", "isPlaybackBufferEmpty"])
    harness.buffer(100, held: 1)
    #expect(
      watch.update(harness) == [
        "bufferingPercent", "isPlaybackBufferEmpty", "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp",
        "reasonForWaitingToPlay", "timeControlStatus",
      ])
    #expect(watch.state.timeControlStatus == .playing)
    #expect(watch.state.reasonForWaitingToPlay == nil)
  }

  @Test("All changes of one decision are published in one transaction")
  func oneCommand() {
    var harness = MachineHarness()
    let watch = Watch(harness)
    _ = harness.play()
    #expect(watch.update(harness) == ["isSeekable", "reasonForWaitingToPlay", "timeControlStatus", "transport"])
    harness.settle()
    harness.run()
    #expect(
      watch.update(harness) == [
        "duration", "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp", "itemStatus", "loadedTimeRanges",
        "reasonForWaitingToPlay", "seekableTimeRanges", "timeControlStatus",
      ])
    _ = harness.stop()
    #expect(
      watch.update(harness) == [
        "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp", "isSeekable", "loadedTimeRanges", "seekableTimeRanges",
        "timeControlStatus", "transport",
      ])
  }

  @Test("The duration and tags of a gapless next item are published when it becomes current")
  func nextItem() throws {
    var harness = MachineHarness(2)
    harness.start(duration: 10)
    harness.report(.stream(harness.token, .tags(titled("First"), about: .stream)))
    let watch = Watch(harness)
    harness.advance(.seconds(9))
    let next = try harness.prepareNext(duration: 7)
    harness.report(.stream(next, .tags(titled("Second"), about: .stream)))
    #expect(watch.update(harness).isEmpty)
    #expect(watch.state.duration == .seconds(10))
    #expect(watch.state.metadata.title == "First")
    harness.advance(.seconds(1))
    harness.enterNext(next)
    #expect(
      watch.update(harness) == [
        "currentItem", "duration", "hasNext", "hasPrevious", "loadedTimeRanges", "metadata", "seekableTimeRanges",
      ])
    #expect(watch.state.currentItem == harness.items[1])
    #expect(watch.state.duration == .seconds(7))
    #expect(watch.state.metadata.title == "Second")
  }

  @Test("A skip resets the duration and the tags of the previous item")
  func skip() {
    var harness = MachineHarness(2)
    harness.start(duration: 10)
    harness.report(.stream(harness.token, .tags(titled("First"), about: .stream)))
    let watch = Watch(harness)
    _ = harness.next()
    let reported = watch.update(harness)
    #expect(Set(reported).isSuperset(of: ["currentItem", "duration", "itemStatus", "metadata"]))
    #expect(watch.state.currentItem == harness.items[1])
    #expect(watch.state.duration == nil)
    #expect(watch.state.metadata == MediaMetadata())
    #expect(watch.state.itemStatus == .unknown)
  }

  @Test("A failure is published with the status that results from it")
  func failure() {
    var harness = MachineHarness(1)
    _ = harness.play()
    let watch = Watch(harness)
    harness.fail(.corrupt)
    #expect(
      watch.update(harness) == [
        "isSeekable", "itemStatus", "lastError", "reasonForWaitingToPlay", "timeControlStatus", "transport",
      ])
    #expect(watch.state.itemStatus == .failed)
    #expect(watch.state.lastError?.code == .corrupt)
  }

  @Test("A setting notifies its own observers only")
  func settings() {
    var harness = MachineHarness(3, at: 1)
    let watch = Watch(harness)
    harness.decide(.setVolume(0.5))
    #expect(watch.update(harness) == ["volume"])
    harness.decide(.setMuted(true))
    #expect(watch.update(harness) == ["isMuted"])
    harness.decide(.setRate(2))
    #expect(watch.update(harness) == ["rate"])
    harness.decide(.setLoop(.playlist))
    #expect(watch.update(harness) == ["loop"])
    harness.decide(.setShuffled(true))
    #expect(watch.update(harness) == ["isShuffled"])
    #expect(watch.state.volume == 0.5)
    #expect(watch.state.isMuted)
    #expect(watch.state.rate == 2)
    #expect(watch.state.loop == .playlist)
    #expect(watch.state.isShuffled)
  }

  @Test("A change of position alone notifies no observer")
  func quiet() {
    var harness = MachineHarness()
    harness.start(duration: 100)
    let watch = Watch(harness)
    #expect(watch.update(harness).isEmpty)
    harness.advance(.seconds(30))
    #expect(watch.update(harness).isEmpty)
    // A correction of the clock is reported with the anchor, as soon as that is no longer accurate.
    #expect(harness.sample(.seconds(29)).isEmpty)
    #expect(watch.update(harness).isEmpty)
    _ = harness.seek(50)
    harness.settle()
    harness.run(measured: 50)
    #expect(watch.update(harness).isEmpty)
  }

  @Test("The buffer flags are false while nothing is loaded")
  func bufferOfNothing() {
    var harness = MachineHarness(scheme: "http")
    let watch = Watch(harness)
    func claims() -> [Bool] {
      let state = watch.state
      return [state.isPlaybackBufferEmpty, state.isPlaybackBufferFull, state.isPlaybackLikelyToKeepUp]
    }
    #expect(claims() == [false, false, false])
    _ = harness.play()
    _ = watch.update(harness)
    #expect(claims() == [false, false, false])
    harness.buffer(0)
    _ = watch.update(harness)
    #expect(claims() == [true, false, false])
    harness.settle()
    harness.buffer(100)
    harness.run()
    _ = watch.update(harness)
    #expect(claims() == [false, true, true])
    harness.fail(.output)
    _ = watch.update(harness)
    #expect(claims() == [false, false, false])
    _ = harness.stop()
    _ = watch.update(harness)
    #expect(claims() == [false, false, false])
  }

  @Test("The main actor, another actor and no actor read the state without waiting")
  func anyIsolation() async {
    var harness = MachineHarness()
    let state = Player.State(harness.snapshot)
    harness.decide(.setVolume(0.5))
    state.update(harness.snapshot)
    @MainActor func readOnMain() -> Double { state.volume }
    nonisolated func read() -> Double { state.volume }
    #expect(await readOnMain() == 0.5)
    #expect(read() == 0.5)
    #expect(state.volume == 0.5)
  }
}
