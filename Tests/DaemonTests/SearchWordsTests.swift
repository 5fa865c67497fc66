import PlayerdInterfaces
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

@Suite("Words to find") struct SearchWordsTests {
  @Test(
    "Case, accents and typographic punctuation do not matter, in the words and in the text",
    arguments: [
      ("don't stop", "Don\u{2019}t Stop Me Now"), ("don`t", "Don\u{2018}t"), ("rock 'n' roll", "Rock ‚n‛ Roll"),
      ("adam's", "ADAM\u{2BC}S SONG"), ("7' mix", "7\u{2032} Mix"), ("\"heroes\"", "“Heroes”"), ("\"nein\"", "„Nein“"),
      ("\"oui\"", "«Oui»"), ("blink-182", "blink\u{2010}182"), ("1999-2000", "1999\u{2013}2000"),
      ("a - b", "A \u{2014} B"),
      ("-1", "\u{2212}1"), ("ac/dc", "AC\u{2044}DC"), ("...baby", "…Baby One More Time"), ("cafe noir", "CAFÉ NOIR"),
      ("cafe", "Cafe\u{301}"), ("moi !", "Moi\u{202F}!"), ("a b", "A\u{A0}B"),
      ("royksopp", "Röyksopp"), ("royksopp", "Røyksopp"), ("aeon", "Æon"), ("strasse", "Straße"), ("abc", "ＡＢＣ"),
      ("ab", "a\u{AD}b"), ("björk", "BJORK"), ("don\u{2019}t", "Don't"), ("blink\u{2011}182", "Blink-182"),
    ])
  func folding(word: String, text: String) {
    #expect(SearchWords([word]).match([nil, text]), "\(word) in \(text)")
    #expect(SearchWords([text]).match([text]))
  }

  @Test(
    "Other letters and other punctuation differ",
    arguments: [("dont", "Don’t"), ("a-b", "A B"), ("heroes!", "Heroes"), ("co", "C…o")])
  func differences(word: String, text: String) { #expect(!SearchWords([word]).match([text])) }

  @Test(
    "A number is a whole one",
    arguments: [
      ("99", "99 Luftballons", true), ("99", "Route 99", true), ("99", "1999", false), ("99", "990", false),
      ("99", "1999, 99", true), ("867-5309", "867\u{2010}5309/Jenny", true), ("22", "A22B", true), ("1", "", false),
    ])
  func numbers(word: String, text: String, isFound: Bool) {
    #expect(SearchWords([word]).matchNumbers([nil, text]) == isFound)
  }

  @Test("A number does not match the track number in a file's name, unless it is the whole name")
  func fileNames() {
    var track = QueuedTrack()
    track.uri = "file:///music/13%20-%20Song.flac"
    #expect(!track.matches(numbers: SearchWords(["13"])) && track.matches(SearchWords(["13"])))
    track.uri = "file:///music/13.flac"
    #expect(track.matches(numbers: SearchWords(["13"])))
    (track.title, track.album) = ("Song", "1989")
    #expect(!track.matches(numbers: SearchWords(["13"])) && track.matches(numbers: SearchWords(["1989"])))
  }
}
