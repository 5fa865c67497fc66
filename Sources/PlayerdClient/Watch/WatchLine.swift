import PlayerdInterfaces
import PlayerdSystem

/// The state of the player in one line.
struct WatchLine {
  var player: WatchedPlayer
  var position: Int64?

  /// Returns the line with title, progress and wait reason, at most `width` columns wide.
  func text(width: Int) -> String {
    let title = TrackTitle.text(player.title, player.artist).withoutControls
    let left = symbol + " " + (title.isEmpty ? "nothing to play" : title)
    let right = times + waiting
    // One column less, because some terminals wrap after the last column.
    let room = max(0, width - 1)
    let rest = room - right.columns - left.columns
    if let bar = bar(width: min(ProgressBar.longest, rest - 4)), rest >= ProgressBar.shortest + 4 {
      return left + "  " + bar + "  " + right
    }
    guard !right.isEmpty, room > right.columns + 12 else { return left.cut(toColumns: room) }
    return left.cut(toColumns: room - right.columns - 2) + "  " + right
  }

  var symbol: String {
    switch (player.status, player.timeControlStatus) {
    case ("Playing", "playing"): "▶"
    case ("Playing", _): "…"
    case ("Paused", _): "‖"
    default: "■"
    }
  }

  /// The position and the duration, or how far a station is behind live.
  var times: String {
    let lag = PlayerStatus.text(ofLag: position, behind: player.livePosition)
    return joinedTexts([position.map { ClockTime.text($0, of: player.duration) }, lag], by: ", ")
  }

  var waiting: String {
    guard player.timeControlStatus == "waitingToPlay" else { return "" }
    return "  " + PlayerStatus.text(ofWait: player.reasonForWaiting, bufferingPercent: player.bufferingPercent)
  }

  private func bar(width: Int) -> String? {
    guard let position, let duration = player.duration, duration > 0, width > 0 else { return nil }
    return ProgressBar(position: position, duration: duration).text(width: width)
  }
}
