import Playback
import PlayerdInterfaces
import PlayerdSystem

/// Reports the items that were queued at the start; ends the daemon if none of them is playable.
struct StartReport: Sendable {
  let player: Player
  let opens: OpenQueue
  let commandLine: CommandLineRequest
  /// The reports about the request of the start; at most one.
  let reports: AsyncStream<OpenReport>
  /// Whether the process that started this one waits for the start of playback.
  let isDetached: Bool
  /// Whether the process that started this one shows it on a terminal.
  let isAttached: Bool

  /// Returns an exit status if nothing is playable, else nil.
  func run() async -> ExitStatus? {
    for await var report in reports {
      if report.isUnfinished, report.trackCount == 0 {
        // All items so far are unplayable.
        await opens.idle()
        (report.isUnfinished, report.trackCount) = (false, Int64(player.snapshot.itemCount))
      }
      if commandLine.replacesQueue, report.trackCount == 0, !report.isSuperseded { return ExitStatus.nothingPlayable }
      if isDetached, await !hasStarted() { return ExitStatus.nothingPlayable }
      announce(report, player.snapshot)
    }
    return nil
  }

  /// Returns when playback has started, needs no start, or waits for an output; false if every item has failed.
  private func hasStarted() async -> Bool {
    let events = player.events()
    let isToPlay = player.snapshot.transport == .playing
    func isDecided() -> Bool {
      switch player.snapshot.timeControlStatus {
      case .waitingToPlay(.noOutput), .playing, .paused: true
      case .waitingToPlay: false
      }
    }
    if !isDecided() { for await _ in events where isDecided() { break } }
    return !isToPlay || player.snapshot.transport != .stopped
  }

  private func announce(_ report: OpenReport, _ state: Player.Snapshot) {
    let request = commandLine.request
    let line =
      if !request.uris.isEmpty { report.line(for: request) } else if state.itemCount == 0 {
        "ready, the queue is empty"
      } else {
        "\(state.transport == .playing ? "playing" : "ready"), \(counted(state.itemCount, "track")) from the last session"
      }
    if isDetached {
      let isPartial = report.rejectionCount > 0 || commandLine.rejectionCount > 0
      DetachedStart.report(line.withoutControls, status: isPartial ? ExitStatus.failure : .success)
    } else if !commandLine.isQuiet {
      StandardOutput.report(line.withoutControls + (isAttached ? "\n" : "; Ctrl-C quits\n"))
    }
  }
}
