import Playback

/// The rules about the end of the engine's process.
extension Checker {
  /// Notes that the engine ends.
  func engineEnds(_ before: PlayerInspection) { if before.stream != 0 { items.engineEnds += 1 } }

  /// Checks the position after the engine has ended.
  func checkEngineEnd(_ before: PlayerInspection) {
    let after = world.player.inspection
    // A failed item is not loaded again, and a slow observer has not noticed it yet.
    guard before.snapshot.currentItem?.id == after.snapshot.currentItem?.id,
      before.snapshot.lastError == after.snapshot.lastError, before.snapshot.transport == after.snapshot.transport
    else { return }
    let (old, new) = (before.snapshot.position, after.snapshot.position)
    require(
      .positionAfterEngineEnd, (old < new ? new - old : old - new) <= .milliseconds(50), "from \(old) to \(new)")
    require(
      .positionAfterEngineEnd, before.stream == 0 || after.stream != before.stream,
      "the stream of the ended process stays")
  }
}
