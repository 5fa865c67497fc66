extension Player {
  /// Updates ``Player/state`` of all players, for observers that are not isolated to another actor.
  ///
  /// It only sets values, so an observer of one player does not delay the observers of another.
  @globalActor
  public actor StateActor {
    /// The shared instance.
    public static let shared = Player.StateActor()
  }
}
