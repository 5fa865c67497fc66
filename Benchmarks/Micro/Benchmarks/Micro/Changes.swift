import Benchmark

@testable import DBus
@testable import MPRISService

/// The comparison of two states of a player, which decides what PropertiesChanged contains.
func measureChanges() {
  let tracker = ChangeTracker([PlayerInterface(player: IdlePlayer()).rows], .playing)
  var moved = MPRISSnapshot.playing
  moved.position = .seconds(9)
  var paused = moved
  paused.status = .paused
  Benchmark("changes: only the position") { [moved] benchmark in
    for _ in benchmark.scaledIterations { blackHole(tracker.takeChanges(moved)) }
  }
  Benchmark("changes: pause and play") { [moved, paused] benchmark in
    for _ in benchmark.scaledIterations {
      blackHole(tracker.takeChanges(paused))
      blackHole(tracker.takeChanges(moved))
    }
  }
}

/// A player that is never called.
private struct IdlePlayer: MPRISPlayer {
  func snapshot() -> MPRISSnapshot { .playing }
  func perform(_ command: MPRISCommand) throws(MPRISCommandError) {}
  func events() -> AsyncStream<MPRISPlayerEvent> { AsyncStream { $0.finish() } }
}

extension MPRISSnapshot {
  /// The state of a player with a track of usual tags.
  static let playing: MPRISSnapshot = {
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(1), title: "Paper Boats")
    fields.artists = ["The Quiet Harbour"]
    fields.album = "Tides"
    fields.genres = ["Folk"]
    fields.trackNumber = 4
    var snapshot = MPRISSnapshot(identity: "benchmark")
    snapshot.metadata = MPRISMetadata(fields)
    snapshot.status = .playing
    return snapshot
  }()
}
