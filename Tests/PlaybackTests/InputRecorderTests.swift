import FoundationEssentials
import Testing

@testable import Playback

/// Tests the limits of a recording, and that it is complete.
@Suite("Recorder of inputs") struct InputRecorderTests {
  /// A machine whose inputs are recorded.
  private struct Recorded {
    private(set) var machine = PlaybackMachine(configuration: Player.Configuration())
    var recorder = InputRecorder(limit: Player.Configuration().recordingLimit)
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @discardableResult
    mutating func decide(_ input: PlaybackInput, after time: Duration = .milliseconds(50)) -> [Effect] {
      now = now + time
      recorder.prepare(machine, now: now)
      machine.decide(input, now: now)
      recorder.note(input, machine, now: now)
      return machine.takeEffects()
    }

    /// Plays an item, as the engine would report it.
    mutating func play(_ items: [Player.Item], duration: Duration = .seconds(100_000)) {
      decide(.replaceQueue(ItemList(items), startingAt: 0, playOrder: nil))
      decide(.play)
      decide(.event(.stream(machine.token, .settled(StreamFacts(duration: duration)))))
      decide(.event(.audible(machine.token, at: .zero)))
    }
  }

  /// Makes items with consecutive numbers; new items' numbers have gaps, because other tests make items too.
  private static func items(_ count: Int, from first: UInt64 = 1) -> [Player.Item] {
    (0..<UInt64(count)).map { item(first + $0, "file:///\($0)") }
  }

  private static func item(
    _ number: UInt64, _ uri: String, from start: Duration = .zero, to end: Duration? = nil
  ) -> Player.Item {
    Player.Item(replaying: Player.Item.ID(number: number), uri: uri, start: start, end: end)
  }

  private static func largeTags(_ number: Int) -> MediaMetadata {
    var tags = MediaMetadata()
    tags.title = String(repeating: "title \(number) ", count: 1_000)
    tags.lyrics = String(repeating: "lyrics \(number) ", count: 10_000)
    tags.comments = (0..<100).map { "comment \($0) of \(number)" }
    tags.artwork = .init(mimeType: "image/png", bytes: [UInt8](repeating: UInt8(number % 256), count: 100_000))
    return tags
  }

  @Test("A recording has at most 1 MiB and ten minutes, and ends with the latest input")
  func limits() throws {
    var player = Recorded()
    player.play(Self.items(2))
    var largest = 0
    for number in 0..<30_000 {
      switch number % 10 {
      case 0 where number % 500 == 0:
        player.decide(.event(.stream(player.machine.token, .tags(Self.largeTags(number), about: .item))))
      case 1: player.decide(.setVolume(Double(number % 7) / 7))
      default:
        player.decide(.event(.stream(player.machine.token, .sampled(position: .seconds(number), StreamProgress()))))
      }
      largest = max(largest, player.recorder.weight)
    }
    #expect(largest <= 1 << 20)
    #expect(largest > 1 << 19)
    let recording = try #require(player.recorder.recording)
    #expect(recording.inputs.last?.at == player.now.nanoseconds)
    #expect(recording.inputs.count > 1_000)
    for _ in 0..<1_000 { player.decide(.wake, after: .seconds(2)) }
    let later = try #require(player.recorder.recording)
    #expect(player.now - MonotonicTime(nanoseconds: later.base.at) <= .seconds(600))
    #expect(player.now - MonotonicTime(nanoseconds: later.base.at) >= .seconds(500))
  }

  @Test("The weight of a recording contains the weight of each input")
  func inputWeight() {
    var player = Recorded()
    player.play(Self.items(1))
    let before = player.recorder.weight
    let input = PlaybackInput.event(.stream(player.machine.token, .tags(Self.largeTags(1), about: .item)))
    player.decide(input)
    #expect(player.recorder.weight - before >= input.recorded.weight)
    #expect(input.recorded.weight > 2_000)
  }

