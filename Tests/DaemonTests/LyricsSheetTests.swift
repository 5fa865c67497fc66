import PlayerdInterfaces
import Testing

@testable import Playerd
@testable import PlayerdClient

@Suite("Lyrics on the command line") struct LyricsSheetTests {
  private static let lines = [(1, "One"), (2, "Two"), (3, ""), (4, "One"), (4, "One"), (5, "Last")].map {
    MonitoredLyricsLine(start: $0.0 * 1_000_000, text: $0.1)
  }

  private func sheet(at seconds: Double?) -> LyricsSheet {
    var sheet = LyricsSheet()
    sheet.show(Self.lines, at: seconds.map { Int64($0 * 1_000_000) })
    return sheet
  }

  @Test("The current line and its neighbours follow from the position")
  func position() {
    #expect(sheet(at: nil).current == nil && sheet(at: 0.9).current == nil)
    #expect(sheet(at: 0.9).previous == nil && sheet(at: 0.9).next?.text == "One")
    #expect(sheet(at: 2.5).previous?.text == "One" && sheet(at: 2.5).text == "Two" && sheet(at: 2.5).next?.text == "")
    #expect(sheet(at: 9).previous?.text == "One" && sheet(at: 9).text == "Last" && sheet(at: 9).next == nil)
    #expect(LyricsSheet().next == nil && LyricsSheet().previous == nil)
  }

  @Test("A line that begins becomes the current one, also the second of two equal lines, and after a jump back")
  func begin() {
    var sheet = sheet(at: 3.5)
    let lines: [(text: String, start: Int64, index: Int?)] = [
      ("One", 4_000_000, 3), ("One", 4_000_000, 4), ("One", 1_000_000, 0), ("Other", 1_000_000, nil),
      ("Two", 2_500_000, nil),
    ]
    for (text, start, index) in lines {
      let isKnown = sheet.begin(text, at: start)
      #expect(isKnown == (index != nil) && sheet.index == index ?? 0, "\(text) at \(start)")
    }
    var empty = LyricsSheet()
    let isKnown = empty.begin("One", at: 0)
    #expect(!isKnown)
  }

  @Test("Each line is printed once when it begins, an empty one ends it, and control characters are removed")
  func output() {
    var output = LyricsOutput(isJSON: false)
    var sheet = sheet(at: 0)
    var printed: [String?] = [output.text(of: sheet)]
    for seconds in [1.0, 1.5, 2, 3, 3.5, 4, 0] {
      sheet.move(to: Int64(seconds * 1_000_000))
      printed.append(output.text(of: sheet))
    }
    #expect(printed == [nil, "One", nil, "Two", "", nil, "One", ""])
    sheet.show([MonitoredLyricsLine(start: 0, text: "a\u{1B}[2Jb\nc")], at: 0)
    #expect(output.text(of: sheet) == "a [2Jb c")
  }

  @Test("A JSON object has the line, its times and its neighbours, or null")
  func json() {
    var output = LyricsOutput(isJSON: true)
    var sheet = LyricsSheet()
    #expect(output.text(of: sheet) == nil)
    sheet.show(Self.lines, at: 0)
    #expect(output.text(of: sheet) == #"{"from":null,"next":"One","previous":null,"text":null,"to":null}"#)
    sheet.move(to: 2_000_000)
    #expect(output.text(of: sheet) == #"{"from":2,"next":"","previous":"One","text":"Two","to":3}"#)
    #expect(output.text(of: sheet) == nil)
    sheet.move(to: 6_000_000)
    #expect(output.text(of: sheet) == #"{"from":5,"next":null,"previous":"One","text":"Last","to":null}"#)
  }
}
