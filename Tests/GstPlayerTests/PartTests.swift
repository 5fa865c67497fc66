import TestSupport
import Testing

@testable import GstPlayer

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
