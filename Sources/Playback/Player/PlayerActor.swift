/// Where ``PlayerState`` lives: one actor for the states of all players.
///
/// It does nothing but set and hand out values, so that an observer of one player is not held up by another's.
@globalActor
public actor PlayerActor {
  /// The actor.
  public static let shared = PlayerActor()
}
