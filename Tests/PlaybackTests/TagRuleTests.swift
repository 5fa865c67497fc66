import FoundationEssentials
import Testing

@testable import Playback

@Suite("Collected tags")
struct TagRuleTests {
  private func tags(_ change: (inout MediaMetadata) -> Void) -> MediaMetadata {
    var tags = MediaMetadata()
    change(&tags)
    return tags
  }

  private func titled(_ title: String?) -> MediaMetadata { tags { $0.title = title } }

  @Test("Tags of the item take precedence over tags of its stream, in either order")
  func scopes() {
    let stream = tags { ($0.title, $0.audioCodec) = ("Stereo", "FLAC") }
    for order in [[TagScope.stream, .item], [.item, .stream]] {
      var collected = CollectedTags()
      for scope in order { collected.add(scope == .stream ? stream : titled("Song"), about: scope) }
      #expect(collected.merged.title == "Song")
      #expect(collected.merged.audioCodec == "FLAC")
    }
  }

  @Test("Lyrics of a file beside the media take precedence over all tags, and stay when another song begins")
  func companionFile() {
    let file = tags { $0.lyrics = "[00:01.00]file" }
    let embedded = tags { ($0.title, $0.lyrics) = ("Song", "[00:02.00]tag") }
    let scopes: [TagScope] = [.stream, .item]
    for order in [[.companionFile] + scopes, scopes + [.companionFile]] {
      var collected = CollectedTags()
      for scope in order { collected.add(scope == .companionFile ? file : embedded, about: scope) }
      #expect(collected.merged.lyrics == file.lyrics && collected.merged.title == "Song")
      collected.beginAgain()
      collected.add(titled("Next"), about: .stream)
      #expect(collected.merged.lyrics == file.lyrics && collected.merged.title == "Next")
    }
  }

  @Test("Recorded tags of a file beside the media are short")
  func recordedCompanionFile() throws {
    var collected = CollectedTags()
    collected.add(tags { $0.lyrics = String(repeating: "line\n", count: 10_000) }, about: .companionFile)
    #expect(try JSONEncoder().encode(collected.recorded).count < 2_000)
  }

  @Test("A station's next title replaces all tags of the last song and keeps the station's tags")
  func station() {
    var collected = CollectedTags()
    collected.add(tags { ($0.organization, $0.genres, $0.bitRate) = ("Radio", ["Jazz"], 64_000) }, about: .stream)
    collected.add(tags { ($0.title, $0.artists) = ("One", ["A"]) }, about: .stream, isStation: true)
    collected.add(titled("Two"), about: .stream, isStation: true)
    #expect(collected.merged.title == "Two")
    #expect(collected.merged.artists.isEmpty)
    #expect(collected.merged.organization == "Radio")
    #expect(collected.merged.genres == ["Jazz"])
    #expect(collected.merged.bitRate == 64_000)
    collected.add(tags { $0.containerFormat = "Ogg" }, about: .stream, isStation: true)
    #expect(collected.merged.title == "Two")
    collected.add(titled(" "), about: .stream, isStation: true)
    #expect(collected.merged.title == nil, "between two songs there is no title")
    collected.add(titled(" "), about: .stream, isStation: true)
    #expect(collected.merged.title == nil)
    collected.add(titled("Three"), about: .stream, isStation: true)
    for empty in [" - ", "-", "…"] {
      collected.add(titled(empty), about: .stream, isStation: true)
      #expect(collected.merged.title == nil, "“\(empty)” names nothing")
    }
    collected.add(titled("99 - ?"), about: .stream, isStation: true)
    #expect(collected.merged.title == "99 - ?")
  }

  @Test("The bit rate that a station announces stays with each title, also if its audio has another bit rate")
  func bitRateOfStation() {
    var collected = CollectedTags()
    collected.add(tags { $0.bitRate = 128_000 }, about: .item, isStation: true)
    collected.add(tags { $0.bitRate = 64_000 }, about: .stream, isStation: true)
    for title in ["One", "Two", "Three"] {
      collected.add(titled(title), about: .item, isStation: true)
      #expect(collected.merged.title == title && collected.merged.bitRate == 128_000)
    }
  }

