extension Player {
  /// The action when the current item, or the last one, has played to its end.
  public enum LoopMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// The queue plays once.
    case none
    /// The current item repeats.
    case track
    /// The queue starts again after its last item.
    case playlist
  }
}
