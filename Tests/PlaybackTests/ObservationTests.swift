import Observation
import TestSupport
import Testing

@testable import Playback

/// The state of a machine on the bench, and a record of what observers were told of it.
@PlayerActor private final class Watch {
  let state: PlayerState
  private(set) var told: [String] = []

  init(_ bench: Bench) { state = PlayerState(bench.snapshot) }

  /// The machine's decisions so far, in one transaction; returns which properties' observers were told.
  func update(_ bench: Bench) -> [String] {
    let heard = EventLog<String>()
    for (name, read) in Self.properties {
      withObservationTracking {
        _ = read(state)
      } onChange: {
        heard.append(name)
      }
    }
    state.update(bench.snapshot)
    return heard.elements.sorted()
  }

  static let properties: [(name: String, read: @PlayerActor (PlayerState) -> Any?)] = [
    ("transport", { $0.transport }), ("timeControlStatus", { $0.timeControlStatus }),
    ("reasonForWaitingToPlay", { $0.reasonForWaitingToPlay }), ("rate", { $0.rate }), ("volume", { $0.volume }),
    ("isMuted", { $0.isMuted }), ("currentItem", { $0.currentItem }), ("itemStatus", { $0.itemStatus }),
    ("lastError", { $0.lastError }), ("duration", { $0.duration }), ("metadata", { $0.metadata }),
    ("chapters", { $0.chapters }), ("currentChapterIndex", { $0.currentChapterIndex }),
    ("isSeekable", { $0.isSeekable }), ("bufferingPercent", { $0.bufferingPercent }),
    ("isPlaybackBufferEmpty", { $0.isPlaybackBufferEmpty }), ("isPlaybackBufferFull", { $0.isPlaybackBufferFull }),
    ("isPlaybackLikelyToKeepUp", { $0.isPlaybackLikelyToKeepUp }), ("loop", { $0.loop }),
    ("isShuffled", { $0.isShuffled }), ("hasNext", { $0.hasNext }), ("hasPrevious", { $0.hasPrevious }),
    ("defaultRate", { $0.defaultRate }), ("actionAtItemEnd", { $0.actionAtItemEnd }),
    ("automaticallyWaitsToMinimizeStalling", { $0.automaticallyWaitsToMinimizeStalling }),
    ("preferredForwardBufferDuration", { $0.preferredForwardBufferDuration }),
    ("loadedTimeRanges", { $0.loadedTimeRanges }), ("seekableTimeRanges", { $0.seekableTimeRanges }),
  ]
}

@Suite("Observation of the state") @PlayerActor struct ObservationTests {
  private func titled(_ title: String) -> MediaMetadata {
    var metadata = MediaMetadata()
    metadata.title = title
    return metadata
  }

