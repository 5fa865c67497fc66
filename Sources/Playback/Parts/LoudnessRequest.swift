/// The request to measure the loudness of upcoming files, and the state that it was made for.
///
/// Invariant: nothing is requested in low power mode, or unless the player is to play.
struct LoudnessRequest: Equatable, Sendable {
  /// The state that determines the files.
  struct Basis: Equatable, Sendable {
    /// Whether the player is to play, and not in low power mode.
    var isPlaying = false
    var revision: UInt64 = 0
    var current: Player.Item.ID?
    var loop = Player.LoopMode.none
  }

  /// The number of items after the current one that are measured.
  static let distance = 3
  /// The maximum number of files of an album; the files of a larger folder are single items.
  private static let albumLimit = 64

  var basis = Basis()
  var groups: [[String]] = []

  /// Returns the groups of files to measure: for the next items, the nearest first, and for the current item.
  ///
  /// The current item is the last one, because its gain is already decided; for its silence it is the first one, also in
  /// its group. In album mode a group contains the files of the queue in one folder, in list order.
  static func groups(
    of queue: PlayQueue, mode: Player.Configuration.ReplayGain.Mode, findsSilence: Bool
  ) -> [[String]] {
    var groups: [[String]] = []
    var seen: Set<String> = []
    let following = (1...distance).map { queue.following($0) }
    let order = findsSilence ? [queue.current] + following : following + [queue.current]
    for case let item? in order where item.isLocal && !seen.contains(item.uri) {
      var group = mode == .album ? album(of: item.uri, in: queue) : [item.uri]
      seen.formUnion(group)
      if findsSilence { group = [item.uri] + group.filter { $0 != item.uri } }
      groups.append(group)
    }
    return groups
  }

  private static func album(of uri: String, in queue: PlayQueue) -> [String] {
    let folder = folder(of: uri)
    var seen: Set<String> = []
    var files: [String] = []
    for item in queue.items where item.uri.hasPrefix(folder) && Self.folder(of: item.uri) == folder {
      if seen.insert(item.uri).inserted { files.append(item.uri) }
      if files.count > albumLimit { return [uri] }
    }
    return files
  }

  /// Returns a URI up to its last slash.
  private static func folder(of uri: String) -> Substring {
    let name = uri.utf8.lastIndex(of: UInt8(ascii: "/")) ?? uri.startIndex
    return uri[..<name]
  }
}
