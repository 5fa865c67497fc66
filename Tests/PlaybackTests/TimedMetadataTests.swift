import Synchronization
import Testing

@testable import Playback

@Suite("Timed metadata") struct TimedMetadataTests {
  private static let lyrics = "[00:00.00]zero\n[00:01.50]one\n[00:03.00]three\n[00:06.25]six"

  private func harness(
    _ count: Int = 1, loop: Player.LoopMode = .none, isFollowed: Bool = true, advance: Duration = .zero
  )
    -> ObserverHarness
  {
    var harness = ObserverHarness(count, loop: loop)
    if isFollowed { harness.watch.observeMetadata(advance: advance, as: 1) }
    return harness
  }

  private func sing(_ harness: inout ObserverHarness, _ text: String = lyrics) {
    var tags = MediaMetadata()
    tags.lyrics = text
    harness.step { $0.report(.stream($0.token, .tags(tags, about: .stream))) }
  }

  private func texts(_ harness: ObserverHarness) -> [String] {
    harness.metadata.map {
      switch $0.content {
      case .lyrics(let text), .streamTitle(let text): text
      case .chapter(let chapter): chapter.title ?? ""
      case .id3(let tag): tag.fields.title ?? ""
      }
    }
  }

  @Test("An equal tag less than 500 ms away is the same one that was read again", arguments: [499, 500, -499, -500])
  func repeatedTag(distance: Int) {
    let content = ID3Metadata(fields: MediaMetadata(), frames: [ID3Metadata.Frame(id: "GEOB", bytes: [1])])
    let tag = TimedTag(start: .seconds(5), content: content)
    let again = TimedTag(start: .seconds(5) + .milliseconds(distance), content: content)
    #expect(tag.isSame(as: again) == (abs(distance) < 500))
  }

  /// Returns a harness whose item plays at a rate, with the lyrics.
  private func singing(at rate: Double) -> ObserverHarness {
    var harness = harness()
    harness.start()
    harness.step { $0.decide(.setRate(rate)) }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    sing(&harness)
    return harness
  }

  @Test("Each line is delivered within 5 ms of its time, at any rate", arguments: [0.25, 0.5, 1, 1.7, 4])
  func exact(rate: Double) {
    var harness = singing(at: rate)
    harness.advance(9 / rate)
    #expect(texts(harness) == ["zero", "one", "three", "six"])
    #expect(harness.metadata.map(\.time) == [.zero, .milliseconds(1500), .seconds(3), .milliseconds(6250)])
    for (metadata, position) in zip(harness.metadata, harness.metadataPositions) {
      #expect(position - metadata.time < .milliseconds(5) && position >= metadata.time, "\(metadata) at \(position)")
    }
    #expect(harness.metadata.map(\.duration) == [.milliseconds(1500), .milliseconds(1500), .milliseconds(3250), nil])
    #expect(harness.metadata.allSatisfy { $0.item == harness.harness.items[0] })
  }

  @Test(
    "The timer is set to the start of the next line by the player's clock: at any rate, and again after a correction",
    arguments: [0.25, 0.5, 1, 1.7, 4])
  func timer(rate: Double) throws {
    var harness = singing(at: rate)
    func expectTimer(at line: Double) throws {
      var machine = harness.harness
      let due = try #require(harness.nextWake)
      machine.now = due
      #expect(machine.position >= .seconds(line))
      // The timer is a microsecond late, so that it is never early by rounding.
      machine.now = MonotonicTime(nanoseconds: due.nanoseconds - 3000)
      #expect(machine.position < .seconds(line) && machine.position > .seconds(line) - .microseconds(20))
    }
    try expectTimer(at: 1.5)
    harness.advance(0.7 / rate)
    try expectTimer(at: 1.5)
    // The output is behind the clock, as after a late start.
    harness.step { $0.run(measured: 0.4) }
    try expectTimer(at: 1.5)
    harness.advance(1.2 / rate)
    #expect(texts(harness) == ["zero", "one"])
    try expectTimer(at: 3)
    harness.seek(5)
    try expectTimer(at: 6.25)
  }

