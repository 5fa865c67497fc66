import TestSupport
import Testing

@testable import Playback

@Suite("Lyrics with times") struct LyricsLineTests {
  private func read(_ text: String) -> [(Double, String)] {
    LyricsLine.lines(ofLRC: text).map { ($0.start / .seconds(1), $0.text) }
  }

  /// Lyrics in the LRC format, and their lines.
  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var lines: [LyricsLine]

    init(_ description: String, _ text: String, _ lines: (Double, String)...) {
      testDescription = description
      self.text = text
      self.lines = lines.map { LyricsLine(start: .milliseconds(Int64(($0.0 * 1000).rounded())), text: $0.1) }
    }

    static let all = [
      Example("two lines", "[00:01.50]One\n[00:03.25]Two", (1.5, "One"), (3.25, "Two")),
      Example(
        "no fraction, three digits, a colon", "[01:02]a\n[01:02.345]b\n[01:03:50]c", (62, "a"), (62.345, "b"),
        (63.5, "c")),
      Example(
        "several times", "[00:05.00][00:01.00] [00:03.00]Refrain", (1, "Refrain"), (3, "Refrain"), (5, "Refrain")),
      Example("a positive offset", "[offset:+500]\n[00:01.00]a\n[00:00.20]b", (0, "b"), (0.5, "a")),
      Example("a negative offset at the end", "[00:01.00]a\n[offset:-250]", (1.25, "a")),
      Example("an offset of more than a day", "[offset:86400001]\n[00:01.00]a", (1, "a")),
      Example("words with times", "[00:01.00]<00:01.00>One <00:01.40> two <00:02.00>", (1, "One two")),
      Example("other angles", "[00:01.00]a < b <i>", (1, "a < b <i>")),
      Example("angles without an end", "[00:01.00]a <<< <00:02.00", (1, "a <<< <00:02.00")),
      Example("an angle before a time", "[00:01.00]a <b <00:02.00> c", (1, "a <b c")),
      Example("a time in angles", "[00:01.00]<<00:02.00>>a", (1, "<>a")),
      Example("no time, and an end before a start", "[00:01.00]a<> > <00:02.00x><", (1, "a<> > <00:02.00x><")),
      Example("times at the end", "[00:01.00]a <00:02.00> <00:03.00><00:04.00>", (1, "a")),
      Example("an empty line", "[00:01.00]a\n[00:02.00]\n", (1, "a"), (2, "")),
      Example("headers and comments", "\u{FEFF}[ti:Title]\r\n[ar:Artist]\r\nText\r\n[00:01.00]a\r\n", (1, "a")),
      Example("an hour", "[75:00.00]a", (4500, "a")),
      Example("hours", "[00:00:01.00]a\n[01:02:03.5]b\n[1:00:00:25]c", (1, "a"), (3600.25, "c"), (3723.5, "b")),
      Example("two colons without a fraction", "[00:01:50]a", (1.5, "a")),
      Example("hours with long minutes", "[01:100:00.00]a\n[0:100:00.00]b", (6000, "b")),
      Example("no times", "La la\n[Refrain]\nla"),
      Example("malformed times", "[00:1x.00]a\n[:]b\n[00:00.]c\n[99999:00]d\n[00:999]e\n[00:01"),
    ]
  }

  @Test(
    "Each line has its times, the offset applies to all lines, and the times of words are removed",
    arguments: Example.all)
  func examples(example: Example) {
    #expect(LyricsLine.lines(ofLRC: example.text) == example.lines)
  }

  @Test("Lyrics have times if a line has one", arguments: Example.all)
  func hasTimes(example: Example) { #expect(LyricsLine.hasTimes(inLRC: example.text) == !example.lines.isEmpty) }

  @Test("A line may have many angles, or many times after a long character")
  func longLine() {
    let angles = String(repeating: "<", count: 100_000)
    #expect(read("[00:01.00]" + angles).map { $0.1 } == [angles])
    let character = "a" + String(repeating: "\u{301}", count: 50_000)
    let times = String(repeating: "<00:02.00>", count: 5_000)
    #expect(read("[00:01.00]" + character + times).map { $0.1 } == [character])
  }

  @Test("Of more lines than the limit, the first are kept, and one warning names the limit")
  func limit() {
    var harness = MachineHarness()
    harness.start()
    var tags = MediaMetadata()
    tags.lyrics = (0...LyricsLine.limit).map { "[00:00.00]\($0)" }.joined(separator: "\n")
    harness.report(.stream(harness.token, .tags(tags, about: .item)))
    tags.title = "Title"
    harness.report(.stream(harness.token, .tags(tags, about: .item)))
    #expect(
      harness.effects.events.filter { if case .warning = $0 { true } else { false } }
        == [.warning("only the first 20000 lines of lyrics are kept", of: harness.items[0])])
  }

  @Test("Random lines are ordered, are parts of the text, and do not depend on lines without a time", .seeded)
  func random() {
    var generator = SeededGenerator()
    let parts = [
      "[", "]", ":", ".", "<", ">", "0", "99", "9223372036854775807", "offset:", "-", "+", "\n", "a", " ", "\u{301}",
    ]
    for _ in 0..<2000 {
      let words = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }
      let text = words.joined()
      let lines = LyricsLine.lines(ofLRC: text)
      #expect(LyricsLine.hasTimes(inLRC: text) == !lines.isEmpty)
      #expect(lines.map(\.start) == lines.map(\.start).sorted() && lines.allSatisfy { $0.start >= .zero })
      // The times of words are removed, and everything else stays in order.
      for line in lines {
        var rest = text.unicodeScalars[...]
        for scalar in line.text.unicodeScalars {
          guard let index = rest.firstIndex(of: scalar) else {
            Issue.record("\(line.text.debugDescription) is not in \(text.debugDescription)")
            break
          }
          rest = rest[rest.index(after: index)...]
        }
      }
      #expect(LyricsLine.lines(ofLRC: "no time\n" + text + "\n<00:01.00>no [00:01.00] time\n") == lines)
    }
    #expect(read(String(repeating: "[00:01.00]", count: 30_000) + "a").count == 20_000)
  }

  @Test("Random times and texts that are written as lyrics are read back, in order", .seeded)
  func written() {
    var generator = SeededGenerator()
    for _ in 0..<500 {
      var expected: [LyricsLine] = []
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let words = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          ["la", "é", "<b>", "1:2", "(x2)"].randomElement(using: &generator) ?? ""
        }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let time = Int64.random(in: 0..<600_000, using: &generator) * 10
          let (minutes, seconds, part) = (time / 60_000, time / 1000 % 60, time / 10 % 100)
          text += "[\(minutes):\(seconds < 10 ? "0" : "")\(seconds).\(part < 10 ? "0" : "")\(part)]"
          expected.append(LyricsLine(start: .milliseconds(time), text: words.joined(separator: " ")))
        }
        let timesOfWords = Bool.random(using: &generator)
        text += words.map { (timesOfWords ? "<00:01.00>" : "") + $0 }.joined(separator: " ") + "\n"
      }
      #expect(LyricsLine.lines(ofLRC: text) == expected.sorted { $0.start < $1.start }, "\(text)")
    }
  }
}
