/// A line of lyrics with its time.
package struct LyricsLine: Hashable, Sendable {
  package var start: Duration
  package var text: String

  /// Creates a line.
  package init(start: Duration, text: String) { (self.start, self.text) = (start, text) }

  /// The maximum number of lines that are read.
  static let limit = 20_000

  /// Reads lyrics in the LRC format; returns no lines for lyrics without times.
  ///
  /// A line may have several times, `[mm:ss.xx]` or `[hh:mm:ss.xx]`, and the times of its words, `<mm:ss.xx>`, are removed. A
  /// positive `[offset:ms]` makes all lines earlier.
  ///
  /// <https://en.wikipedia.org/wiki/LRC_(file_format)>
  package static func lines(ofLRC text: String) -> [LyricsLine] {
    guard text.utf8.contains(UInt8(ascii: "[")) else { return [] }
    var lines: [LyricsLine] = []
    var offset = Duration.zero
    for line in text.split(whereSeparator: \.isNewline) where lines.count < limit {
      var rest = Substring(line.drop { $0.isWhitespace || $0 == "\u{FEFF}" })
      var times: [Duration] = []
      while rest.first == "[", let end = rest.firstIndex(of: "]") {
        let tag = rest[rest.index(after: rest.startIndex)..<end]
        if let time = time(tag) {
          times.append(time)
        } else if times.isEmpty, let milliseconds = Self.offset(tag) {
          offset = .milliseconds(milliseconds)
        } else {
          break
        }
        rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
      }
      let text = withoutWordTimes(rest)
      for time in times.prefix(limit - lines.count) { lines.append(LyricsLine(start: time, text: text)) }
    }
    for index in lines.indices { lines[index].start = max(.zero, lines[index].start - offset) }
    return lines.sorted { $0.start < $1.start }
  }

  /// Whether a line of a text begins with a time.
  package static func hasTimes(inLRC text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "[")) else { return false }
    var rest = text[...]
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      if !lines(ofLRC: String(line)).isEmpty { return true }
      rest = rest[line.endIndex...].dropFirst()
    }
    return false
  }

  /// Returns the time of `mm:ss`, `mm:ss.xx`, `mm:ss.xxx`, `mm:ss:xx` or `hh:mm:ss.xx`.
  ///
  /// A time with two colons and no point does not contain hours: `[01:02:03]` is a minute, two seconds and a fraction.
  private static func time(_ tag: Substring) -> Duration? {
    var parts = tag.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
    guard (2...4).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
      parts[0].utf8.count <= 4
    else { return nil }
    let hours = parts.count == 4 ? Int64(parts.removeFirst()) ?? 0 : 0
    guard let minutes = Int64(parts[0]), parts[1].utf8.count <= 2, let seconds = Int64(parts[1]),
      hours == 0 || parts[0].utf8.count <= 2
    else { return nil }
    // Digits beyond nanoseconds are without effect.
    let nanoseconds = parts.count == 3 ? Int64("\(parts[2])00000000".prefix(9)) : nil
    return Duration.seconds(hours * 3600 + minutes * 60 + seconds) + .nanoseconds(nanoseconds ?? 0)
  }

  private static func offset(_ tag: Substring) -> Int64? {
    guard tag.lowercased().hasPrefix("offset:") else { return nil }
    let text = tag.dropFirst("offset:".count).drop(while: \.isWhitespace)
    return Int64(text.prefix { !$0.isWhitespace }).flatMap { (-86_400_000...86_400_000).contains($0) ? $0 : nil }
  }

  /// Returns a line without the times of its words, and without spaces at its ends.
  private static func withoutWordTimes(_ line: Substring) -> String {
    let parts = line.split(omittingEmptySubsequences: false) { $0 == "<" }
    var text = String(parts.first ?? "")
    for part in parts.dropFirst() {
      if let end = part.firstIndex(of: ">"), time(part[..<end]) != nil {
        let rest = part[end...].dropFirst()
        text += text.utf8.last == UInt8(ascii: " ") ? rest.drop { $0 == " " } : rest
      } else {
        text += "<\(part)"
      }
    }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
