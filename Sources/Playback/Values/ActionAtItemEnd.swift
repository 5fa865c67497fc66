extension Player {
  /// The action when an item has played to its end; the counterpart of `AVPlayer.ActionAtItemEnd`.
  public enum ActionAtItemEnd: Codable, Hashable, Sendable, CaseIterable {
    /// The next item plays; after the last one the player stops.
    case advance
    /// The player is paused at the end of the item.
    case pause
    /// The item stays current at its end, and the requested state stays playing: after a seek, playback continues.
    case none
    /// The player stops, whatever the loop mode; the next item, if there is one, becomes current.
    ///
    /// `AVPlayer` does not have this action.
    case stop
  }
}
