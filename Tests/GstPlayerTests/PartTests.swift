import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Items that are parts of their media", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PartTests {
  /// 3 s of 44 100 samples each second, as FLAC and as the samples in it.
  private func media() async throws -> (uri: String, samples: [Int16]) {
    let file = try await Media.continuousSine(samplesPerPart: 66_150)[0]
    let wav = try await Media.continuousSine(samplesPerPart: 66_150, format: .wav)[0]
    return (fileURI(file), try samples(ofWAV: wav))
  }

  /// A sample's time as a cue sheet gives it: rounded up to the nanosecond.
  private func time(_ sample: Int) -> Duration { .nanoseconds((sample * 1_000_000_000 + 44_099) / 44_100) }

  private func parts(_ uri: String, _ bounds: [(from: Int, to: Int?)]) -> [PlayerItem] {
    bounds.map { PlayerItem(uri: uri, hints: nil, start: time($0.from), end: $0.to.map(time)) }
  }

  @Test("Parts that meet are heard as the whole, without a seek; each is current in its turn, from 0 to its length")
  func joined() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      let items = parts(uri, [(0, 20_001), (20_001, 45_000), (45_000, nil)])
      stage.player.replaceQueue(with: items)
      try await stage.playOut()
      #expect(difference(try tap.heard(), samples) == nil)
      let ended = stage.events.elements.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
      #expect(ended == items)
      #expect(!stage.events.elements.contains { if case .timeJumped = $0 { true } else { false } })
    }
  }

  @Test(
    "A part alone begins and ends at its samples",
    arguments: [10_000..<30_000, 0..<20_001, 40_000..<60_000, 12_345..<34_567, 50_003..<50_591])
  func alone(part: Range<Int>) async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      stage.player.replaceQueue(with: parts(uri, [(part.lowerBound, part.upperBound)]))
      let snapshot = try await stage.ready()
      #expect(snapshot.duration == time(part.upperBound) - time(part.lowerBound))
      try await stage.playOut()
      #expect(difference(try tap.heard(), samples[part]) == nil)
    }
  }

  @Test("Parts that do not meet are heard one after the other, each exactly")
  func apart() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      stage.player.replaceQueue(with: parts(uri, [(40_000, 60_000), (10_000, 20_000)]))
      try await stage.playOut()
      let heard = try tap.heard()
      let expected = Array(samples[40_000..<60_000] + samples[10_000..<20_000])
      #expect(difference(heard, expected) == nil)
    }
  }

  /// What follows two parts that meet and end in the midst of their media.
  enum Follower: CaseIterable, Sendable { case nothing, anotherFile, anotherPart, theSame }

  @Test(
    "Parts that meet end at the last sample of the last of them, whatever follows", arguments: Follower.allCases,
    [0, 44_100])
  func joinedEnd(follower: Follower, start: Int) async throws {
    let (uri, samples) = try await media()
    let other = try await Media.continuousSine(samplesPerPart: 66_150)[1]
    let rest = try await Media.continuousSine(samplesPerPart: 66_150, format: .wav)[1]
    try await withTappedPlayer([]) { stage, tap in
      let joined = parts(uri, [(start, 50_001), (50_001, 60_123)])
      var (items, expected) = (joined, Array(samples[start..<60_123]))
      switch follower {
      case .nothing: break
      case .anotherFile:
        items.append(PlayerItem(uri: fileURI(other)))
        expected += try GstPlayerTests.samples(ofWAV: rest)
      case .anotherPart:
        items += parts(uri, [(10_000, 20_000)])
        expected += samples[10_000..<20_000]
      case .theSame:
        items += parts(uri, [(start, 50_001), (50_001, 60_123)])
        expected += expected
      }
      stage.player.replaceQueue(with: items)
      try await stage.playOut()
      #expect(difference(try tap.heard(), expected) == nil)
      let ended = stage.events.elements.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
      #expect(ended == items)
    }
  }

  @Test("Parts that meet, looped as a playlist, end at their samples each time round")
  func joinedLoop() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      let items = parts(uri, [(44_100, 50_001), (50_001, 60_123)])
      stage.player.replaceQueue(with: items)
      stage.player.setLoop(.playlist)
      stage.player.play()
      var place = 0
      for _ in 0..<3 { place = try await stage.event(.itemDidPlayToEnd(items[1]), from: place) + 1 }
      stage.player.stop()
      await stage.end()
      let round = samples[44_100..<60_123]
      #expect(difference(try tap.heard().prefix(3 * round.count), Array([round, round, round].joined())) == nil)
    }
  }

  @Test("Parts that meet end at their last sample behind another file, too")
  func joinedAfterHandOver() async throws {
    let (uri, samples) = try await media()
    let other = try await Media.continuousSine(samplesPerPart: 66_150)[1]
    let before = try await Media.continuousSine(samplesPerPart: 66_150, format: .wav)[1]
    try await withTappedPlayer([fileURI(other)]) { stage, tap in
      stage.player.insert(parts(uri, [(0, 50_001), (50_001, 60_123), (10_000, 20_000)]))
      try await stage.playOut()
      let expected = try GstPlayerTests.samples(ofWAV: before) + samples[..<60_123] + samples[10_000..<20_000]
      #expect(difference(try tap.heard(), expected) == nil)
    }
  }

  /// An edit while the first of two parts that meet plays, and what is heard after that part.
  struct Parting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var heard: Range<Int>
    var apply: @Sendable (Player, [PlayerItem]) -> Void

    static let all = [
      Parting(testDescription: "insert another part", heard: 10_000..<20_000) { player, items in
        player.insert([items[2]], after: items[0].id)
        player.remove(items[1].id)
      },
      Parting(testDescription: "remove the next part", heard: 0..<0) { player, items in player.remove(items[1].id) },
      Parting(testDescription: "loop the part once", heard: 5000..<50_001) { player, items in
        player.setLoop(.track)
      },
    ]
  }

  @Test(
    "An edit that parts what was joined ends the part at its last sample", arguments: Parting.all, [200, 500, 800])
  func parted(edit: Parting, milliseconds: Int) async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      let items = parts(uri, [(5000, 50_001), (50_001, 60_123), (10_000, 20_000)])
      stage.player.replaceQueue(with: Array(items.prefix(2)))
      let player = stage.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(milliseconds)]) { _ in
        edit.apply(player, items)
      }
      // A part that is looped ends its second round as any other.
      let loop = player.addEventObserver { event in
        guard case .itemRepeated = event else { return }
        observation.cancel()
        player.setLoop(.none)
        player.remove(items[1].id)
      }
      try await stage.playOut()
      observation.cancel()
      loop.cancel()
      #expect(difference(try tap.heard(), samples[5000..<50_001] + samples[edit.heard]) == nil)
    }
  }

  @Test("A seek counts from the part's start and ends within it")
  func seek() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      stage.player.replaceQueue(with: parts(uri, [(10_000, 30_000)]))
      try await stage.ready()
      #expect(await stage.player.seek(to: .milliseconds(200)))
      #expect(stage.player.snapshot.position == .milliseconds(200))
      try await stage.playOut()
      #expect(difference(try tap.heard(), samples[18_820..<30_000]) == nil)
    }
  }

  @Test("Where another part is put behind one that was to stop, a seek plays on into it")
  func extended() async throws {
    let (uri, samples) = try await media()
    try await withTappedPlayer([]) { stage, tap in
      let items = parts(uri, [(0, 20_001), (20_001, nil)])
      stage.player.replaceQueue(with: [items[0]])
      try await stage.ready()
      stage.player.insert([items[1]])
      #expect(await stage.player.seek(to: .milliseconds(200)))
      let before = try tap.heard().count
      try await stage.playOut()
      #expect(difference(try tap.heard().dropFirst(before), samples.dropFirst(8820)) == nil)
    }
  }
}
