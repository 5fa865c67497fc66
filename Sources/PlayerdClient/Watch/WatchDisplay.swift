import PlayerdInterfaces
import PlayerdSystem

/// The output of `watch` without keys.
package protocol WatchDisplay: Sendable {
  /// Shows an update; returns false if the reader has closed the stream.
  mutating func show(_ update: WatchFeed.Update) async -> Bool
}

/// The events in words.
package struct WatchLines: WatchDisplay {
  private var text = WatchText()

  package init() {}

  package mutating func show(_ update: WatchFeed.Update) -> Bool { StandardOutput.write(lines: text.lines(of: update)) }
}

/// One JSON object for each event.
package struct WatchObjects: WatchDisplay {
  package init() {}

  package func show(_ update: WatchFeed.Update) -> Bool {
    switch update {
    case .absent: true
    case .gone: write([WatchRecord(event: .gone, monotonic: monotonicMicroseconds())])
    case .records(let records, _): write(records)
    }
  }

  private func write(_ records: [WatchRecord]) -> Bool { StandardOutput.write(lines: records.map(\.json)) }
}

extension StandardOutput {
  /// Writes lines; returns false if the reader has closed the stream.
  static func write(lines: [String]) -> Bool { lines.isEmpty || write(lines.map { $0 + "\n" }.joined()) }
}
