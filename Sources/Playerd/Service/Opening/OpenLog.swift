import Logging
import PlayerdInterfaces
import Synchronization

/// A log of items that an open request cannot queue; also the source of its report.
final class OpenLog: Sendable {
  private let log: Logger
  private let state = Mutex(OpenReport())

  init(_ log: Logger) { self.log = log }

  /// Records that an item, or a part of it, cannot be queued.
  func reject(_ uri: String, _ reason: String) {
    reject("\(FileURI.readable(uri)): \(reason)")
  }

  /// Records that some of the items cannot be queued.
  func reject(_ text: String) {
    log.warning("\(text)")
    state.withLock { report in
      report.rejectionCount += 1
      if report.rejections.count < OpenReport.rejectionLimit { report.rejections.append(text) }
    }
  }

  /// A report with the rejections so far.
  var report: OpenReport { state.withLock { $0 } }
}
