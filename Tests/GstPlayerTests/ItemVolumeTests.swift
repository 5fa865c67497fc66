import GstPlayer
import TestSupport
import Testing

/// Tests of the volume curves of items, by the rendered samples.
@Suite("Volume of items", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ItemVolumeTests {
  /// Expects samples that follow a curve, except for their rounding.
  private func expect(_ sound: ArraySlice<Int16>, _ original: [Int16], _ curve: VolumeCurve) {
    #expect(sound.count == original.count)
    let wrong = zip(sound, original).enumerated().first { index, samples in
      let level = curve.level(at: .seconds(1) * index / 44_100)
      return abs(Double(samples.0) - Double(samples.1) * level) > 1.5
    }
    #expect(wrong == nil, "sample \(String(describing: wrong))")
  }

  @Test("The samples of an item and of its gapless successor each follow their item's curve")
  func curves() async throws {
    let parts = try await Media.continuousSine(parts: 3, format: .wav)
    let curves = [
      VolumeCurve([.init(from: 1, to: 0, start: .milliseconds(200), end: .milliseconds(600))]), VolumeCurve([]),
      VolumeCurve([
        .init(from: 0.5, to: 0.5, start: .zero, end: .zero),
        .init(from: 0, to: 0.8, start: .milliseconds(100), end: .milliseconds(900)),
      ]),
    ]
    try await withTappedPlayer(parts.map { fileURI($0) }) { harness, tap in
      for (item, curve) in zip(harness.player.items, curves) where !curve.ramps.isEmpty {
        harness.player.setVolumeCurve(curve, of: item.id)
      }
      try await harness.playToEnd()
      let sound = try tap.recorded()
      try #require(sound.count == 3 * 44_987)
      for (index, part) in parts.enumerated() {
        expect(sound[index * 44_987..<(index + 1) * 44_987], try samples(ofWAV: part), curves[index])
      }
    }
  }

  @Test("After a seek, the curve follows the time of the media")
  func seek() async throws {
    let path = try await Media.sine(seconds: 3, format: .wav)
    let curve = VolumeCurve([.init(from: 0, to: 1, start: .seconds(1), end: .seconds(3))])
    try await withTappedPlayer([fileURI(path)]) { harness, tap in
      harness.player.setVolumeCurve(curve, of: try #require(harness.player.items.first).id)
      harness.player.load()
      try await harness.ready()
      let isSought = await harness.player.seek(to: .seconds(2)).isCompleted
      try #require(isSought)
      try await harness.playToEnd()
      let (sound, original) = (try tap.recorded(), try samples(ofWAV: path))
      // The first preroll is rendered before the seek.
      let played = sound.suffix(44_100)
      let moved = VolumeCurve([.init(from: 0.5, to: 1, start: .zero, end: .seconds(1))])
      expect(played, Array(original.suffix(44_100)), moved)
    }
  }
}
