import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Items that play a range of their media", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ClipTests {
  /// Returns 3 s of media with 44 100 samples per second: the URI of a FLAC file, and its samples.
  private func media() async throws -> (uri: String, samples: [Int16]) {
    let file = try await Media.continuousSine(samplesPerPart: 66_150)[0]
    let wav = try await Media.continuousSine(samplesPerPart: 66_150, format: .wav)[0]
    return (fileURI(file), try samples(ofWAV: wav))
  }

  /// Returns the time of a sample as a cue sheet gives it: rounded up to the nanosecond.
  private func time(_ sample: Int) -> Duration { .nanoseconds((sample * 1_000_000_000 + 44_099) / 44_100) }

  private func parts(_ uri: String, _ bounds: [(from: Int, to: Int?)]) -> [Player.Item] {
    bounds.map { Player.Item(uri: uri, externalMetadata: nil, start: time($0.from), end: $0.to.map(time)) }
  }

  @Test("Adjacent ranges play as the whole file without a seek; each is the current item in turn")
  func joined() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { harness, tap in
      let items = parts(uri, [(0, 20_001), (20_001, 45_000), (45_000, nil)])
      harness.player.replaceQueue(with: items)
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), samples)
      let ended = harness.events.elements.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
      #expect(ended == items)
      #expect(!harness.events.elements.contains { if case .timeJumped = $0 { true } else { false } })
    }
  }

  @Test(
    "A single range starts and ends at its exact samples",
    arguments: [10_000..<30_000, 0..<20_001, 40_000..<60_000, 12_345..<34_567, 50_003..<50_591])
  func alone(part: Range<Int>) async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { harness, tap in
      harness.player.replaceQueue(with: parts(uri, [(part.lowerBound, part.upperBound)]))
      let snapshot = try await harness.ready()
      #expect(snapshot.duration == time(part.upperBound) - time(part.lowerBound))
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), samples[part])
    }
  }

  @Test("Ranges that are not adjacent play one after the other, each with its exact samples")
  func apart() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { harness, tap in
      harness.player.replaceQueue(with: parts(uri, [(40_000, 60_000), (10_000, 20_000)]))
      try await harness.playToEnd()
      let recorded = try tap.recorded()
      let expected = Array(samples[40_000..<60_000] + samples[10_000..<20_000])
      expectSamples(recorded, expected)
    }
  }

  /// The item after two adjacent ranges that end in the middle of their media.
  enum Follower: CaseIterable, Sendable { case nothing, anotherFile, anotherPart, theSame }

  @Test(
    "Adjacent ranges end at the last sample of the last range, with any next item", arguments: Follower.allCases,
    [0, 44_100])
  func joinedEnd(follower: Follower, start: Int) async throws {
    let (uri, samples) = try await media()
    let other = try await Media.continuousSine(samplesPerPart: 66_150)[1]
    let rest = try await Media.continuousSine(samplesPerPart: 66_150, format: .wav)[1]
    try await withTappedPlayer([]) { harness, tap in
      let joined = parts(uri, [(start, 50_001), (50_001, 60_123)])
      var (items, expected) = (joined, Array(samples[start..<60_123]))
      switch follower {
      case .nothing: break
      case .anotherFile:
        items.append(Player.Item(uri: fileURI(other)))
        expected += try GstPlayerTests.samples(ofWAV: rest)
      case .anotherPart:
        items += parts(uri, [(10_000, 20_000)])
        expected += samples[10_000..<20_000]
      case .theSame:
        items += parts(uri, [(start, 50_001), (50_001, 60_123)])
        expected += expected
      }
      harness.player.replaceQueue(with: items)
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), expected)
      let ended = harness.events.elements.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
      #expect(ended == items)
    }
  }

  @Test("Adjacent ranges looped as a playlist end at their exact samples in each round")
  func joinedLoop() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { harness, tap in
      let items = parts(uri, [(44_100, 50_001), (50_001, 60_123)])
      harness.player.replaceQueue(with: items)
      harness.player.loop = .playlist
      harness.player.play()
      var place = 0
      for _ in 0..<3 { place = try await harness.event(.itemDidPlayToEnd(items[1]), from: place) + 1 }
      harness.player.stop()
      await harness.end()
      let round = samples[44_100..<60_123]
      expectSamples(try tap.recorded().prefix(3 * round.count), Array([round, round, round].joined()))
    }
  }

  @Test("Adjacent ranges after another file also end at their last sample")
  func joinedAfterHandOver() async throws {
    let (uri, samples) = try await media()
    let other = try await Media.continuousSine(samplesPerPart: 66_150)[1]
    let before = try await Media.continuousSine(samplesPerPart: 66_150, format: .wav)[1]
    try await withTappedPlayer([fileURI(other)]) { harness, tap in
      harness.player.append(contentsOf: parts(uri, [(0, 50_001), (50_001, 60_123), (10_000, 20_000)]))
      try await harness.playToEnd()
      let expected = try GstPlayerTests.samples(ofWAV: before) + samples[..<60_123] + samples[10_000..<20_000]
      expectSamples(try tap.recorded(), expected)
    }
  }

  /// An edit while the first of two adjacent ranges plays, and the samples played after that range.
  struct Parting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var recorded: Range<Int>
    var apply: @Sendable (Player, [Player.Item]) -> Void

    static let all = [
      Parting(testDescription: "insert another part", recorded: 10_000..<20_000) { player, items in
        player.insert(contentsOf: [items[2]], after: items[0].id)
        player.remove(items[1].id)
      },
      Parting(testDescription: "remove the next part", recorded: 0..<0) { player, items in player.remove(items[1].id) },
      Parting(testDescription: "loop the part once", recorded: 5000..<50_001) { player, items in
        player.loop = .track
      },
    ]
  }

  @Test(
    "An edit that separates adjacent ranges ends the range at its last sample", arguments: Parting.all, [200, 800])
  func parted(edit: Parting, milliseconds: Int) async throws {
    let (uri, samples) = try await media()
    // At 800 ms, the observer has 220 ms until the end of the range.
    try await withTappedPlayer([], inFastTime: milliseconds < 500) { harness, tap in
      let items = parts(uri, [(5000, 50_001), (50_001, 60_123), (10_000, 20_000)])
      harness.player.replaceQueue(with: Array(items.prefix(2)))
      let player = harness.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(milliseconds)]) { _ in
        edit.apply(player, items)
      }
      // A looped range ends its second round like any other.
      let loop = player.addEventObserver { event, _ in
        guard case .itemRepeated = event else { return }
        observation.cancel()
        player.loop = .none
        player.remove(items[1].id)
      }
      try await harness.playToEnd()
      observation.cancel()
      loop.cancel()
      expectSamples(try tap.recorded(), samples[5000..<50_001] + samples[edit.recorded])
    }
  }

  @Test("A seek counts from the start of the range and ends within it")
  func seek() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { harness, tap in
      harness.player.replaceQueue(with: parts(uri, [(10_000, 30_000)]))
      try await harness.ready()
      #expect(await harness.player.seek(to: .milliseconds(200)).isCompleted)
      #expect(harness.player.snapshot.position == .milliseconds(200))
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), samples[18_820..<30_000])
    }
  }

  @Test("If an adjacent range is appended to the last one, a seek continues into it")
  func extended() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { harness, tap in
      let items = parts(uri, [(0, 20_001), (20_001, nil)])
      harness.player.replaceQueue(with: [items[0]])
      try await harness.ready()
      harness.player.append(contentsOf: [items[1]])
      #expect(await harness.player.seek(to: .milliseconds(200)).isCompleted)
      let before = try tap.recorded().count
      try await harness.playToEnd()
      expectSamples(try tap.recorded().dropFirst(before), samples.dropFirst(8820))
    }
  }
}
