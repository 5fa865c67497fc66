import DBus
import Logging
import PlayerdInterfaces
import PlayerdSystem

/// The request of a command line: its items, which the running instance or the starting daemon plays or queues.
package struct CommandLineRequest {
  package let request: OpenRequest
  /// The number of arguments that were rejected and reported before the request.
  package var rejectionCount = 0
  package let isQuiet: Bool
  /// The given options that only take effect when a daemon starts.
  package var startOptions: [String] = []
  /// Whether the command lacks arguments: it continues the last session, or prints the state of the running instance.
  package var isBare = false

  package init(
    request: OpenRequest, rejectionCount: Int = 0, isQuiet: Bool, startOptions: [String] = [], isBare: Bool = false
  ) {
    self.request = request
    self.rejectionCount = rejectionCount
    self.isQuiet = isQuiet
    self.startOptions = startOptions
    self.isBare = isBare
  }

  /// Whether the items replace the queue, or the queue of the last session.
  var replacesQueue: Bool { request.placement == .replace && !request.uris.isEmpty }
}

extension OpenReport {
  /// `playing 12 tracks`, or `queued 12 tracks after “Title”`, with a remark while the request is read.
  package func line(for request: OpenRequest) -> String {
    let tracks = counted(trackCount, "track")
    let rest = isUnfinished ? "; the rest is still being read" : ""
    if isUnfinished, trackCount == 0 { return "no track yet\(rest)" }
    if let precedingTitle { return "queued \(tracks) after “\(precedingTitle)”\(rest)" }
    return (request.startsPaused ? "loaded \(tracks), paused" : "playing \(tracks)") + rest
  }
}
