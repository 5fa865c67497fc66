import PlayerdInterfaces
import Synchronization

/// The output of `watch`.
protocol WatchDisplay: Sendable {
  /// Whether the display updates one line.
  var isLive: Bool { get }
  /// Shows an update; returns false if the reader has closed the stream.
  func show(_ update: WatchFeed.Update) -> Bool
  /// Ends the output; on a terminal, the live line.
  func end()
}

/// One line for each event.
struct WatchLines: WatchDisplay {
  let isJSON: Bool

  var isLive: Bool { false }

  func show(_ update: WatchFeed.Update) -> Bool {
    switch update {
    case .absent: true
    case .gone: write([WatchRecord(event: .gone, monotonic: monotonicMicroseconds())])
    case .records(let records, _): write(records)
    }
  }

  func end() {}

  private func write(_ records: [WatchRecord]) -> Bool {
    records.isEmpty || StandardOutput.write(records.map { (isJSON ? $0.json : $0.text) + "\n" }.joined())
  }
}

/// One line of a terminal that is redrawn when its text changes.
final class WatchScreen: WatchDisplay {
  private let shown = Mutex("")

  var isLive: Bool { true }

  func show(_ update: WatchFeed.Update) -> Bool {
    let width = StandardOutput.columns
    return switch update {
    case .absent, .gone: draw("waiting for \(Names.executable)".cut(toColumns: width - 1))
    case .records(_, let player):
      draw(WatchLine(player: player, position: player.position(at: monotonicMicroseconds())).text(width: width))
    }
  }

  func end() { _ = StandardOutput.write("\n") }

  private func draw(_ line: String) -> Bool {
    let isNew = shown.withLock { shown in
      defer { shown = line }
      return shown != line
    }
    // Returns to the start of the line, and erases the rest of the old text.
    return isNew ? StandardOutput.write("\r\(line)\u{1B}[K") : true
  }
}
