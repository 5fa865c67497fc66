import Testing

@testable import Playback

@Suite("Audio track selection")
struct AudioTrackRuleTests {
  private static func tracks(_ languages: [String?]) -> [AudioTrack] {
    languages.map {
      var track = AudioTrack()
      track.language = $0
      return track
    }
  }

  private let tracks = tracks(["en", "de"])

  @discardableResult
  private func find(_ harness: inout MachineHarness, current: Int = 0) -> [Effect] {
    harness.report(.stream(harness.token, .audioTracks(tracks, current: current)))
  }

  /// Returns a harness in which item 0 plays and its audio tracks are known.
  private func harnessWithTracks(_ count: Int = 3, loop: Player.LoopMode = .none, isSeekable: Bool = true)
    -> MachineHarness
  {
    var harness = MachineHarness(count, loop: loop)
    _ = harness.play()
    find(&harness)
    harness.settle(isSeekable: isSeekable)
    harness.run()
    return harness
  }

  private func select(_ index: Int, _ harness: inout MachineHarness) -> [Effect] {
    harness.decide(.selectAudioTrack(index))
  }

  private func selection(_ index: Int, _ stream: StreamToken) -> EngineCommand { .selectAudioTrack(index, of: stream) }

  @Test("Found tracks are published at once; finding the same tracks again is not a change")
  func found() {
    var harness = MachineHarness()
    _ = harness.play()
    #expect(harness.snapshot.audioTracks.isEmpty)
    #expect(harness.snapshot.audioTrackIndex == nil)
    #expect(find(&harness, current: 1) == [.emit(.changed)])
    harness.settle()
    #expect(harness.snapshot.audioTracks == tracks)
    #expect(harness.snapshot.audioTrackIndex == 1)
    #expect(find(&harness, current: 1).isEmpty)
    #expect(find(&harness).hasChanged)
    #expect(harness.snapshot.audioTrackIndex == 0)
  }

  @Test("Tracks of a previous stream are ignored")
  func late() {
    var harness = harnessWithTracks()
    let gone = harness.token
    _ = harness.next()
    harness.report(.stream(gone, .audioTracks(tracks, current: 1)))
    #expect(harness.snapshot.audioTracks.isEmpty)
  }

  @Test("Selecting another track keeps the position and reports no time jump")
  func select() {
    var harness = harnessWithTracks()
    harness.advance(.seconds(2))
    #expect(select(1, &harness).engineCommands == [selection(1, harness.token), .seek(harness.token, to: .seconds(2))])
    #expect(harness.snapshot.audioTrackIndex == 1)
    #expect(harness.position == .seconds(2))
    let done = harness.settle()
    #expect(done.events.isEmpty)
    #expect(harness.position == .seconds(2))
  }

  @Test("Selecting another track while paused keeps the position, reports no time jump, and stays paused")
  func selectPaused() {
    var harness = harnessWithTracks()
    harness.advance(.seconds(2))
    _ = harness.pause()
    #expect(select(1, &harness).engineCommands == [selection(1, harness.token), .seek(harness.token, to: .seconds(2))])
    let done = harness.settle()
    #expect(done.events.isEmpty)
    #expect(done.engineCommands.isEmpty)
    #expect(harness.position == .seconds(2))
  }

  @Test("Selecting an unknown track or the current track does nothing", arguments: [Int.min, -1, 0, 2, Int.max])
  func selectNothing(index: Int) {
    var harness = harnessWithTracks()
    #expect(select(index, &harness).isEmpty)
    var empty = MachineHarness(0)
    #expect(empty.decide(.selectAudioTrack(index)).isEmpty)
    var stopped = MachineHarness()
    #expect(stopped.decide(.selectAudioTrack(index)).isEmpty)
  }

  @Test("Selecting a track during a seek repeats that seek after it completes")
  func selectInSeek() {
    var harness = harnessWithTracks()
    _ = harness.seek(5, ticket: 1)
    #expect(select(1, &harness).engineCommands == [selection(1, harness.token)])
    #expect(harness.position == .seconds(5))
    let first = harness.settle()
    #expect(first.engineCommands == [.seek(harness.token, to: .seconds(5))])
    let second = harness.settle()
    #expect(second.finished == [1: [true]])
    #expect(harness.position == .seconds(5))
  }

  @Test("Selecting a track reloads a broadcast and keeps its position; in an unseekable file it does nothing")
  func selectWithoutSeeking() {
    var broadcast = MachineHarness(scheme: "http")
    _ = broadcast.play()
    find(&broadcast)
    broadcast.settle(duration: nil, isSeekable: false)
    broadcast.buffer(100)
    broadcast.run()
    broadcast.advance(.seconds(5))
    let before = broadcast.token
    let commands = select(1, &broadcast).engineCommands
    let request = StreamRequest(uri: "http:///0", stream: broadcast.token, audioTrack: 1)
    #expect(commands == [.close(before), .open(request), .plan([])])
    #expect(broadcast.position == .seconds(5))
    var file = harnessWithTracks(isSeekable: false)
    #expect(select(1, &file).isEmpty)
    #expect(file.snapshot.audioTrackIndex == 0)
  }

