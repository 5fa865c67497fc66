import ArgumentParser
import DBus
import Logging
import PlayerdInterfaces

/// The request of a command line: its items, which the running instance or the starting daemon plays or queues.
struct CommandLineRequest {
  let request: OpenRequest
  /// The number of arguments that were rejected and reported before the request.
  var rejectionCount = 0
  let isQuiet: Bool
  /// The given options that only take effect when a daemon starts.
  var startOptions: [String] = []
  /// Whether the command lacks arguments: it continues the last session, or prints the state of the running instance.
  var isBare = false

  /// Whether the items replace the queue, or the queue of the last session.
  var replacesQueue: Bool { request.placement == .replace && !request.uris.isEmpty }

  /// Sends the items, waits until they are queued, and prints the result.
  ///
  /// - Throws: `ExitCode` 64 for options that a running instance cannot apply, with nothing sent; 66 if no item was
  ///   queued; 1 if only some were, or if a newer request replaced this one.
  func send(to instance: RunningInstance) async throws {
    guard startOptions.isEmpty else {
      instance.log.error(
        """
        an instance is already running; \(startOptions.joined(separator: ", ")) only takes effect when the daemon starts; \
        “--new-instance” starts a separate instance
        """)
      throw ExitStatus.usage
    }
    if !isQuiet { await instance.warnOfUpgrade() }
    if isBare {
      try await instance.status().write()
      NotifySocket().send(.ready)
      return
    }
    let report = try await instance.control.call(ControlInterface.open, request.uris, request.options)
    for rejection in report.rejections { instance.log.error("\(rejection)") }
    let unnamed = report.rejectionCount - Int64(report.rejections.count)
    if unnamed > 0 { instance.log.error("\(unnamed) more items cannot be queued") }
    guard !report.isSuperseded else { throw instance.failure("a newer request replaced this one") }
    if !request.uris.isEmpty, report.trackCount == 0, !report.isUnfinished { throw ExitStatus.nothingPlayable }
    if !isQuiet {
      let line = request.uris.isEmpty ? try await instance.transportLine() : report.line(for: request)
      _ = StandardOutput.write(line.withoutControls + "\n")
    }
    // A systemd unit that has forwarded its items is ready.
    NotifySocket().send(.ready)
    if report.rejectionCount > 0 || rejectionCount > 0 { throw ExitStatus.failure }
  }
}

extension OpenReport {
  /// `playing 12 tracks`, or `queued 12 tracks after “Title”`, with a remark while the request is read.
  func line(for request: OpenRequest) -> String {
    let tracks = counted(trackCount, "track")
    let rest = isUnfinished ? "; the rest is still being read" : ""
    if isUnfinished, trackCount == 0 { return "no track yet\(rest)" }
    if let precedingTitle { return "queued \(tracks) after “\(precedingTitle)”\(rest)" }
    return (request.startsPaused ? "loaded \(tracks), paused" : "playing \(tracks)") + rest
  }
}
