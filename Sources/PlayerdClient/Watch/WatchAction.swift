import PlayerdInterfaces
package import PlayerdSystem

/// Runs the shell command of `--exec` when playback reaches a boundary; `watch` does not wait for it.
package struct WatchAction: Sendable {
  private let runs: CommandRuns
  private let command: String
  /// Boundaries of a track whose title is not yet known: at a track change, a boundary at 0 may arrive before the title.
  private var waiting: [WatchRecord] = []

  /// The longest wait for a title, in microseconds.
  private static let patience: Int64 = 1_000_000

  package init(_ command: String, _ runs: CommandRuns) { (self.command, self.runs) = (command, runs) }

  /// Runs the command once for each boundary among the new and the waiting records.
  package mutating func perform(for records: [WatchRecord], _ player: WatchedPlayer) {
    let now = monotonicMicroseconds()
    waiting += records.filter { if case .boundary = $0.event { true } else { false } }
    let isReady = { (record: WatchRecord) in Self.isReady(record, player, at: now) }
    defer { waiting.removeAll(where: isReady) }
    for record in waiting.filter(isReady) {
      let isKnown = record.trackID == player.trackID
      let variables = [
        "PLAYERD_EVENT": record.name, "PLAYERD_TRACK": record.trackID ?? "",
        "PLAYERD_URI": (isKnown ? player.uri : nil) ?? "", "PLAYERD_TITLE": (isKnown ? player.title : nil) ?? "",
        "PLAYERD_POSITION": "\(Double(record.position ?? 0) / 1e6)",
      ]
      runs.run("--exec", ["/bin/sh", "-c", command], variables)
    }
  }

  /// Whether the title of a record's track is known, or has been waited for long enough.
  static func isReady(_ record: WatchRecord, _ player: WatchedPlayer, at now: Int64) -> Bool {
    record.trackID == player.trackID || record.monotonic < now - patience
  }
}
