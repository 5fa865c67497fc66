import PlayerdInterfaces

/// The output of `watch`.
protocol WatchDisplay: Sendable {
  /// Shows an update; returns false if the reader has closed the stream.
  mutating func show(_ update: WatchFeed.Update) -> Bool
}

/// One line for each event.
struct WatchLines: WatchDisplay {
  let isJSON: Bool

  func show(_ update: WatchFeed.Update) -> Bool {
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

/// One line of a terminal that is redrawn when its text changes.
struct WatchScreen: WatchDisplay {
  private var shown = ""

  mutating func show(_ update: WatchFeed.Update) -> Bool {
    let width = StandardOutput.columns
    return switch update {
    case .absent, .gone: draw("waiting for \(Names.executable)".cut(toColumns: width - 1))
    case .records(_, let player):
      draw(WatchLine(player: player, position: player.position(at: monotonicMicroseconds())).text(width: width))
    }
  }

  private mutating func draw(_ line: String) -> Bool {
    guard line != shown else { return true }
    shown = line
    return StandardOutput.redraw(line)
  }
}
