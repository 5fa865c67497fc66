package import GstPlayer

/// The configuration of the players that are created in a task, and the record of those that play.
package enum PlayerDefaults {
  /// The configuration of the players that are created in a task; nil for the program's configuration.
  @TaskLocal package static var configuration: Player.Configuration?
  @TaskLocal package static var activity = PlaybackActivity.shared
}
