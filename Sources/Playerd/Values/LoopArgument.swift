import ArgumentParser

/// `none`, `track` or `playlist`.
enum LoopArgument: String, ExpressibleByArgument, CaseIterable {
  case none, track, playlist
}
