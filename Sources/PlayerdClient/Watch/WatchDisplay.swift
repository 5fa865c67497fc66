import PlayerdInterfaces
import PlayerdSystem

/// The output of `watch` without a screen.
package protocol WatchDisplay: Sendable {
  /// Shows an update; returns false if the reader has closed the stream.
  mutating func show(_ update: WatchFeed.Update) async -> Bool
}

/// One line for each event.
package struct WatchLines: WatchDisplay {
  let isJSON: Bool

  package init(isJSON: Bool) { self.isJSON = isJSON }

  package func show(_ update: WatchFeed.Update) -> Bool {
    switch update {
    case .absent: true
    case .gone: write([WatchRecord(event: .gone, monotonic: monotonicMicroseconds())])
    case .records(let records, _): write(records)
    }
  }

  private func write(_ records: [WatchRecord]) -> Bool {
    records.isEmpty || StandardOutput.write(records.map { (isJSON ? $0.json : $0.text) + "\n" }.joined())
  }
}
