import ArgumentParser
import Logging
import PlayerdInterfaces

/// The items of a command line on their way to a running instance.
struct HandOver {
  let request: OpenRequest
  /// How many arguments were rejected, and reported, before the instance was asked.
  let rejectionCount: Int
  let isQuiet: Bool
  /// The given options that only apply when a daemon starts.
  let startOptions: [String]

  /// Whether the items take the place of the queue, that of the last session included.
  var replacesQueue: Bool { request.placement == .replace && !request.uris.isEmpty }

  /// Sends the items, waits until they are queued, and prints the result.
  ///
  /// - Throws: `ExitCode` 64 for options that a running instance cannot apply, with nothing sent; 66 when no item was
  ///   queued; 1 when only some were, or when a newer request took the place of this one.
  func send(to instance: RunningInstance) async throws {
    guard startOptions.isEmpty else {
      instance.log.error(
        """
        an instance is running, and \(startOptions.joined(separator: ", ")) only applies at a start; \
        “--new-instance” starts a separate instance
        """)
      throw ExitStatus.usage
    }
    let report = try await instance.control.open(request.uris, request.options)
    for rejection in report.rejections { instance.log.error("\(rejection)") }
    let unnamed = report.rejectionCount - Int64(report.rejections.count)
    if unnamed > 0 { instance.log.error("\(unnamed) more cannot be queued") }
    guard !report.isSuperseded else { throw instance.failure("a newer request has taken the place of this one") }
    if !request.uris.isEmpty, report.trackCount == 0 { throw ExitStatus.nothingPlayable }
    if !isQuiet {
      let line = request.uris.isEmpty ? try await instance.transportLine() : report.line(for: request)
      _ = StandardOutput.write(line.withoutControls + "\n")
    }
    if report.rejectionCount > 0 || rejectionCount > 0 { throw ExitStatus.failure }
  }
}

extension OpenReport {
  /// `playing 12 tracks`, or `queued 12 tracks after “Title”`.
  func line(for request: OpenRequest) -> String {
    let tracks = TrackCount(Int(clamping: trackCount))
    if let precedingTitle { return "queued \(tracks) after “\(precedingTitle)”" }
    return request.startsPaused ? "loaded \(tracks), paused" : "playing \(tracks)"
  }
}
