import Testing

@testable import Playback

@Suite("The rules of the choice among audio tracks")
struct AudioTrackRuleTests {
  private static func tracks(_ languages: [String?]) -> [MediaDescription.AudioTrack] {
    languages.map {
      var track = MediaDescription.AudioTrack()
      track.language = $0
      return track
    }
  }

  private let tracks = tracks(["en", "de"])

  @discardableResult
  private func find(_ bench: inout Bench, current: Int = 0) -> [Effect] {
    bench.step { machine, _ in machine.audioTracksFound(machine.token, tracks, current: current) }
  }

  /// Item 0 is heard, and its tracks are known.
  private func heard(_ count: Int = 3, loop: LoopMode = .none, isSeekable: Bool = true) -> Bench {
    var bench = Bench(count, loop: loop)
    _ = bench.play()
    find(&bench)
    bench.settle(isSeekable: isSeekable)
    bench.run()
    return bench
  }

  private func select(_ index: Int, _ bench: inout Bench) -> [Effect] {
    bench.step { $0.selectAudioTrack(index, now: $1) }
  }

  private func order(_ index: Int, _ stream: StreamToken) -> EngineCommand { .selectAudioTrack(index, of: stream) }

  @Test("Tracks are told when they are found, with what opens the item or by themselves; the same again is no news")
  func found() {
    var bench = Bench()
    _ = bench.play()
    #expect(bench.snapshot.audioTracks.isEmpty)
    #expect(bench.snapshot.audioTrackIndex == nil)
    #expect(find(&bench, current: 1).isEmpty)
    #expect(bench.settle().isNews)
    #expect(bench.snapshot.audioTracks == tracks)
    #expect(bench.snapshot.audioTrackIndex == 1)
    #expect(find(&bench, current: 1).isEmpty)
    #expect(find(&bench).isNews)
    #expect(bench.snapshot.audioTrackIndex == 0)
  }

  @Test("Tracks of a stream that is gone are nobody's")
  func late() {
    var bench = heard()
    let gone = bench.token
    _ = bench.next()
    bench.step { machine, _ in machine.audioTracksFound(gone, tracks, current: 1) }
    #expect(bench.snapshot.audioTracks.isEmpty)
  }

  @Test("Selecting another track keeps the position and reports no time jump")
  func select() {
    var bench = heard()
    bench.pass(.seconds(2))
    #expect(select(1, &bench).orders == [order(1, bench.token), .seek(to: .seconds(2), rate: 1)])
    #expect(bench.snapshot.audioTrackIndex == 1)
    #expect(bench.position == .seconds(2))
    let done = bench.settle()
    #expect(done.events.isEmpty)
    #expect(bench.position == .seconds(2))
  }

  @Test("While paused it is the same without a word, and nothing runs")
  func selectPaused() {
    var bench = heard()
    bench.pass(.seconds(2))
    _ = bench.pause()
    #expect(select(1, &bench).orders == [order(1, bench.token), .seek(to: .seconds(2), rate: 1)])
    let done = bench.settle()
    #expect(done.events.isEmpty)
    #expect(done.orders.isEmpty)
    #expect(bench.position == .seconds(2))
  }

  @Test("A track that there is not, or that is heard, is not selected", arguments: [Int.min, -1, 0, 2, Int.max])
  func selectNothing(index: Int) {
    var bench = heard()
    #expect(select(index, &bench).isEmpty)
    var empty = Bench(0)
    #expect(empty.step { $0.selectAudioTrack(index, now: $1) }.isEmpty)
    var stopped = Bench()
    #expect(stopped.step { $0.selectAudioTrack(index, now: $1) }.isEmpty)
  }

  @Test("During a seek the place is sought once more when that is done")
  func selectInSeek() {
    var bench = heard()
    _ = bench.seek(5, ticket: 1)
    #expect(select(1, &bench).orders == [order(1, bench.token)])
    #expect(bench.position == .seconds(5))
    let first = bench.settle()
    #expect(first.orders == [.seek(to: .seconds(5), rate: 1)])
    let second = bench.settle()
    #expect(second.finished == [1: [true]])
    #expect(bench.position == .seconds(5))
  }

  @Test("A broadcast is opened again, and its position goes on; what has a length and cannot be sought stays as it is")
  func selectWithoutSeeking() {
    var broadcast = Bench(scheme: "http")
    _ = broadcast.play()
    find(&broadcast)
    broadcast.settle(duration: nil, isSeekable: false)
    broadcast.buffer(100)
    broadcast.run()
    broadcast.pass(.seconds(5))
    let orders = select(1, &broadcast).orders
    #expect(orders == [order(1, broadcast.token), .load(uri: "http:///0", broadcast.token)])
    #expect(broadcast.position == .seconds(5))
    var file = heard(isSeekable: false)
    #expect(select(1, &file).isEmpty)
    #expect(file.snapshot.audioTrackIndex == 0)
  }

