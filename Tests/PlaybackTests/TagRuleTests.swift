import Testing

@testable import Playback

@Suite("Tags, merged and kept apart")
struct TagRuleTests {
  private func tags(_ change: (inout MediaMetadata) -> Void) -> MediaMetadata {
    var tags = MediaMetadata()
    change(&tags)
    return tags
  }

  private func titled(_ title: String?) -> MediaMetadata { tags { $0.title = title } }

  @Test("Tags of the whole item win over its stream's, whichever come first")
  func scopes() {
    let stream = tags { ($0.title, $0.audioCodec) = ("Stereo", "FLAC") }
    for order in [[TagScope.stream, .item], [.item, .stream]] {
      var collected = CollectedTags()
      for scope in order { collected.add(scope == .stream ? stream : titled("Song"), about: scope) }
      #expect(collected.merged.title == "Song")
      #expect(collected.merged.audioCodec == "FLAC")
    }
  }

  @Test("A station's next title leaves nothing of the song before, and the station stays")
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
    collected.add(MediaMetadata(), about: .stream, isStation: true)
    #expect(collected.merged.title == nil, "between two songs there is no title")
  }

  @Test("A list without a title takes none from a file")
  func file() {
    var collected = CollectedTags()
    collected.add(titled("Song"), about: .stream)
    collected.add(tags { $0.audioCodec = "MP3" }, about: .stream)
    #expect(collected.merged.title == "Song")
  }

  @Test("A stream that begins anew shows its old tags until new ones come, and then none of them")
  func chain() {
    var collected = CollectedTags()
    collected.add(tags { ($0.title, $0.artists) = ("One", ["A"]) }, about: .stream)
    collected.beginAgain()
    #expect(collected.merged.title == "One")
    collected.add(titled("Two"), about: .stream)
    #expect(collected.merged.title == "Two")
    #expect(collected.merged.artists.isEmpty)
  }

  @Test("A bit rate that varies with every frame is news a few times and then no more")
  func bitRate() {
    var bench = Bench()
    bench.start()
    var news = 0
    for frame in 0..<1000 {
      let rate = tags { $0.bitRate = frame.isMultiple(of: 2) ? 320_000 : 32_000 }
      if bench.step({ machine, _ in machine.tagsChanged(machine.token, rate) }).isNews { news += 1 }
    }
    #expect((1...10).contains(news))
    var steady = Bench()
    steady.start()
    news = 0
    for frame in 0..<1000 {
      let rate = tags { $0.bitRate = 128_000 + frame }
      if steady.step({ machine, _ in machine.tagsChanged(machine.token, rate) }).isNews { news += 1 }
    }
    #expect(news == 1)
  }

  @Test("Tags that repeat are no news, and leave the revision")
  func repetition() {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.tagsChanged(machine.token, titled("Song")) }
    let revision = bench.snapshot.detailsRevision
    for scope in [TagScope.stream, .item] {
      #expect(bench.step { machine, _ in machine.tagsChanged(machine.token, titled("Song"), about: scope) }.isEmpty)
    }
    #expect(bench.snapshot.detailsRevision == revision)
  }

  @Test("A successor's tags, which come before it is heard, do not show in its predecessor")
  func handOver() throws {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.tagsChanged(machine.token, titled("A")) }
    let next = try bench.takeOffer()
    #expect(bench.step { machine, _ in machine.tagsChanged(next.stream, titled("B")) }.isEmpty)
    bench.startNext(next.stream, in: 1)
    #expect(bench.step { machine, _ in machine.tagsChanged(next.stream, tags { $0.album = "C" }) }.isEmpty)
    #expect(bench.snapshot.metadata == titled("A"))
    bench.pass(.seconds(2))
    #expect(bench.snapshot.metadata == tags { ($0.title, $0.album) = ("B", "C") })
  }
}
