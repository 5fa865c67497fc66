import ArgumentParser
import Playback

/// `none`, `track` or `playlist`, in any case.
enum LoopArgument: String, ExpressibleByArgument, CaseIterable {
  case none, track, playlist

  init?(argument: String) {
    let word = argument.lowercased()
    self.init(rawValue: Self.otherWords[word] ?? word)
  }

  /// The words of other players.
  private static let otherWords = ["off": "none", "one": "track", "all": "playlist", "queue": "playlist"]

  /// The mode of the same name.
  var mode: Player.LoopMode { Player.LoopMode(rawValue: rawValue) ?? Player.LoopMode.none }
}