  @Test("The status and its reason are told of together, and nothing else is")
  func statusAndReason() {
    var bench = Bench(scheme: "http")
    bench.start()
    bench.buffer(100, held: 1)
    let watch = Watch(bench)
    bench.buffer(40)
    let buffer = ["bufferingPercent", "isPlaybackBufferEmpty", "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp"]
    #expect(watch.update(bench) == buffer + ["loadedTimeRanges", "reasonForWaitingToPlay", "timeControlStatus"])
    #expect(watch.state.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(watch.state.reasonForWaitingToPlay == .toMinimizeStalls)
    bench.buffer(60)
    #expect(watch.update(bench) == ["bufferingPercent", "isPlaybackBufferEmpty"])
    bench.buffer(0)
    #expect(watch.update(bench) == ["bufferingPercent", "isPlaybackBufferEmpty"])
    bench.buffer(100, held: 1)
    #expect(
      watch.update(bench) == [
        "bufferingPercent", "isPlaybackBufferEmpty", "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp",
        "loadedTimeRanges", "reasonForWaitingToPlay", "timeControlStatus",
      ])
    #expect(watch.state.timeControlStatus == .playing)
    #expect(watch.state.reasonForWaitingToPlay == nil)
  }

  @Test("What one decision changes is told of at once, and all of it")
  func oneCommand() {
    var bench = Bench()
    let watch = Watch(bench)
    _ = bench.play()
    #expect(watch.update(bench) == ["isSeekable", "reasonForWaitingToPlay", "timeControlStatus", "transport"])
    bench.settle()
    bench.run()
    #expect(
      watch.update(bench) == [
        "duration", "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp", "itemStatus", "loadedTimeRanges",
        "reasonForWaitingToPlay", "seekableTimeRanges", "timeControlStatus",
      ])
    _ = bench.stop()
    #expect(
      watch.update(bench) == [
        "isPlaybackBufferFull", "isPlaybackLikelyToKeepUp", "isSeekable", "loadedTimeRanges", "seekableTimeRanges",
        "timeControlStatus", "transport",
      ])
  }

  @Test("When a gapless successor becomes current, its duration and its tags come with it")
  func handOver() throws {
    var bench = Bench(2)
    bench.start(duration: 10)
    bench.step { machine, _ in machine.tagsChanged(machine.token, titled("First")) }
    let watch = Watch(bench)
    bench.pass(.seconds(9))
    let next = try bench.enterTail(1, duration: 7)
    bench.step { machine, _ in machine.tagsChanged(next, titled("Second")) }
    #expect(watch.update(bench).isEmpty)
    #expect(watch.state.duration == .seconds(10))
    #expect(watch.state.metadata.title == "First")
    bench.pass(.milliseconds(1001))
    #expect(
      watch.update(bench) == [
        "currentItem", "duration", "hasNext", "hasPrevious", "loadedTimeRanges", "metadata", "seekableTimeRanges",
      ])
    #expect(watch.state.currentItem == bench.items[1])
    #expect(watch.state.duration == .seconds(7))
    #expect(watch.state.metadata.title == "Second")
  }

  @Test("An item that replaces another takes the other's duration and tags away with it")
  func skip() {
    var bench = Bench(2)
    bench.start(duration: 10)
    bench.step { machine, _ in machine.tagsChanged(machine.token, titled("First")) }
    let watch = Watch(bench)
    _ = bench.next()
    let told = watch.update(bench)
    #expect(Set(told).isSuperset(of: ["currentItem", "duration", "itemStatus", "metadata"]))
    #expect(watch.state.currentItem == bench.items[1])
    #expect(watch.state.duration == nil)
    #expect(watch.state.metadata == MediaMetadata())
    #expect(watch.state.itemStatus == .unknown)
  }

  @Test("A failure is told of with the status that it leads to")
  func failure() {
    var bench = Bench(1)
    _ = bench.play()
    let watch = Watch(bench)
    bench.fail(.corrupt)
    #expect(
      watch.update(bench) == [
        "isSeekable", "itemStatus", "lastError", "reasonForWaitingToPlay", "timeControlStatus", "transport",
      ])
    #expect(watch.state.itemStatus == .failed)
    #expect(watch.state.lastError?.code == .corrupt)
  }

  @Test("Each setting is told of alone")
  func settings() {
    var bench = Bench(3, at: 1)
    let watch = Watch(bench)
    bench.step { machine, _ in machine.setVolume(0.5) }
    #expect(watch.update(bench) == ["volume"])
    bench.step { machine, _ in machine.setMuted(true) }
    #expect(watch.update(bench) == ["isMuted"])
    bench.step { $0.setRate(2, now: $1) }
    #expect(watch.update(bench) == ["rate"])
    bench.step { machine, now in machine.editQueue(now: now) { $0.loop = .playlist } }
    #expect(watch.update(bench) == ["loop"])
    bench.step { machine, now in machine.editQueue(now: now) { $0.setShuffled(true) } }
    #expect(watch.update(bench) == ["isShuffled"])
    #expect(watch.state.volume == 0.5)
    #expect(watch.state.isMuted)
    #expect(watch.state.rate == 2)
    #expect(watch.state.loop == .playlist)
    #expect(watch.state.isShuffled)
  }

  @Test("Nothing is told while nothing but the position changes")
  func quiet() {
    var bench = Bench()
    bench.start(duration: 100)
    let watch = Watch(bench)
    #expect(watch.update(bench).isEmpty)
    bench.pass(.seconds(30))
    #expect(watch.update(bench).isEmpty)
    // A measurement that corrects the clock is news to who counts on the position, and to nobody here.
    let isNews = bench.step { $0.sampled($0.token, position: .seconds(29), now: $1) }.isNews
    #expect(isNews)
    #expect(watch.update(bench).isEmpty)
    _ = bench.seek(50)
    bench.settle()
    bench.run(measured: 50)
    #expect(watch.update(bench).isEmpty)
  }

  @Test("Of the buffer nothing is claimed while nothing is loaded")
  func bufferOfNothing() {
    var bench = Bench(scheme: "http")
    let watch = Watch(bench)
    func claims() -> [Bool] {
      let state = watch.state
      return [state.isPlaybackBufferEmpty, state.isPlaybackBufferFull, state.isPlaybackLikelyToKeepUp]
    }
    #expect(claims() == [false, false, false])
    _ = bench.play()
    _ = watch.update(bench)
    #expect(claims() == [false, false, false])
    bench.buffer(0)
    _ = watch.update(bench)
    #expect(claims() == [true, false, false])
    bench.settle()
    bench.buffer(100)
    bench.run()
    _ = watch.update(bench)
    #expect(claims() == [false, true, true])
    bench.fail(.output)
    _ = watch.update(bench)
    #expect(claims() == [false, false, false])
    _ = bench.stop()
    _ = watch.update(bench)
    #expect(claims() == [false, false, false])
  }
}
