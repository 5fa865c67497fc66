import CGst
import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Reading tags")
struct TagTests {
  private func tags(_ change: (inout MediaMetadata) -> Void) -> MediaMetadata {
    var tags = MediaMetadata()
    change(&tags)
    return tags
  }

  /// Returns the result of `body` for a list of tags.
  private func read<Result>(_ tags: [(String, String)], _ body: (TagList) -> Result) throws -> Result {
    gst_init(nil, nil)
    let list = unsafe gst_tag_list_new_empty()
    for (tag, text) in tags {
      var value = GValue()
      unsafe g_value_init(&value, g_type_from_name("gchararray"))
      unsafe g_value_set_string(&value, text)
      unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_APPEND, tag, &value)
      unsafe g_value_unset(&value)
    }
    let result = unsafe GLib.with(takingMini: list) { unsafe body(TagList($0)) }
    return try #require(result)
  }

  /// Reads comments without a GStreamer tag.
  private func read(_ comments: [String]) throws -> MediaMetadata {
    try read(comments.map { (GST_TAG_EXTENDED_COMMENT, $0) }) { MediaMetadata($0) }
  }

  @Test("Lyrics, rating and play count are read from comments without a GStreamer tag; invalid values are ignored")
  func comments() throws {
    let others = (0..<100).map { "OTHER\($0)=x" }
    let known = try read(
      others + ["=", "x", "lyrics=", "Lyrics=la=la", "LYRICS=again", "FMPS_RATING=0.8", "FMPS_PLAYCOUNT=3.5"])
    #expect(known == tags { ($0.lyrics, $0.userRating, $0.useCount) = ("la=la", 0.8, 3) })
    #expect(try read(["FMPS_RATING=nan", "FMPS_RATING=2", "FMPS_PLAYCOUNT=1e99"]) == MediaMetadata())
  }

  @Test(
    "Of several lyrics, the first with times are read",
    arguments: [
      ["SYNCEDLYRICS=[00:01.00]a"], ["LYRICS=plain", "syncedlyrics=[00:01.00]a", "SYNCEDLYRICS=[00:02.00]b"],
      ["UNSYNCEDLYRICS=plain\n[verse]", "Lyrics=[00:01.00]a"],
    ])
  func lyrics(comments: [String]) throws { #expect(try read(comments).lyrics == "[00:01.00]a") }

  @Test("What exceeds a limit is left out, and is named for the log")
  func excess() throws {
    func excess(_ tags: [(String, String)]) throws -> [String] { try read(tags) { $0.excess } }
    #expect(try excess([(GST_TAG_TITLE, "Title"), (GST_TAG_LYRICS, "la")]).isEmpty)
    let long = String(repeating: "a", count: TagList.textLimit)
    #expect(try excess([(GST_TAG_COMMENT, long)]).isEmpty)
    #expect(try excess([(GST_TAG_COMMENT, long + "b")]).count == 1)
    #expect(try excess((0..<65).map { (GST_TAG_ARTIST, "\($0)") }).count == 1)
    #expect(try excess([(GST_TAG_LYRICS, String(repeating: "a", count: TagList.lyricsLimit + 1))]).count == 1)
  }

  @Test(
    "A day is read as a date, and 1 January, which GStreamer sets for a year, as a year",
    arguments: [
      ("date=(date)1999-05-04", "1999-05-04"), ("date=(date)1999-01-01", "1999"),
      ("date=(date)1999-01-01, datetime=(datetime)2001-02", "2001-02"), ("title=(string)None", nil),
    ])
  func date(tags: String, date: String?) throws {
    gst_init(nil, nil)
    let list = unsafe gst_tag_list_new_from_string("taglist, \(tags);")
    #expect(try #require(unsafe GLib.with(takingMini: list) { unsafe TagList($0).date() }) == date)
  }
}

@Suite("Tags of hostile and unusual files", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TagFileTests {
  @Test("The front cover is preferred to other images, and lyrics are read")
  func front() async throws {
    try await withTemporaryDirectory { directory in
      let wav = try await Media.sine(seconds: 1, format: .wav)
      let (back, front) = (try await Media.cover(seed: 1), try await Media.cover(seed: 2))
      let path = directory.file("two.flac")
      let made = try await run([
        "flac", "--silent", "--picture=4||||\(back)", "--picture=3||||\(front)", "--tag=LYRICS=la la",
        "--tag=FMPS_RATING=0.5", "-o", path, wav,
      ])
      try #require(made.succeeded, "\(made.error)")
      let expected = try bytes(of: front)
      try await withPlayer([fileURI(path)]) { harness in
        try await harness.ready()
        let metadata = try await harness.reaches("a picture") { $0.metadata.artwork != nil }.metadata
        #expect(metadata.artwork?.bytes == expected)
        #expect(metadata.lyrics == "la la")
        #expect(metadata.userRating == 0.5)
      }
      let inspected = try await MediaInspector().inspect(fileURI(path)).metadata
      #expect(inspected.artwork?.bytes == expected)
      #expect(inspected.lyrics == "la la")
    }
  }

  @Test("Lyrics longer than one mebibyte are truncated at a character boundary")
  func lyrics() async throws {
    try await withTemporaryDirectory { directory in
      let plain = try bytes(of: try await Media.sine(seconds: 1))
      let lyrics = Array("LYRICS=xy".utf8) + Array(String(repeating: "ö", count: 700_000).utf8)
      func little(_ count: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) } }
      // A second comment block after the STREAMINFO block.
      let comments = little(0) + little(1) + little(lyrics.count) + lyrics
      let block = [4] + little(comments.count)[..<3].reversed() + comments
      let path = try directory.write(Array(plain[..<42] + block + plain[42...]), to: "long.flac")
      let known = try await MediaInspector().inspect(fileURI(path)).metadata.lyrics
      // The name of the comment counts towards the limit.
      #expect(known.map { ((1 << 20) - 16)...(1 << 20) ~= $0.utf8.count } == true)
      #expect(known?.contains("\u{FFFD}") == false)
    }
  }

  @Test("In a chain of Ogg streams, the second stream does not inherit the tags of the first")
  func chain() async throws {
    try await withTemporaryDirectory { directory in
      let first = try await Media.sine(seconds: 1, format: .ogg, tags: Tags(title: "One", artists: ["A"]))
      let second = try await Media.sine(seconds: 1, frequency: 300, format: .ogg, tags: Tags(title: "Two"))
      let path = try directory.write(try bytes(of: first) + bytes(of: second), to: "chain.ogg")
      try await withPlayer([fileURI(path)]) { harness in
        try await harness.ready()
        try await harness.reaches("the first title") { $0.metadata.title == "One" && $0.metadata.artists == ["A"] }
        harness.player.play()
        let metadata = try await harness.reaches("the second title") { $0.metadata.title == "Two" }.metadata
        #expect(metadata.artists.isEmpty)
      }
    }
  }
}

private func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
