extension Player {
  /// Loads the current item, and waits until it is ready to play; it is then held, paused, at its start.
  ///
  /// If the player is not stopped, the call only waits. A cancelled call returns early, and the item is still loaded.
  /// If the audio output is unavailable, the call waits until it can be opened. ``load()`` does the same without
  /// waiting. The counterpart of `AVPlayer.preroll(atRate:)`.
  ///
  /// - Throws: The item's ``PlayerError`` if it fails, and ``PlayerError`` with the code `invalid-argument` if the queue
  ///   is empty. The code is `cancelled` if another item becomes current, playback is stopped, or the player is closed.
  ///   `CancellationError` if the task is cancelled.
  public func prepare() async throws { try await core.prepare() }
}
