import ArgumentParser
import Playback

/// `none`, `track` or `playlist`.
enum LoopArgument: String, ExpressibleByArgument, CaseIterable {
  case none, track, playlist

  /// The mode of the same name.
  var mode: Player.LoopMode { Player.LoopMode(rawValue: rawValue) ?? Player.LoopMode.none }
}