  @Test("At the end of an item that stays, the choice waits for the next start")
  func selectAtEnd() {
    var bench = heard()
    bench.step { $0.setActionAtItemEnd(.pause, now: $1) }
    bench.pass(.seconds(10))
    bench.end()
    #expect(select(1, &bench).orders == [order(1, bench.token)])
    #expect(bench.play().orders == [.seek(to: .zero, rate: 1)])
  }

  @Test("What is being opened is opened again with the choice, at the place and with the seek that it had")
  func selectWhileLoading() {
    var bench = Bench()
    _ = bench.play()
    find(&bench)
    _ = bench.seek(3, ticket: 1)
    let effects = select(1, &bench)
    #expect(effects.orders == [order(1, bench.token), .load(uri: "file:///0", bench.token)])
    #expect(effects.finished.isEmpty)
    #expect(bench.position == .seconds(3))
    find(&bench, current: 1)
    bench.settle()
    #expect(bench.settle().finished == [1: [true]])
    #expect(bench.snapshot.audioTrackIndex == 1)
  }

  @Test("With a successor handed over, the item is opened again at its place")
  func selectInTail() throws {
    var bench = heard()
    bench.pass(.seconds(9))
    _ = try bench.enterTail(1)
    let orders = select(1, &bench).orders
    #expect(orders == [order(1, bench.token), .load(uri: "file:///0", bench.token)])
    #expect(bench.position == .seconds(9))
    #expect(bench.current == bench.items[0])
  }

  @Test("The choice outlasts a long pause and a stop, and ends with the item")
  func life() {
    var bench = heard()
    _ = select(1, &bench)
    bench.settle()
    bench.run()
    _ = bench.pause()
    bench.pass(.seconds(60))
    #expect(bench.play().orders.dropLast() == [order(1, bench.token)])
    // The media says what it would have; the choice stands.
    find(&bench)
    #expect(bench.snapshot.audioTrackIndex == 1)
    bench.settle()
    _ = bench.stop()
    #expect(bench.snapshot.audioTrackIndex == 1)
    #expect(bench.play().orders.first == order(1, bench.token))
    let next = bench.next()
    #expect(next.orders == [.load(uri: "file:///1", bench.token)])
    #expect(bench.snapshot.audioTracks.isEmpty)
    #expect(bench.snapshot.audioTrackIndex == nil)
  }

  @Test("A choice that is made while the output is lost is opened with")
  func selectWithoutOutput() {
    var bench = heard()
    bench.fail(.output)
    #expect(select(1, &bench).orders.isEmpty)
    let retry = bench.pass(.seconds(10))
    #expect(retry.orders.contains(order(1, bench.token)))
  }

  @Test("A successor has tracks of its own; the same item again is heard as it was", arguments: [false, true])
  func successor(isRepetition: Bool) throws {
    var bench = heard(2, loop: isRepetition ? .track : .none)
    _ = select(1, &bench)
    bench.settle()
    bench.run()
    bench.pass(.seconds(9))
    let offer = try bench.takeOffer()
    #expect(offer.audioTrack == (isRepetition ? 1 : nil))
    let others = Self.tracks(["en", "de", "fr"])
    bench.step { machine, _ in
      machine.audioTracksFound(offer.stream, others, current: isRepetition ? 1 : 2)
    }
    bench.startNext(offer.stream, in: 1)
    #expect(bench.snapshot.audioTracks == tracks)
    bench.pass(.seconds(1))
    #expect(bench.token == offer.stream)
    #expect(bench.snapshot.audioTracks == others)
    #expect(bench.snapshot.audioTrackIndex == (isRepetition ? 1 : 2))
    #expect(bench.effects.loads.count == 1)
  }

  @Test("Other languages are given to the pipeline, and to one that takes its place; the same again is no news")
  func otherLanguages() {
    var bench = heard()
    let change = bench.step { machine, _ in machine.setAudioLanguages(["de"]) }
    #expect(change == [.command(.setAudioLanguages(["de"])), .emit(.changed)])
    #expect(bench.snapshot.preferredAudioLanguages == ["de"])
    #expect(bench.step { machine, _ in machine.setAudioLanguages(["de"]) }.isEmpty)
    let hang = bench.step { $0.pipelineWasReplaced(after: .tearDown, now: $1) }
    #expect(hang.orders.contains(.setAudioLanguages(["de"])))
    let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink")
    let output = bench.step { $0.setAudioOutput(other, now: $1) }
    #expect(output.orders.contains(.setAudioLanguages(["de"])))
  }

  @Test("A pipeline that takes the place of one that hangs is given the choice")
  func hang() {
    var bench = heard()
    _ = select(1, &bench)
    bench.settle()
    bench.run()
    let effects = bench.step { $0.pipelineWasReplaced(after: .tearDown, now: $1) }
    #expect(effects.orders.contains(order(1, bench.token)))
  }
}
