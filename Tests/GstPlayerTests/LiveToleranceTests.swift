import GstPlayer
import TestSupport
import Testing

@Suite("Seeks with a tolerance, heard", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveToleranceTests {
  /// What each second of the media sounds like: its number, so that what is heard tells where it is from.
  private static let level = 1000

  /// Six seconds that can be entered at the start of each second only.
  private func staircase(in directory: TemporaryDirectory) throws -> String {
    var file = Matroska(codec: "A_PCM/INT/LIT")
    file.clusters = 6
    file.clusterMilliseconds = 1000
    file.sample = { Int16($0 / 8000 * Self.level) }
    return try directory.write(file.bytes, to: "staircase.mka")
  }

  private struct Landing { var position: Duration, rest: [Int16] }

  /// Seeks while paused, and plays what is left.
  private func land(at target: Duration, within tolerance: Player.SeekTolerance) async throws -> Landing {
    try await withTemporaryDirectory { directory in
      let path = try staircase(in: directory)
      var landing = Landing(position: .zero, rest: [])
      try await withTappedPlayer([fileURI(path)]) { stage, tap in
        try await stage.ready()
        #expect(await stage.player.seek(to: target, within: tolerance))
        landing.position = stage.player.snapshot.position
        let before = try tap.heard().count
        try await stage.playOut()
        landing.rest = Array(try tap.heard().dropFirst(before))
      }
      return landing
    }
  }

  /// What is heard behind the landing, in seconds; nil when it does not sound like that place.
  private func heard(_ landing: Landing) -> Double? {
    // Resampled, a step rings for some samples.
    let expected = Int(landing.position / .seconds(1)) * Self.level
    guard let first = landing.rest.dropFirst(2000).first, abs(Int(first) - expected) < 50 else { return nil }
    return Double(landing.rest.count) / 44_100
  }

  @Test("A wide one is where the file can be entered, and says where that is")
  func wide() async throws {
    let landing = try await land(at: .milliseconds(2900), within: .infinity)
    let seconds = try #require(heard(landing), "not what is at \(landing.position)")
    #expect(abs(seconds - (6 - landing.position / .seconds(1))) < 0.01)
  }

  @Test("A narrow one is within it, though the file cannot be entered there")
  func narrow() async throws {
    let tolerance = Player.SeekTolerance(before: .milliseconds(300), after: .milliseconds(50))
    let landing = try await land(at: .milliseconds(2900), within: tolerance)
    #expect((.milliseconds(2600)...(.milliseconds(2950))).contains(landing.position))
    let seconds = try #require(heard(landing), "not what is at \(landing.position)")
    #expect(abs(seconds - (6 - landing.position / .seconds(1))) < 0.01)
  }
}
