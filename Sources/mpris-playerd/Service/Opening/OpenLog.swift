import Logging
import PlayerdInterfaces
import Synchronization

/// Logs what an open request cannot queue, and keeps it for the report.
final class OpenLog: Sendable {
  private struct State {
    var texts: [String] = []
    var count: Int64 = 0
  }

  private let log: Logger
  private let state = Mutex(State())

  init(_ log: Logger) { self.log = log }

  /// Notes that an item, or a part of it, cannot be queued.
  func reject(_ uri: String, _ reason: String) {
    reject("\(FileURI.readable(uri)): \(reason)")
  }

  /// Notes that some of the items cannot be queued.
  func reject(_ text: String) {
    log.warning("\(text)")
    state.withLock { state in
      state.count += 1
      if state.texts.count < OpenReport.rejectionLimit { state.texts.append(text) }
    }
  }

  /// Enters what was rejected so far.
  func enter(into report: inout OpenReport) {
    (report.rejections, report.rejectionCount) = state.withLock { ($0.texts, $0.count) }
  }
}
