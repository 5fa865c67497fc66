import GstPlayer
import Testing

@testable import Playerd
@testable import PlayerdService

@Suite("Sleep times and chapter skips")
struct ExtrasArgumentTests {
  @Test(
    "A sleep time is in hours, minutes and seconds, or in clock format; off cancels the timer",
    arguments: [
      ("30m", 1800), ("45s", 45), ("1h", 3600), ("1h30m", 5400), ("1h2m3s", 3723), ("1:30:00", 5400), ("90s", 90),
      ("off", 0), ("1m30.5s", 90.5),
    ])
  func sleep(text: String, seconds: Double) { #expect(SleepArgument(argument: text)?.delay == .seconds(seconds)) }

  @Test(
    "Other texts are invalid",
    arguments: [
      "", "0", "30", "1.5", "25:00", "60:00", "0m", "m", "5-5m", "30 m", "30x", "m30", "1m1h", "99999h", "1h٣0m",
    ])
  func wrong(text: String) { #expect(SleepArgument(argument: text) == nil) }

  private let chapters = [0, 60, 60, 120].map { Chapter(start: .seconds($0)) }

  @Test("Next is the start of the following chapter, and nil in the last chapter")
  func next() {
    #expect(ChapterSkip.next(of: chapters, at: .seconds(30)) == .seconds(60))
    #expect(ChapterSkip.next(of: chapters, at: .seconds(60)) == .seconds(120))
    #expect(ChapterSkip.next(of: chapters, at: .seconds(120)) == nil)
    #expect(ChapterSkip.next(of: [], at: .zero) == nil)
  }

  @Test("More than 3 s into a chapter, Previous goes to its start; earlier, to the chapter before")
  func previous() {
    #expect(ChapterSkip.previous(of: chapters, at: .seconds(64)) == .seconds(60))
    #expect(ChapterSkip.previous(of: chapters, at: .seconds(63)) == .zero)
    #expect(ChapterSkip.previous(of: chapters, at: .seconds(121)) == .seconds(60))
    #expect(ChapterSkip.previous(of: chapters, at: .seconds(1)) == .zero)
    #expect(ChapterSkip.previous(of: [Chapter(start: .seconds(5))], at: .seconds(6)) == .seconds(5))
    #expect(ChapterSkip.previous(of: [Chapter(start: .seconds(5))], at: .zero) == nil, "a seek forward")
    #expect(ChapterSkip.previous(of: [], at: .zero) == nil)
  }
}
