import Testing

@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Folders that are books") struct BookRuleTests {
  private func track(_ path: String, genre: String? = nil, minutes: Int? = 4, isLoaded: Bool = true) -> BookRule.Track {
    BookRule.Track(
      path: Array(path.utf8), genres: isLoaded ? [genre].compactMap(\.self) : nil,
      duration: minutes.map { .seconds($0 * 60) })
  }

  private func rule(_ folders: String..., places: ResumePositions = ResumePositions()) -> BookRule {
    var rule = BookRule(places.places)
    for folder in folders { rule.open(Array(folder.utf8)) }
    return rule
  }

  private func book(_ path: String) -> BookRule.Verdict { .book(Array(path.utf8)) }
  private func music(_ path: String?) -> BookRule.Verdict { .music(path.map { Array($0.utf8) }) }

  @Test("An album is music, also with one track of half an hour")
  func album() {
    var rule = rule("/m/mahler")
    #expect(rule.verdict(on: track("/m/mahler/2.flac", genre: "Classical"), configured: []) == music("/m/mahler"))
    let long = track("/m/mahler/1.flac", genre: "Classical", minutes: 33)
    #expect(rule.verdict(on: long, configured: []) == .undecided)
    #expect(rule.unknownLengths(of: long) == Array("/m/mahler".utf8))
    #expect(rule.unknownLengths(of: track("/m/mahler/2.flac")) == nil)
    rule.decide(areLong: false, in: Array("/m/mahler".utf8))
    #expect(rule.verdict(on: long, configured: []) == music("/m/mahler"))
    #expect(rule.unknownLengths(of: long) == nil)
  }

  @Test("A folder whose files are all long is a book; it is checked again when it is opened again")
  func long() {
    var rule = rule("/p")
    let long = track("/p/1.mp3", minutes: 20)
    rule.decide(areLong: true, in: Array("/p".utf8))
    #expect(rule.verdict(on: long, configured: []) == book("/p"))
    rule.open(Array("/p".utf8))
    #expect(rule.verdict(on: long, configured: []) == .undecided)
  }

  @Test(
    "A genre of spoken words is a book, in any spelling",
    arguments: ["Audiobook", "audio book", "PODCAST", "Spoken Word", "Speech", "Hörbuch", "Spoken & Audio"])
  func genre(genre: String) {
    #expect(rule("/b").verdict(on: track("/b/1.mp3", genre: genre), configured: []) == book("/b"))
  }

  @Test("Other genres are music", arguments: ["", "Rock", "Speech Metal", "Comedy", "Bookish"])
  func otherGenre(genre: String) { #expect(!BookRule.isSpoken(genre)) }

  @Test("Nothing is decided before the tags are known, except by the name and by the configured folders")
  func unloaded() {
    let rule = rule("/b")
    #expect(rule.verdict(on: track("/b/1.mp3", isLoaded: false), configured: []) == .undecided)
    #expect(rule.verdict(on: track("/b/1.m4b", isLoaded: false), configured: []) == book("/b"))
    #expect(rule.verdict(on: track("/b/1.mp3", isLoaded: false), configured: [Array("/b".utf8)]) == book("/b"))
  }

  @Test("The book is the opened folder, the latest one of several; a file alone belongs to none")
  func folders() {
    let file = track("/b/moby/cd2/1.m4b")
    #expect(rule().verdict(on: file, configured: []) == music(nil))
    #expect(rule("/b/moby").verdict(on: file, configured: []) == book("/b/moby"))
    #expect(rule("/b", "/b/moby").verdict(on: file, configured: []) == book("/b/moby"))
    #expect(rule("/b/moby", "/b").verdict(on: file, configured: []) == book("/b"))
    #expect(rule("/b/mob").verdict(on: file, configured: []) == music(nil))
  }

  @Test("In a configured folder, a book is the opened folder in it, or else the folder of the file")
  func configured() {
    let (file, roots) = (track("/b/moby/cd2/1.mp3"), [Array("/a".utf8), Array("/b".utf8)])
    #expect(rule("/b/moby").verdict(on: file, configured: roots) == book("/b/moby"))
    #expect(rule("/").verdict(on: file, configured: roots) == book("/b/moby/cd2"))
    #expect(rule().verdict(on: file, configured: roots) == book("/b/moby/cd2"))
    #expect(rule("/m").verdict(on: track("/m/1.mp3"), configured: roots) == music("/m"))
  }

  @Test("After a restart, the folders of the saved books are known")
  func restart() {
    var places = ResumePositions()
    places.record(.seconds(5), of: "file:///b/moby/1.mp3", in: "file:///b/moby")
    let rule = rule(places: places)
    #expect(rule.verdict(on: track("/b/moby/2.mp3", genre: "Podcast"), configured: []) == book("/b/moby"))
  }
}