  @Test("The name of a station stays when its stream begins again, but not the name of a file")
  func chainOfStation() {
    for isStation in [true, false] {
      var collected = CollectedTags()
      collected.add(tags { $0.organization = "Radio" }, about: .item)
      collected.add(titled("One"), about: .stream, isStation: isStation)
      collected.beginAgain()
      collected.add(titled("Two"), about: .stream, isStation: isStation)
      #expect(collected.merged.title == "Two")
      #expect(collected.merged.organization == (isStation ? "Radio" : nil))
    }
  }

  @Test("A tag list without a title keeps the title of a file")
  func file() {
    var collected = CollectedTags()
    collected.add(titled("Song"), about: .stream)
    collected.add(tags { $0.audioCodec = "MP3" }, about: .stream)
    #expect(collected.merged.title == "Song")
  }

  @Test("A stream that restarts shows its old tags until the first new tags replace them all")
  func chain() {
    var collected = CollectedTags()
    collected.add(tags { ($0.title, $0.artists) = ("One", ["A"]) }, about: .stream)
    collected.beginAgain()
    #expect(collected.merged.title == "One")
    collected.add(titled("Two"), about: .stream)
    #expect(collected.merged.title == "Two")
    #expect(collected.merged.artists.isEmpty)
  }

  @Test("A bit rate that varies with every frame is published a few times at most")
  func bitRate() {
    var harness = MachineHarness()
    harness.start()
    var news = 0
    for frame in 0..<1000 {
      let rate = tags { $0.bitRate = frame.isMultiple(of: 2) ? 320_000 : 32_000 }
      if harness.report(.stream(harness.token, .tags(rate, about: .stream))).hasChanged { news += 1 }
    }
    #expect(news == 9)
    var steady = MachineHarness()
    steady.start()
    news = 0
    for frame in 0..<1000 {
      let rate = tags { $0.bitRate = 128_000 + frame }
      if steady.report(.stream(steady.token, .tags(rate, about: .stream))).hasChanged { news += 1 }
    }
    #expect(news == 1)
  }

  @Test("Repeated tags are not a change and keep the revision")
  func repetition() {
    var harness = MachineHarness()
    harness.start()
    harness.report(.stream(harness.token, .tags(titled("Song"), about: .stream)))
    let revision = harness.snapshot.detailsRevision
    for scope in [TagScope.stream, .item] {
      #expect(harness.report(.stream(harness.token, .tags(titled("Song"), about: scope))).isEmpty)
    }
    #expect(harness.snapshot.detailsRevision == revision)
  }

  @Test("The end of a song in the stream of the next item replaces the tags of that stream alone")
  func songOfNext() throws {
    var harness = MachineHarness()
    harness.start()
    harness.report(.stream(harness.token, .tags(tags { ($0.title, $0.album) = ("A", "B") }, about: .stream)))
    let next = try harness.requireOffer().stream
    harness.report(.stream(next, .tags(tags { ($0.title, $0.album) = ("C", "D") }, about: .stream)))
    harness.report(.stream(StreamToken(number: next.number + 1), .songEnded))
    harness.report(.stream(next, .songEnded))
    harness.report(.stream(next, .tags(titled("E"), about: .stream)))
    #expect(harness.snapshot.metadata.album == "B")
    harness.settleNext(next)
    harness.enterNext(next)
    #expect(harness.snapshot.metadata == titled("E"))
    harness.report(.stream(harness.token, .songEnded))
    harness.report(.stream(harness.token, .tags(tags { $0.album = "F" }, about: .stream)))
    #expect(harness.snapshot.metadata == tags { $0.album = "F" })
  }

  @Test("Tags of the next item are published only when it becomes current")
  func nextItem() throws {
    var harness = MachineHarness()
    harness.start()
    harness.report(.stream(harness.token, .tags(titled("A"), about: .stream)))
    let next = try harness.requireOffer()
    #expect(harness.report(.stream(next.stream, .tags(titled("B"), about: .stream))).isEmpty)
    harness.settleNext(next.stream)
    #expect(harness.report(.stream(next.stream, .tags(tags { $0.album = "C" }, about: .stream))).isEmpty)
    #expect(harness.snapshot.metadata == titled("A"))
    harness.enterNext(next.stream)
    #expect(harness.snapshot.metadata == tags { ($0.title, $0.album) = ("B", "C") })
  }
}
