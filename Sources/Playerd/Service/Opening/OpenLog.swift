import Logging
import PlayerdInterfaces
import Synchronization

/// A log of items that an open request cannot queue; also the source of its report.
final class OpenLog: Sendable {
  private struct State {
    var texts: [String] = []
    var count: Int64 = 0
  }

  private let log: Logger
  private let state = Mutex(State())

  init(_ log: Logger) { self.log = log }

  /// Records that an item, or a part of it, cannot be queued.
  func reject(_ uri: String, _ reason: String) {
    reject("\(FileURI.readable(uri)): \(reason)")
  }

  /// Records that some of the items cannot be queued.
  func reject(_ text: String) {
    log.warning("\(text)")
    state.withLock { state in
      state.count += 1
      if state.texts.count < OpenReport.rejectionLimit { state.texts.append(text) }
    }
  }

  /// Copies the recorded rejections into a report.
  func enter(into report: inout OpenReport) {
    (report.rejections, report.rejectionCount) = state.withLock { ($0.texts, $0.count) }
  }
}