  @Test("A replay with more than 200 wake-ups at one instant breaks a rule; wake-ups at other instants do not count")
  func repeatedWakes() throws {
    var player = Recorded()
    player.play(Self.items(1))
    var replay = PlaybackReplay(try #require(player.recorder.recording).base)
    func breaches(at instant: MonotonicTime, times: Int) -> Int {
      (0..<times).count { _ in
        let step = replay.perform(RecordedInput(at: instant.nanoseconds, input: .wake, state: 0))
        return step.violations.contains("at most 200 wake-ups at one instant")
      }
    }
    #expect(breaches(at: player.now, times: 150) == 0)
    let later = player.now + .milliseconds(1)
    #expect(breaches(at: later, times: 201) == 0)
    #expect(breaches(at: later, times: 1) == 1)
  }

  @Test("A queue of 100,000 items takes a few bytes, also when it is replaced")
  func longQueue() throws {
    var player = Recorded()
    player.play(Self.items(100_000))
    player.decide(.advance(by: 1), after: .seconds(61))
    let recording = try #require(player.recorder.recording)
    #expect(recording.base.replayed.queue.isEmpty)
    #expect(player.recorder.weight < 100_000)
    var replay = PlaybackReplay(recording.base)
    for input in recording.inputs { #expect(replay.perform(input).isAsRecorded) }
  }

  @Test("A shuffled queue that does not fit is not recorded, and a later one is")
  func largeOrder() throws {
    var player = Recorded()
    player.play(Self.items(200_000))
    player.decide(.setShuffled(true))
    player.decide(.wake, after: .seconds(61))
    #expect(player.recorder.recording == nil)
    #expect(player.recorder.weight == 0)
    player.decide(.replaceQueue(ItemList([]), startingAt: 0, playOrder: nil))
    player.decide(.wake, after: .seconds(61))
    #expect(player.recorder.recording?.inputs.count == 1)
  }

  @Test("An input that does not fit ends the recording, and the next one continues from the state after it")
  func largeInput() throws {
    var player = Recorded()
    let items = Self.items(50_000)
    player.play(items)
    player.decide(.remove(Set(items.dropFirst().map(\.id))))
    #expect(player.recorder.recording == nil)
    player.decide(.pause(fading: false))
    let recording = try #require(player.recorder.recording)
    #expect(recording.base.replayed.queue.items.count == 1)
    var replay = PlaybackReplay(recording.base)
    #expect(recording.inputs.count == 1)
    #expect(replay.perform(recording.inputs[0]).isAsRecorded)
  }

  @Test("Long texts and pictures are shortened, and stay different or the same")
  func texts() throws {
    let (one, other) = (Self.largeTags(1), Self.largeTags(2))
    #expect(one.recorded == Self.largeTags(1).recorded)
    #expect(one.recorded != other.recorded)
    #expect(one.recorded.title != other.recorded.title && one.recorded.artwork != other.recorded.artwork)
    #expect(one.recorded.comments.count == 8)
    let size = try JSONEncoder().encode(one.recorded).count
    #expect(size < 2_000)
  }

  @Test("The stand-in of a picture depends on its size and its last 4 KiB alone, so that little of it is read")
  func pictures() {
    func standIn(_ bytes: [UInt8]) -> MediaMetadata.Artwork? {
      var tags = MediaMetadata()
      tags.artwork = .init(mimeType: "image/png", bytes: bytes)
      return tags.recorded.artwork
    }
    let picture = [UInt8](repeating: 1, count: 100_000)
    var (other, similar) = (picture, picture)
    other[100_000 - 4_096] = 2
    similar[100_000 - 4_097] = 2
    #expect(standIn(other) != standIn(picture))
    #expect(standIn(similar) == standIn(picture))
    #expect(standIn(picture + [1]) != standIn(picture))
  }

  @Test("The texts of a recorded state are as short as in inputs, and its weight is an upper limit")
  func stateTexts() throws {
    var player = Recorded()
    player.play(Self.items(2))
    let (text, long) = (String(repeating: "x", count: 120), String(repeating: "x", count: 100_000))
    var track = AudioTrack()
    (track.codec, track.language, track.title) = (text, text, text)
    var tracks = [AudioTrack](repeating: track, count: 200)
    tracks[0].title = long
    let found = PlaybackInput.event(.stream(player.machine.token, .audioTracks(tracks, current: 0)))
    player.decide(found)
    player.decide(.event(.stream(player.machine.token, .redirected(to: long))))
    let next = try #require(player.decide(.event(.stream(player.machine.token, .read))).opened.last).stream
    player.decide(.event(.stream(next, .audioTracks(tracks, current: 0))))
    player.decide(.event(.stream(next, .redirected(to: long))))
    var error = PlayerError(code: .unknown, message: "", detail: long)
    error.isFromSource = true
    player.decide(.event(.stream(player.machine.token, .failed(error))))
    let base = RecordedState(player.machine, after: nil, now: player.now)
    let size = try JSONEncoder().encode(base).count
    #expect(size <= base.weight)
    player.decide(found)
    let input = try #require(player.recorder.recording?.inputs.last)
    var replay = PlaybackReplay(base)
    let step = replay.perform(input)
    #expect(step.isAsRecorded)
  }

  @Test("A recorded state omits volume curves, and its weight includes the languages of the settings and the engine")
  func largeSettings() throws {
    var player = Recorded()
    let items = Self.items(2)
    let ramps = (0..<1_000).map { VolumeCurve.Ramp(from: 0, to: 1, start: .seconds($0), end: .seconds($0)) }
    for item in items { player.decide(.setVolumeCurve(VolumeCurve(ramps), of: item.id)) }
    player.decide(.setAudioLanguages((0..<100).map { String(repeating: "x", count: 99) + "\($0)" }))
    player.decide(.setCrossfade(Player.Crossfade(skipLength: .seconds(1))))
    player.play(items)
    player.decide(.advance(by: 1))
    #expect(player.machine.skipped?.part.curve?.ramps.count == 1_000)
    let base = RecordedState(player.machine, after: nil, now: player.now)
    let size = try JSONEncoder().encode(base).count
    #expect(size <= base.weight)
    player.decide(.wake)
    let input = try #require(player.recorder.recording?.inputs.last)
    var replay = PlaybackReplay(base)
    #expect(replay.perform(input).isAsRecorded)
  }

  @Test("The weight of a recorded state is an upper limit with the longest tags")
  func stateTags() throws {
    var player = Recorded()
    player.play(Self.items(1))
    let text = String(repeating: "x", count: 120)
    var tags = MediaMetadata()
    for path in MediaMetadata.texts { tags[keyPath: path] = text }
    for path in MediaMetadata.lists { tags[keyPath: path] = [String](repeating: text, count: 8) }
    for scope in [TagScope.stream, .item, .companionFile] {
      player.decide(.event(.stream(player.machine.token, .tags(tags, about: scope))))
    }
    let base = RecordedState(player.machine, after: nil, now: player.now)
    let size = try JSONEncoder().encode(base).count
    #expect(size <= base.weight)
  }

  @Test("A recorded state has every property of the machine and of a successor")
  func everyProperty() throws {
    func labels<Value: Encodable>(_ value: Value, without: Set<String>) throws -> (coded: Set<String>, all: Set<String>)
    {
      let data = try JSONEncoder().encode(value)
      let coded = try JSONDecoder().decode([String: Ignored].self, from: data).keys
      // The label of a wrapped property begins with an underscore.
      let all = Mirror(reflecting: value).children.compactMap { $0.label.map { String($0.trimmingPrefix("_")) } }
      return (Set(coded), Set(all).subtracting(without))
    }
    // A property that is nil is not encoded: one state has an error, one an item that was skipped, one an item that fades out,
    // and one a start.
    var failed = Recorded()
    failed.play(Self.items(1))
    failed.decide(.event(.stream(failed.machine.token, .failed(PlayerError(code: .unknown, message: "")))))
    var skipped = Recorded()
    skipped.decide(.setCrossfade(Player.Crossfade(length: .seconds(6), skipLength: .seconds(1))))
    skipped.play(Self.items(2), duration: .seconds(60))
    var overlapping = skipped
    skipped.decide(.advance(by: 1))
    overlapping.decide(.wake, after: .seconds(50))
    let follower = try #require(overlapping.machine.loaded.successors.first).token
    overlapping.decide(.event(.stream(follower, .settled(StreamFacts(duration: .seconds(60))))))
    overlapping.decide(.event(.audible(follower, at: .zero)), after: .seconds(4))
    var scheduled = Recorded()
    scheduled.play(Self.items(1))
    scheduled.decide(.playAt(scheduled.now + .seconds(10)))
    let states = try [failed, skipped, overlapping, scheduled].map {
      try labels($0.machine, without: ["queue", "effects", "measured", "volumeCurves"])
    }
    #expect(states.reduce(into: Set()) { $0.formUnion($1.coded) } == states[0].all)
    let token = StreamToken(number: 1)
    var successors = Successors()
    successors.open(Player.Item(uri: "file:///a"), token)
    successors.settle(token, StreamFacts(duration: .zero, isLive: true))
    successors.read(token)
    successors.setMedia(.zero, of: token)
    successors.report(queued: 1, of: token, now: scheduled.now)
    successors.setOverlap(Successor.Overlap(start: .seconds(1), end: .seconds(3)))
    successors.changeItem(of: token) { $0.titles.note("title", at: .zero) }
    let successor = successors.begin()
    let next = try labels(successor, without: [])
    #expect(next.coded == next.all)
    let read = try JSONDecoder().decode(Successor.self, from: try JSONEncoder().encode(successor))
    #expect(read.token == successor.token && read.item.id == successor.item.id && read.overlap == successor.overlap)
    #expect(read.isSettled && read.isRead && read.isLive && read.media == .zero)
    #expect(read.queued == 1 && read.item.isLocal && read.state.titles == successor.state.titles)
  }

  private struct Ignored: Decodable {}

  @Test("Clips of one media stay consecutive in a recorded list, and items keep their numbers")
  func clips() {
    let clips = [
      Self.item(1, "file:///m", to: .seconds(5)), Self.item(2, "file:///m", from: .seconds(5), to: .seconds(9)),
      Self.item(3, "HTTPS://example.org/a"), Self.item(4, "https://example.org/b"),
    ]
    let list = ItemList(recording: clips)
    #expect(list.items.map(\.id) == clips.map(\.id))
    #expect(list.items[0].uri == list.items[1].uri && list.items[0].uri != "file:///m")
    #expect(list.items.map(\.isLocal) == [true, true, false, false])
    #expect(list.items.map(\.end) == clips.map(\.end))
    #expect(list.runs.count == 3)
  }

  @Test("Items of one folder share a folder in a recorded list, and items of another folder another one")
  func folders() {
    let uris = ["file:///a/1", "file:///a/2?x=/y", "file:///b/3", "file:///b/4", "file:///a/5", "http://s/a/6"]
    let items = uris.enumerated().map { Self.item(UInt64($0.offset + 1), $0.element) }
    let list = ItemList(recording: items)
    let replayed = list.items
    #expect(replayed.map(\.id) == items.map(\.id) && list.runs.count == 2)
    for (item, stand) in zip(items, replayed) {
      #expect(replayed.map { $0.folder == stand.folder } == items.map { $0.folder == item.folder })
      #expect(!stand.uri.contains("/a/"))
    }
    #expect(replayed.last?.isLocal == false)
  }

  @Test("A replay distinguishes the albums of two folders with one name", arguments: [true, false])
  func albums(isOneFolder: Bool) throws {
    var player = Recorded()
    player.decide(.setCrossfade(Player.Crossfade(length: .seconds(6))))
    player.decide(
      .replaceQueue(
        ItemList([Player.Item(uri: "file:///a/1"), Player.Item(uri: "file:///\(isOneFolder ? "a" : "b")/2")]),
        startingAt: 0, playOrder: nil))
    player.decide(.play)
    player.decide(.event(.stream(player.machine.token, .settled(StreamFacts(duration: .seconds(60))))))
    player.decide(.event(.audible(player.machine.token, at: .zero)))
    var tags = MediaMetadata()
    tags.album = "A"
    player.decide(.event(.stream(player.machine.token, .tags(tags, about: .stream))))
    player.decide(.wake, after: .seconds(50))
    let next = try #require(player.machine.loaded.successors.first).token
    player.decide(.event(.stream(next, .settled(StreamFacts(duration: .seconds(60))))))
    player.decide(.event(.stream(next, .tags(tags, about: .stream))))
    // The second state has the stream of the next item.
    for _ in 0..<2 {
      player.decide(.wake, after: .seconds(4))
      #expect((player.machine.loaded.successors.first?.overlap == nil) == isOneFolder)
      let recording = try #require(player.recorder.recording)
      var replay = PlaybackReplay(recording.base)
      for input in recording.inputs { #expect(replay.perform(input).isAsRecorded) }
    }
  }

  @Test("A shuffled queue is the same after it was recorded")
  func shuffled() throws {
    var queue = PlayQueue(shuffleSeed: 4)
    queue.replace(with: Self.items(20), startingAt: 7)
    queue.setShuffled(true)
    queue.select(queue.items[3].id)
    var replayed = PlayQueue(replaying: queue.recorded(after: nil))
    #expect(replayed.order == queue.order && replayed.current?.id == queue.current?.id)
    #expect(replayed.next?.id == queue.next?.id && replayed.revision == queue.revision)
    let more = Self.items(5, from: 100)
    queue.insert(more)
    replayed.insert(more)
    #expect(replayed.order == queue.order)
    var empty = PlayQueue()
    empty.setShuffled(true)
    #expect(PlayQueue(replaying: empty.recorded(after: nil)).isShuffled)
  }
}
