extension Player {
  /// Calls `body` with each chapter, line of lyrics, title of a radio station and ID3 tag of HTTP Live Streaming when
  /// playback reaches its time.
  ///
  /// Playback delivers every piece of metadata that it passes. A seek delivers the one of each kind that applies at its
  /// target, unless that is the last one again. Metadata that applied before the call is not delivered. Calls are made
  /// one at a time on the player's own queue, in order with the calls of the other observers.
  ///
  /// Chapters and lyrics of an item that is only a part of its media are not delivered, because their times count from the start of
  /// the whole media.
  ///
  /// The counterpart of `AVPlayerItemMetadataOutput`, for all items of the player.
  ///
  /// - Parameters:
  ///   - advance: The media time by which each piece is delivered early, 0 to one day; clamped. A piece that is known
  ///     later, and one at the start of an item, is delivered as soon as possible.
  ///   - body: Receives the metadata.
  /// - Returns: The observation; it ends when its last reference is released.
  public func addTimedMetadataObserver(
    advance: Duration = .zero, using body: @escaping @Sendable (TimedMetadata) -> Void
  ) -> Player.Observer {
    core.addObserver(of: .metadata(advance: advance), \.metadata, body)
  }

  /// Returns the metadata that ``addTimedMetadataObserver(advance:using:)`` delivers as a sequence.
  ///
  /// - Parameter advance: The media time by which each piece is delivered early, 0 to one day; clamped.
  /// - Returns: The sequence; it buffers the latest 1,024 for a slow reader, and ends when the player is closed.
  public func timedMetadata(advance: Duration = .zero) -> AsyncStream<TimedMetadata> {
    core.sequence(of: .metadata(advance: advance), \.metadata)
  }
}
