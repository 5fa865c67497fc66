import GstPlayer
import TestSupport
import Testing

@Suite("Seeks with a tolerance, by the rendered samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveToleranceTests {
  /// The difference in sample value between two consecutive seconds.
  ///
  /// All samples of a second have its number times this value, so that a sample shows its position.
  private static let level = 1000

  /// Writes six seconds of media with a seek point only at the start of each second.
  private func staircase(in directory: TemporaryDirectory) throws -> String {
    var file = Matroska(codec: "A_PCM/INT/LIT")
    file.clusters = 6
    file.clusterMilliseconds = 1000
    file.sample = { Int16($0 / 8000 * Self.level) }
    return try directory.write(file.bytes, to: "staircase.mka")
  }

  private struct Landing { var position: Duration, rest: [Int16] }

  /// Seeks while paused, and plays the rest.
  private func land(at target: Duration, within tolerance: Player.SeekTolerance) async throws -> Landing {
    try await withTemporaryDirectory { directory in
      let path = try staircase(in: directory)
      var landing = Landing(position: .zero, rest: [])
      try await withTappedPlayer([fileURI(path)]) { harness, tap in
        try await harness.ready()
        #expect(await harness.player.seek(to: target, within: tolerance).isCompleted)
        landing.position = harness.player.snapshot.position
        let before = try tap.recorded().count
        try await harness.playToEnd()
        landing.rest = Array(try tap.recorded().dropFirst(before))
      }
      return landing
    }
  }

  /// Returns the duration in seconds of the samples after the seek; nil if their level does not match the position.
  private func recorded(_ landing: Landing) -> Double? {
    // After resampling, a step rings for some samples.
    let expected = Int(landing.position / .seconds(1)) * Self.level
    guard let first = landing.rest.dropFirst(2000).first, abs(Int(first) - expected) < 50 else { return nil }
    return Double(landing.rest.count) / 44_100
  }

  @Test("A seek with a wide tolerance lands on a seek point, and reports its position")
  func wide() async throws {
    let landing = try await land(at: .milliseconds(2900), within: .infinity)
    let seconds = try #require(recorded(landing), "not what is at \(landing.position)")
    #expect(abs(seconds - (6 - landing.position / .seconds(1))) < 0.01)
  }

  @Test("A seek with a narrow tolerance lands within it, even without a seek point there")
  func narrow() async throws {
    let tolerance = Player.SeekTolerance(before: .milliseconds(300), after: .milliseconds(50))
    let landing = try await land(at: .milliseconds(2900), within: tolerance)
    #expect((.milliseconds(2600)...(.milliseconds(2950))).contains(landing.position))
    let seconds = try #require(recorded(landing), "not what is at \(landing.position)")
    #expect(abs(seconds - (6 - landing.position / .seconds(1))) < 0.01)
  }
}
