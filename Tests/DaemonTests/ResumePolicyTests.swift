import PlayerdInterfaces
import Testing

@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Resuming long files")
struct ResumePolicyTests {
  private func view(
    _ number: UInt64, at seconds: Int, duration: Int? = 3600, isPlaying: Bool = true
  ) -> ResumePolicy.View {
    ResumePolicy.View(
      track: (number, "file:///\(number)"), position: .seconds(seconds), duration: duration.map { .seconds($0) },
      isPlaying: isPlaying)
  }

  @Test("A long file resumes at its last position when it is current again, once")
  func back() {
    var policy = ResumePolicy(ResumePositions())
    #expect(policy.update(with: view(1, at: 0)) == .init())
    #expect(policy.isFollowing)
    #expect(policy.update(with: view(1, at: 1200)) == .init())
    #expect(policy.update(with: view(2, at: 0, duration: 180)) == .init(isWritten: true))
    #expect(!policy.isFollowing)
    #expect(policy.update(with: view(1, at: 0, duration: nil)).target == .seconds(1200))
    #expect(policy.update(with: view(1, at: 0, duration: nil)).target == nil)
    #expect(policy.update(with: view(1, at: 1200)).target == nil)
  }

  @Test("Positions in short files and in the first seconds of a long file are not stored")
  func short() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 600, duration: 1199))
    _ = policy.update(with: view(2, at: 9))
    #expect(policy.positions.count == 0)
    _ = policy.update(with: view(2, at: 10))
    #expect(policy.positions.position(of: "file:///2") == .seconds(10))
  }

  @Test("A file that goes back to its start and is left in its first ten seconds resumes at its position of before")
  func visit() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 900))
    for seconds in [0, 5, 9] { _ = policy.update(with: view(1, at: seconds)) }
    _ = policy.update(with: view(2, at: 0, duration: 180))
    #expect(policy.update(with: view(1, at: 0)).target == .seconds(900))
  }

  @Test("A file that plays on from its start for ten seconds resumes there")
  func fromTheStart() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 900))
    for seconds in [0, 5, 10] { _ = policy.update(with: view(1, at: seconds)) }
    _ = policy.update(with: view(2, at: 0, duration: 180))
    #expect(policy.update(with: view(1, at: 0)).target == .seconds(10))
  }

  @Test("A file that was played to its end begins at its start again")
  func ended() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 3000))
    #expect(policy.ended("file:///1").isWritten)
    #expect(!policy.ended("file:///1").isWritten)
    _ = policy.update(with: ResumePolicy.View())
    _ = policy.update(with: view(2, at: 0))
    #expect(policy.update(with: view(1, at: 0)).target == nil)
  }

  @Test(
    "A file that follows itself begins at its start, although the tick at the end of the first comes before that end")
  func followsItself() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 3595))
    var again = view(1, at: 0)
    again.track?.number = 2
    #expect(policy.update(with: again, isTick: true) == .init())
    #expect(policy.ended("file:///1").isWritten)
    #expect(policy.update(with: again).target == nil)
  }

  @Test("A track with a start position starts there")
  func elsewhere() {
    var positions = ResumePositions()
    positions.record(.seconds(500), of: "file:///1")
    var policy = ResumePolicy(positions)
    #expect(policy.update(with: view(1, at: 40)).target == nil)
    #expect(policy.positions.position(of: "file:///1") == .seconds(40))
  }

  @Test("A track whose start position was requested starts there, also in its first second", arguments: [0, 999])
  func requested(milliseconds: Int) {
    var positions = ResumePositions()
    positions.record(.seconds(500), of: "file:///1")
    var policy = ResumePolicy(positions)
    var started = view(1, at: 0)
    (started.position, started.hasStart) = (.milliseconds(milliseconds), true)
    #expect(policy.update(with: started).target == nil)
    started.position = .seconds(10)
    _ = policy.update(with: started)
    #expect(policy.positions.position(of: "file:///1") == .seconds(10))
  }

  @Test("A pause and a stop are written at once")
  func rest() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: view(1, at: 100))
    #expect(policy.update(with: view(1, at: 101, isPlaying: false)).isWritten)
    #expect(!policy.update(with: view(1, at: 101, isPlaying: false)).isWritten)
    _ = policy.update(with: view(1, at: 102))
    #expect(policy.update(with: ResumePolicy.View()).isWritten)
  }

  // MARK: Books

  private func chapter(
    _ number: UInt64, at seconds: Int, _ verdict: BookRule.Verdict = .book(Array("/b".utf8)), duration: Int = 300,
    date: Int = 0
  ) -> ResumePolicy.View {
    ResumePolicy.View(
      track: (number, "file:///b/\(number).mp3"), isFile: true, book: verdict, position: .seconds(seconds),
      duration: .seconds(duration), isPlaying: true, date: .seconds(date))
  }

  private let chapters = (1...4).map { "file:///b/\($0).mp3" }
  private let folder = Array("/b".utf8)

  @Test("A book continues at the file that played last, also at its start")
  func book() {
    var policy = ResumePolicy(ResumePositions())
    #expect(policy.update(with: chapter(1, at: 0)).isWritten)
    #expect(!policy.update(with: chapter(1, at: 5)).isWritten)
    #expect(policy.isFollowing && policy.book == "file:///b")
    #expect(policy.start(of: chapters, in: folder) == 0)
    _ = policy.update(with: chapter(1, at: 200))
    _ = policy.update(with: chapter(3, at: 0))
    #expect(policy.start(of: chapters, in: folder) == 2)
    // The short file that was left has no place of its own.
    #expect(policy.positions.count == 1)
    _ = policy.update(with: chapter(3, at: 120))
    #expect(policy.positions.position(of: chapters[2]) == .seconds(120))
    _ = policy.update(with: ResumePolicy.View())
    #expect(policy.book == nil)
    var again = chapter(7, at: 0)
    again.track?.uri = chapters[2]
    #expect(policy.update(with: again).target == .seconds(120))
  }

  @Test("Long files of a book keep their places when another one plays")
  func longChapters() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: chapter(1, at: 700, duration: 3600))
    _ = policy.update(with: chapter(2, at: 0, duration: 3600))
    #expect(policy.start(of: chapters, in: folder) == 1)
    #expect(policy.update(with: chapter(1, at: 0, duration: 3600)).target == .seconds(700))
    _ = policy.update(with: chapter(1, at: 700, duration: 3600))
    #expect(policy.start(of: chapters, in: folder) == 0)
  }

  @Test("At the end of a file, its book continues at the start of the next one; after the last file, at its first")
  func endOfChapter() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: chapter(1, at: 290))
    #expect(policy.ended(chapters[0], followedBy: chapters[1]).isWritten)
    #expect(policy.start(of: chapters, in: folder) == 1)
    #expect(policy.update(with: chapter(2, at: 0)).target == nil)
    _ = policy.update(with: chapter(4, at: 290))
    _ = policy.ended(chapters[3], followedBy: "file:///music/1.mp3")
    #expect(policy.start(of: chapters, in: folder) == nil && policy.positions.count == 0)
  }

  @Test("Only a queue of files in the book continues it: not a folder above it, and a part of it only with the file")
  func otherFolders() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: chapter(3, at: 100))
    #expect(policy.start(of: ["file:///a.mp3"] + chapters, in: Array("/".utf8)) == nil)
    #expect(policy.start(of: chapters, in: Array("/bb".utf8)) == nil)
    #expect(policy.start(of: Array(chapters.prefix(2)), in: folder) == nil)
    #expect(policy.hasBook(in: folder) && !policy.hasBook(in: Array("/".utf8)))
  }

  @Test("A folder is not a book any more when music in it plays")
  func mixed() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: chapter(1, at: 100))
    _ = policy.update(with: chapter(2, at: 30, .undecided))
    #expect(policy.start(of: chapters, in: folder) == 0)
    _ = policy.update(with: chapter(2, at: 31, .music(folder)))
    #expect(policy.positions.count == 0)
  }

  @Test("A forgotten place is not kept again as long as its track is current")
  func forgotten() {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: chapter(1, at: 100))
    #expect(policy.forget(["file:///b"]) == 1)
    _ = policy.update(with: chapter(1, at: 105))
    #expect(policy.positions.count == 0)
    _ = policy.update(with: chapter(2, at: 0))
    #expect(policy.positions.count == 1)
    #expect(policy.forget(["file:///c", "file:///bb"]) == 0)
    #expect(policy.forget([chapters[1]]) == 1)
  }

  // MARK: Renamed files

  private let audio = AudioContent(text: "5000-" + String(repeating: "a", count: 32))
  private let other = AudioContent(text: "5000-" + String(repeating: "b", count: 32))

  @Test("The audio of each file with a place is identified, once")
  func identified() throws {
    var policy = ResumePolicy(ResumePositions())
    #expect(policy.update(with: chapter(1, at: 0)).isIdentified)
    #expect(!policy.update(with: chapter(1, at: 5)).isIdentified)
    _ = policy.identified(chapters[0], as: try #require(audio), with: chapter(1, at: 6))
    _ = policy.update(with: chapter(1, at: 20))
    #expect(policy.positions.place(of: chapters[0])?.audio == audio)
    var music = view(2, at: 0, duration: 180)
    music.isFile = true
    #expect(!policy.update(with: music).isIdentified)
  }

  @Test("A renamed long file continues at its place, if its audio is the same and it is at its start")
  func renamed() throws {
    let (audio, other) = (try #require(audio), try #require(other))
    func policy() -> ResumePolicy {
      var policy = ResumePolicy(ResumePositions())
      _ = policy.update(with: chapter(1, at: 900, .music(nil), duration: 3600))
      _ = policy.identified(chapters[0], as: audio, with: chapter(1, at: 900, .music(nil), duration: 3600))
      return policy
    }
    let (start, later) = (
      chapter(2, at: 0, .music(nil), duration: 3600), chapter(2, at: 60, .music(nil), duration: 3600)
    )
    var same = policy()
    #expect(same.update(with: start) == .init(isWritten: true, isIdentified: true))
    #expect(same.identified(chapters[1], as: audio, with: start) == .init(target: .seconds(900), isWritten: true))
    #expect(same.positions.places.map(\.uri) == [chapters[1]])
    var different = policy()
    _ = different.update(with: start)
    #expect(different.identified(chapters[1], as: other, with: start).target == nil)
    var moved = policy()
    _ = moved.update(with: later)
    #expect(moved.identified(chapters[1], as: audio, with: later).target == nil)
    #expect(moved.positions.position(of: chapters[0]) == .seconds(900))
    // Another length needs no look at the file.
    var short = policy()
    #expect(!short.update(with: chapter(2, at: 0, .music(nil), duration: 300)).isIdentified)
  }

  @Test("A book that was found under another name continues there if the file is as deep in the opened folder")
  func found() throws {
    var policy = ResumePolicy(ResumePositions())
    _ = policy.update(with: chapter(1, at: 100))
    _ = policy.identified(chapters[0], as: try #require(audio), with: chapter(1, at: 100))
    let place = try #require(policy.identifiedBooks.first)
    var deeper = policy
    let isDeeper = deeper.found(place, as: "file:///c/moby/01.mp3", in: Array("/c".utf8))
    #expect(!isDeeper)
    #expect(deeper.positions.places.first?.folder == nil)
    let isFound = policy.found(place, as: "file:///c/01.mp3", in: Array("/c".utf8))
    #expect(isFound)
    #expect(policy.start(of: ["file:///c/00.mp3", "file:///c/01.mp3"], in: Array("/c".utf8)) == 1)
  }

  @Test("The file has the same books, and omits hostile entries")
  func bookFile() throws {
    var positions = ResumePositions()
    positions.record(.seconds(2), of: chapters[1], in: "file:///b", length: .seconds(300), at: .seconds(1_800_000_000))
    positions.identify(chapters[1], as: try #require(audio))
    positions.record(.seconds(1500), of: "file:///long", length: .seconds(3600), at: .seconds(1_800_000_060))
    #expect(try ResumePositions(positions.bytes) == positions)
    #expect(positions.saved(at: .seconds(1_800_003_600)).map(\.age) == [3_540_000_000, 3_600_000_000])
    let long = String(repeating: "x", count: 5_000)
    let text = """
      {"version":1,"positions":[{"uri":"file:///b/1","seconds":1,"folder":"file:///b"},
      {"uri":"file:///b/2","seconds":2,"folder":"file:///b"},{"uri":"file:///c","seconds":1},
      {"uri":"file:///d","seconds":100,"folder":"\(long)"},{"uri":"file:///e\\u0000","seconds":100},
      {"uri":"file:///f","seconds":100,"left":1e200},{"uri":"file:///g","seconds":100,"content":"nonsense"}]}
      """
    let read = try ResumePositions(Array(text.utf8))
    #expect(read.places.map(\.uri) == ["file:///g", "file:///b/2"])
    #expect(read.places.map(\.folder) == [nil, "file:///b"] && read.places.allSatisfy { $0.audio == nil })
  }

  @Test("A thousand positions are kept, the least recently played is dropped, and the file has the same contents")
  func bounded() throws {
    var positions = ResumePositions()
    for number in 0..<1_010 { positions.record(.seconds(60 + number), of: "file:///\(number)") }
    positions.record(.seconds(5_000), of: "file:///10")
    positions.record(.seconds(70), of: "file:///new")
    #expect(positions.count == 1_000)
    #expect(positions.position(of: "file:///9") == nil)
    #expect(positions.position(of: "file:///10") == .seconds(5_000))
    #expect(positions.position(of: "file:///11") == nil)
    let read = try ResumePositions(positions.bytes)
    #expect(read == positions)
  }

  @Test(
    "Data that is not a list of positions, or of a newer version, is rejected with the reason",
    arguments: [
      ("", "not a list of positions"), ("[]", "not a list of positions"), (#"{"version":1"#, "not a list of positions"),
      (#"{"positions":[]}"#, "not a list of positions"), (#"{"version":2,"positions":[]}"#, "unsupported version 2"),
      (#"{"version":2,"entries":{}}"#, "unsupported version 2"),
    ])
  func damaged(text: String, reason: String) {
    #expect(throws: FileFailure(reason)) { try ResumePositions(Array(text.utf8)) }
  }

  @Test("Positions out of range are left out")
  func outOfRange() throws {
    let text =
      #"{"version":1,"positions":[{"uri":"a","seconds":-5},{"uri":"b","seconds":1e300},{"uri":"c","seconds":90}]}"#
    let positions = try ResumePositions(Array(text.utf8))
    #expect(positions.count == 1)
    #expect(positions.position(of: "c") == .seconds(90))
  }
}
