package import PlayerdInterfaces
import PlayerdSystem

/// The lines of a track's lyrics, and the current one.
package struct LyricsSheet: Equatable, Sendable {
  private(set) var lines: [MonitoredLyricsLine] = []
  /// The index of the current line; nil before the first one, and without lyrics.
  package private(set) var index: Int?

  package init(lines: [MonitoredLyricsLine] = [], index: Int? = nil) { (self.lines, self.index) = (lines, index) }

  package var current: MonitoredLyricsLine? { index.map { lines[$0] } }
  var previous: MonitoredLyricsLine? { index.flatMap { lines.indices.contains($0 - 1) ? lines[$0 - 1] : nil } }
  var next: MonitoredLyricsLine? {
    let next = index.map { $0 + 1 } ?? 0
    return lines.indices.contains(next) ? lines[next] : nil
  }

  /// Shows the lines of a track at a position in microseconds.
  mutating func show(_ lines: [MonitoredLyricsLine], at position: Int64?) {
    self.lines = lines
    move(to: position)
  }

  /// Selects the line that applies at a position in microseconds.
  mutating func move(to position: Int64?) {
    index = position.flatMap { position in lines.lastIndex { $0.start <= position } }
  }

  /// Selects the line that begins; returns false if the lyrics have no such line.
  mutating func begin(_ text: String, at start: Int64) -> Bool {
    let line = MonitoredLyricsLine(start: start, text: text)
    // Two lines may have the same text and time.
    guard let found = lines[((index ?? -1) + 1)...].firstIndex(of: line) ?? lines.firstIndex(of: line) else {
      return false
    }
    index = found
    return true
  }
}

extension LyricsSheet {
  /// One JSON object: the current line with its times in seconds, and its neighbours; null for none.
  package var json: String {
    jsonLine([
      "from": JSONValue(microseconds: current?.start),
      "to": JSONValue(microseconds: current.flatMap { _ in next?.start }),
      "text": JSONValue(current?.text), "previous": JSONValue(previous?.text), "next": JSONValue(next?.text),
    ])
  }

  /// The current line; empty for none.
  package var text: String { (current?.text ?? "").withoutControls }
}
