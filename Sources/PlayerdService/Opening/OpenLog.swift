import Logging
import PlayerdInterfaces
import PlayerdSystem
import Synchronization
import TextCoding

/// Logs the items that an open request cannot queue; also the source of its report.
package final class OpenLog: Sendable {
  /// The limit of lines for one request; the number of the others is one more line.
  package static let lineLimit = 20

  private let log: Logger
  private let state = Mutex(OpenReport())

  init(_ log: Logger) { self.log = log }

  /// Records that an item, or a part of it, cannot be queued.
  func reject(_ uri: String, _ reason: String) { reject("\(FileURI.readable(uri)): \(reason)") }

  /// Records that some of the items cannot be queued.
  func reject(_ text: @autoclosure () -> String) {
    if let (line, count) = record(text()), count <= Self.lineLimit { log.warning("\(line)") }
  }

  /// Records that an item was removed because it failed, which was logged then.
  func reject(failed uri: String, _ reason: String) {
    _ = record("\(FileURI.readable(uri)): \(reason)")
  }

  /// Records a text; returns it without secrets, and the number of rejections, or nil if it is only counted.
  private func record(_ text: @autoclosure () -> String) -> (line: String, count: Int64)? {
    let isListed = state.withLock { report in
      report.rejectionCount += 1
      return report.rejections.count < OpenReport.rejectionLimit
    }
    guard isListed else { return nil }
    let line = text().withoutURISecrets
    return state.withLock { report in
      report.rejections.append(line)
      return (line, report.rejectionCount)
    }
  }

  /// The rejections so far.
  var report: OpenReport { state.withLock { $0 } }

  /// Returns the report with all rejections, and logs the number of those that were not logged.
  func finish() -> OpenReport {
    let report = report
    let rest = report.rejectionCount - Int64(Self.lineLimit)
    if rest > 0 { log.warning("\(rest) more items cannot be queued") }
    return report
  }
}
