import PlayerdInterfaces
import Synchronization

/// Where `watch` shows what comes.
protocol WatchDisplay: Sendable {
  /// Whether it keeps one line up to date.
  var isLive: Bool { get }
  /// Shows an update; false when nobody reads it any more.
  func show(_ update: WatchFeed.Update) -> Bool
  /// Leaves the terminal as it was.
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

/// One line of a terminal that is drawn again when it would look different.
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
    // To the start of the line, and what is left of the old one away.
    return isNew ? StandardOutput.write("\r\(line)\u{1B}[K") : true
  }
}