  @Test("A track selected at the end of an item that stays loaded takes effect at the next start")
  func selectAtEnd() {
    var harness = harnessWithTracks()
    harness.decide(.setActionAtItemEnd(.pause))
    harness.advance(.seconds(10))
    harness.end()
    #expect(select(1, &harness).engineCommands == [selection(1, harness.token)])
    #expect(harness.play().engineCommands == [.seek(harness.token, to: .zero)])
  }

  @Test("Selecting a track while the item loads reloads it with the same position and pending seek")
  func selectWhileLoading() {
    var harness = MachineHarness()
    _ = harness.play()
    find(&harness)
    _ = harness.seek(3, ticket: 1)
    let before = harness.token
    let effects = select(1, &harness)
    let request = StreamRequest(uri: "file:///0", stream: harness.token, audioTrack: 1, start: .seconds(3))
    #expect(effects.engineCommands == [.close(before), .open(request)])
    #expect(effects.finished.isEmpty)
    #expect(harness.position == .seconds(3))
    find(&harness, current: 1)
    #expect(harness.settle().finished == [1: [true]])
    #expect(harness.snapshot.audioTrackIndex == 1)
  }

  @Test("Selecting a track while the next item is open seeks in the current item, and the next one is opened again")
  func selectInTail() throws {
    var harness = harnessWithTracks()
    harness.advance(.seconds(9))
    let next = try harness.prepareNext()
    let commands = select(1, &harness).engineCommands
    #expect(
      commands == [
        .close(next), selection(1, harness.token), .seek(harness.token, to: .seconds(9)),
        .plan([PlannedPart(harness.token)]),
      ])
    #expect(harness.position == .seconds(9))
    #expect(harness.current == harness.items[0])
    #expect(harness.settle().events.isEmpty)
    #expect(harness.offer()?.uri == harness.items[1].uri)
  }

  @Test("The selected track survives a long pause and a stop, and is reset with the item")
  func life() {
    var harness = harnessWithTracks()
    _ = select(1, &harness)
    harness.settle()
    harness.run()
    _ = harness.pause()
    harness.advance(.seconds(60))
    #expect(harness.play().opened.map(\.audioTrack) == [1])
    // The media reports its default track; the selection is kept.
    find(&harness)
    #expect(harness.snapshot.audioTrackIndex == 1)
    harness.settle()
    _ = harness.stop()
    #expect(harness.snapshot.audioTrackIndex == 1)
    #expect(harness.play().opened.map(\.audioTrack) == [1])
    let next = harness.next()
    #expect(next.opened == [StreamRequest(uri: "file:///1", stream: harness.token)])
    #expect(harness.snapshot.audioTracks.isEmpty)
    #expect(harness.snapshot.audioTrackIndex == nil)
  }

  @Test("A track selected while the output is lost applies to the next load")
  func selectWithoutOutput() {
    var harness = harnessWithTracks()
    harness.loseOutput()
    #expect(select(1, &harness).engineCommands.isEmpty)
    let retry = harness.advance(.seconds(10))
    #expect(retry.opened.first?.audioTrack == 1)
  }

  @Test("A different next item has its own tracks; a repeated item keeps its selected track", arguments: [false, true])
  func successor(isRepetition: Bool) throws {
    var harness = harnessWithTracks(2, loop: isRepetition ? .track : .none)
    _ = select(1, &harness)
    harness.settle()
    harness.run()
    harness.advance(.seconds(9))
    let offer = try harness.requireOffer()
    #expect(offer.audioTrack == (isRepetition ? 1 : nil))
    let others = Self.tracks(["en", "de", "fr"])
    harness.report(.stream(offer.stream, .audioTracks(others, current: isRepetition ? 1 : 2)))
    harness.settleNext(offer.stream)
    #expect(harness.snapshot.audioTracks == tracks)
    harness.advance(.seconds(1))
    harness.enterNext(offer.stream)
    #expect(harness.token == offer.stream)
    #expect(harness.snapshot.audioTracks == others)
    #expect(harness.snapshot.audioTrackIndex == (isRepetition ? 1 : 2))
    #expect(harness.effects.loads.count == 2)
  }

  @Test("New languages are sent to the engine, which keeps them; setting the same languages again does nothing")
  func otherLanguages() {
    var harness = harnessWithTracks()
    let change = harness.decide(.setAudioLanguages(["de"]))
    #expect(change == [.emit(.changed), .command(.settings(harness.engineSettings))])
    #expect(harness.engineSettings.audioLanguages == ["de"])
    #expect(harness.snapshot.preferredAudioLanguages == ["de"])
    #expect(harness.decide(.setAudioLanguages(["de"])).isEmpty)
    harness.hangOutput()
    #expect(harness.engineSettings.audioLanguages == ["de"])
    let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink")
    let output = harness.decide(.setAudioOutput(other))
    #expect(output.settings?.audioLanguages == ["de"])
  }

  @Test("After a hang of the output, the engine receives the selected track")
  func outputHangs() {
    var harness = harnessWithTracks()
    _ = select(1, &harness)
    harness.settle()
    harness.run()
    let effects = harness.hangOutput()
    #expect(effects.opened == [StreamRequest(uri: "file:///0", stream: harness.token, audioTrack: 1)])
  }
}