  @Test("Lines that are close together are all delivered, also by a late wake-up")
  func dense() {
    var harness = harness()
    harness.start()
    sing(&harness, (0..<500).map { "[00:01.\(String(1000 + $0).dropFirst())]\($0)" }.joined(separator: "\n"))
    harness.advance(1.2)
    harness.stand(0.5)
    harness.advance(0.1)
    #expect(texts(harness) == (0..<500).map(String.init))
  }

  @Test("A seek delivers the line at its target once, and no line on the way; a seek within a line delivers none")
  func seeks() {
    var harness = harness()
    harness.start()
    sing(&harness)
    harness.seek(4)
    #expect(texts(harness) == ["zero", "three"])
    harness.seek(5)
    #expect(texts(harness) == ["zero", "three"])
    harness.advance(2)
    #expect(texts(harness) == ["zero", "three", "six"])
    harness.step { _ = $0.pause() }
    harness.seek(1.5)
    #expect(texts(harness) == ["zero", "three", "six", "one"])
    harness.step { _ = $0.play() }
    harness.step { $0.run(measured: 1.49) }
    harness.advance(1)
    #expect(texts(harness) == ["zero", "three", "six", "one"])
  }

  @Test("Chapters, lyrics and titles are one sequence in order of time")
  func kinds() throws {
    var harness = harness()
    harness.start()
    sing(&harness, "[00:01.00]line\n[00:02.00]last")
    let chapters = [Chapter(start: .zero, title: "A"), Chapter(start: .milliseconds(1500), title: "B")]
    harness.step { $0.report(.stream($0.token, .chapters(chapters))) }
    harness.advance(3)
    #expect(texts(harness) == ["A", "line", "B", "last"])
    #expect(harness.metadata.first?.duration == .milliseconds(1500))
    // The end of the last chapter, which is known later, is not another chapter.
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(20)))) }
    #expect(texts(harness).count == 4)
  }

  @Test("The title of a station is delivered when it becomes audible, not when it arrives")
  func titles() {
    var harness = ObserverHarness()
    harness.harness = MachineHarness(1, scheme: "http")
    harness.watch.observeMetadata(advance: .zero, as: 1)
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: nil, isSeekable: false) }
    harness.step { $0.run() }
    for (title, time) in [("One", 0.0), ("One", 0.5), ("Two", 2.5)] {
      harness.step { $0.report(.stream($0.token, .titleStarts(title, at: .seconds(time)))) }
    }
    #expect(texts(harness) == ["One"])
    harness.advance(2.4)
    #expect(texts(harness) == ["One"])
    harness.advance(0.2)
    #expect(texts(harness) == ["One", "Two"])
    #expect(harness.metadata.map(\.time) == [.zero, .milliseconds(2500)])
    #expect(harness.metadataPositions.last.map { $0 - .milliseconds(2500) < .milliseconds(5) } == true)
  }

  private func tag(_ title: String, _ harness: inout ObserverHarness, at time: Double) {
    var fields = MediaMetadata()
    fields.title = title
    let content = ID3Metadata(fields: fields, frames: [])
    harness.step { $0.report(.stream($0.token, .timedTag(content, at: .seconds(time)))) }
  }

  @Test("The size of an ID3 tag consists of its frames, picture and lyrics")
  func size() {
    var fields = MediaMetadata()
    fields.lyrics = "la"
    fields.artwork = .init(mimeType: "image/png", bytes: [1, 2, 3, 4])
    let frames = [ID3Metadata.Frame(id: "PRIV", bytes: [1]), ID3Metadata.Frame(id: "GEOB", bytes: [1, 2, 3])]
    #expect(ID3Metadata(fields: fields, frames: frames).size == 10)
  }

  @Test("ID3 tags that arrive ahead in any order are delivered at their times, and a repeated one once")
  func tags() {
    var harness = harness()
    harness.start()
    for (title, time) in [("Two", 2.5), ("One", 1.25), ("Two", 2.5), ("Three", 2.5)] { tag(title, &harness, at: time) }
    harness.advance(1.2)
    #expect(texts(harness).isEmpty)
    harness.advance(2)
    #expect(texts(harness) == ["One", "Two", "Three"])
    for (metadata, position) in zip(harness.metadata, harness.metadataPositions) {
      #expect(position - metadata.time < .milliseconds(5) && position >= metadata.time, "\(metadata) at \(position)")
    }
  }

  @Test("ID3 tags that are read again after a seek with slightly different times are delivered once")
  func tagsAfterSeek() {
    var harness = harness()
    harness.start()
    tag("One", &harness, at: 1)
    tag("Two", &harness, at: 3)
    harness.advance(1.5)
    harness.step { _ = $0.seek(2) }
    harness.step { $0.report(.stream($0.token, .timedTagsFlushed)) }
    tag("One", &harness, at: 1.01)
    tag("Two", &harness, at: 3.01)
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.advance(2)
    #expect(texts(harness) == ["One", "Two"])
    #expect(harness.metadata.last?.time == .seconds(3.01))
  }

  @Test("Only the last ID3 tags of an item are kept")
  func tagLimit() {
    var harness = harness()
    harness.start()
    for number in 0..<200 { tag("\(number)", &harness, at: Double(number)) }
    #expect(harness.harness.playhead.tags.count == TimedTag.limit)
    #expect(harness.harness.playhead.tags.last?.start == .seconds(199))
  }

  @Test("After a gapless change the lines of the next item follow; a file with a title sends no stream title")
  func items() throws {
    var harness = harness(2)
    harness.start()
    sing(&harness)
    harness.advance(9)
    let stream = try harness.harness.requireOffer().stream
    harness.step { $0.settleNext(stream) }
    var tags = MediaMetadata()
    tags.lyrics = "[00:00.50]next"
    harness.step { $0.report(.stream(stream, .tags(tags, about: .stream))) }
    harness.step { $0.report(.stream(stream, .titleStarts("Title", at: .zero))) }
    harness.advance(1)
    harness.step { $0.enterNext(stream) }
    harness.advance(1)
    #expect(texts(harness) == ["zero", "one", "three", "six", "next"])
    #expect(harness.metadata.last?.item == harness.harness.items[1])
  }

  @Test("A title that was read before its item became current is delivered in that item")
  func titleOfNext() throws {
    var harness = harness(2)
    harness.harness = MachineHarness(2, scheme: "http")
    harness.start()
    harness.advance(9)
    let stream = try #require(harness.harness.lastSuccessor)
    harness.step { $0.settleNext(stream, duration: nil, isSeekable: false) }
    harness.step { $0.report(.stream(stream, .titleStarts("Title", at: .milliseconds(500)))) }
    let unknown = StreamToken(number: stream.number + 1)
    harness.step { $0.report(.stream(unknown, .titleStarts("Other", at: .zero))) }
    harness.advance(1)
    harness.step { $0.enterNext(stream) }
    #expect(texts(harness).isEmpty)
    harness.advance(1)
    #expect(texts(harness) == ["Title"])
    #expect(harness.metadata.last?.item == harness.harness.items[1])
  }

  @Test("A player delivers a line to its observer, and none after the observer is cancelled")
  func ofPlayer() async {
    let (engine, clock) = (ScriptedEngine(), ManualClock())
    let player = Player(
      configuration: Player.Configuration(), engine: engine, clock: clock, observers: ImmediateExecutor())
    player.replaceQueue(with: [Player.Item(uri: "file:///0")])
    let delivered = Mutex<[Duration]>([])
    let observer = player.addTimedMetadataObserver { metadata in delivered.withLock { $0.append(metadata.time) } }
    player.play()
    let stream = StreamToken(number: 1)
    engine.report(.stream(stream, .settled(StreamFacts(duration: .seconds(60)))))
    var tags = MediaMetadata()
    tags.lyrics = Self.lyrics
    engine.report(.stream(stream, .tags(tags, about: .stream)))
    engine.report(.audible(stream, at: .zero))
    clock.advance(by: .seconds(2))
    #expect(delivered.withLock { $0 } == [.zero, .milliseconds(1500)])
    observer.cancel()
    clock.advance(by: .seconds(2))
    #expect(delivered.withLock { $0.count } == 2)
    await player.close()
  }

  @Test("A new observer receives the next line, and one timer is set only while lines are observed and playing")
  func wakes() {
    var harness = harness(isFollowed: false)
    harness.start()
    sing(&harness)
    #expect(harness.nextWake == nil)
    harness.advance(2)
    harness.watch.observeMetadata(advance: .zero, as: 1)
    harness.step { _ in }
    #expect(harness.metadata.isEmpty)
    #expect(harness.nextWake == harness.harness.now + .seconds(1) + .microseconds(1))
    harness.step { _ = $0.pause() }
    #expect(harness.nextWake == nil)
    harness.step { _ = $0.play() }
    harness.step { $0.run() }
    harness.advance(1.5)
    #expect(texts(harness) == ["three"])
  }

  @Test("An observer with an advance receives each line early, also after a seek", arguments: [0.5, 1, 2])
  func early(rate: Double) {
    var harness = harness(advance: .seconds(1))
    harness.start()
    harness.step { $0.decide(.setRate(rate)) }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    sing(&harness)
    #expect(texts(harness) == ["zero"])
    harness.advance(9 / rate)
    #expect(texts(harness) == ["zero", "one", "three", "six"])
    for (metadata, position) in zip(harness.metadata, harness.metadataPositions) {
      let due = max(.zero, metadata.time - .seconds(1))
      #expect(position >= due && position - due < .milliseconds(5), "\(metadata) at \(position)")
    }
    harness.seek(2.5)
    #expect(texts(harness).suffix(2) == ["one", "three"])
    #expect(harness.metadata.count == 6)
  }

  @Test("Metadata within the advance of a new item, a new observer or a new title is delivered at once, and once")
  func advanced() throws {
    var harness = harness(2, isFollowed: false)
    harness.start()
    sing(&harness)
    harness.advance(2)
    harness.watch.observeMetadata(advance: .seconds(2), as: 1)
    harness.step { _ in }
    #expect(texts(harness) == ["three"])
    harness.advance(7)
    let stream = try harness.harness.requireOffer().stream
    harness.step { $0.settleNext(stream) }
    var tags = MediaMetadata()
    tags.lyrics = "[00:00.00]first\n[00:01.00]second\n[00:03.00]third"
    harness.step { $0.report(.stream(stream, .tags(tags, about: .stream))) }
    #expect(texts(harness) == ["three", "six"])
    harness.advance(1)
    harness.step { $0.enterNext(stream) }
    #expect(texts(harness) == ["three", "six", "first", "second"])
    tags.lyrics = tags.lyrics.map { $0 + "\n[00:03.50]fourth" }
    harness.step { $0.report(.stream(stream, .tags(tags, about: .stream))) }
    harness.advance(3)
    #expect(texts(harness) == ["three", "six", "first", "second", "third", "fourth"])
  }

  @Test("Each observer has its own advance, and one that is removed receives nothing")
  func severalObservers() async {
    var harness = harness()
    harness.watch.observeMetadata(advance: .seconds(1), as: 2)
    harness.start()
    sing(&harness, "[00:02.00]two")
    harness.advance(1.5)
    #expect(harness.metadataPositions.count == 1)
    harness.watch.remove(2)
    harness.advance(4)
    #expect(texts(harness) == ["two", "two"])
    #expect(harness.nextWake == nil)
  }

  @Test("A part of media does not have lyrics") func clip() {
    var harness = harness()
    let item = Player.Item(uri: "file:///clip", externalMetadata: nil, start: .seconds(1))
    harness.step { $0.decide(.replaceQueue([item])) }
    harness.start()
    harness.step { $0.settle() }
    harness.step { $0.run() }
    sing(&harness)
    harness.advance(5)
    #expect(harness.metadata.isEmpty)
  }

  @Test("The sequence of a player ends when it is closed")
  func player() async {
    let player = ScriptedEngine.player()
    let sequence = player.timedMetadata()
    await player.close()
    for await metadata in sequence { Issue.record("\(metadata)") }
  }
}
