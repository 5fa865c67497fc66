import DBus
import Testing

@testable import MPRISService

@Suite struct MetadataTests {
  typealias Fields = MPRISMetadata.Fields
  static let bare = Fields(trackID: MPRISTrackID(1, in: .example), title: "T")

  /// Returns all fields, with `text` in each field that contains text.
  static func full(_ text: String) -> Fields {
    var fields = Fields(trackID: MPRISTrackID(.max, in: .example), title: text)
    fields.length = .seconds(1)
    (fields.artURL, fields.url) = (text, text)
    (fields.artists, fields.albumArtists, fields.genres) = ([text, text], [text], [text])
    (fields.composers, fields.comments) = ([text], [text])
    (fields.album, fields.contentCreated, fields.lyrics) = (text, text, text)
    (fields.trackNumber, fields.discNumber, fields.useCount, fields.audioBPM) = (1, 2, 3, 4)
    fields.userRating = 0.5
    (fields.musicBrainzTrackIDs, fields.musicBrainzAlbumIDs) = ([text], [text])
    (fields.musicBrainzArtistIDs, fields.musicBrainzAlbumArtistIDs) = ([text], [text])
    return fields
  }

  func entries(_ fields: Fields) throws -> [String: DBusValue] {
    try #require(MPRISMetadata(fields).value.asDictionary)
  }

  @Test("Every field has the type that clients expect")
  func types() throws {
    var seen: [String: String] = [:]
    for fields in [
      Self.full("x"),
      Self.bare.with(\.comments, ["c"]).with(\.userRating, 1).with(\.useCount, 0)
        .with(\.audioBPM, 9).with(\.lyrics, "l").with(\.musicBrainzAlbumArtistIDs, ["m"]),
    ] {
      for (key, value) in try entries(fields) { seen[key] = value.signature.rawValue }
    }
    #expect(
      seen == [
        "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s", "xesam:title": "s", "xesam:album": "s",
        "xesam:url": "s", "xesam:contentCreated": "s", "xesam:asText": "s", "xesam:artist": "as",
        "xesam:albumArtist": "as", "xesam:genre": "as", "xesam:composer": "as", "xesam:comment": "as",
        "xesam:trackNumber": "i", "xesam:discNumber": "i", "xesam:useCount": "i", "xesam:audioBPM": "i",
        "xesam:userRating": "d", "xesam:musicBrainzTrackID": "as", "xesam:musicBrainzAlbumID": "as",
        "xesam:musicBrainzArtistID": "as", "xesam:musicBrainzAlbumArtistID": "as",
      ])
  }

  @Test("Without a track the metadata is empty, and an unknown track has only its ID")
  func unknown() throws {
    #expect(MPRISMetadata.none.value.asDictionary == [:])
    #expect(MPRISMetadata.none.trackID == nil)
    #expect(
      try entries(Fields(trackID: MPRISTrackID(3, in: .example), title: "")) == [
        "mpris:trackid": .objectPath("/org/example/track/3")
      ])
  }

  @Test("The most useful entries come first")
  func order() throws {
    let keys = MetadataEntries(Self.full("x")).entries.map(\.0)
    #expect(keys.first == "mpris:trackid")
    #expect(keys.count == 16)
    #expect(!keys.contains("xesam:asText"))
  }

  @Test("Empty and out-of-range fields are omitted")
  func invalidFields() throws {
    var fields = Self.full("")
    (fields.length, fields.userRating, fields.useCount) = (.zero, .nan, -1)
    (fields.trackNumber, fields.discNumber, fields.audioBPM) = (0, -1, 0)
    #expect(try entries(fields).keys.sorted() == ["mpris:trackid"])
    fields.length = .seconds(-1)
    #expect(try entries(fields).keys.sorted() == ["mpris:trackid"])
    #expect(MPRISMetadata(fields).length == nil)
  }

  @Test("A rating is between 0 and 1", arguments: [(-0.1, false), (0, true), (0.5, true), (1, true), (1.1, false)])
  func ratings(rating: Double, isValid: Bool) throws {
    let entry = try entries(Self.bare.with(\.userRating, rating))["xesam:userRating"]
    #expect(entry == (isValid ? .double(rating) : nil))
  }

  @Test("Empty elements of lists are omitted")
  func emptyElements() throws {
    let entries = try entries(Self.bare.with(\.artists, ["", "a", "\u{0}", "b"]).with(\.genres, ["", ""]))
    #expect(entries["xesam:artist"] == .strings(["a", "b"]))
    #expect(entries["xesam:genre"] == nil)
  }

  @Test("Numbers that are too large become the maximum")
  func largeNumbers() throws {
    var fields = Self.bare
    fields.length = .seconds(Int64.max)
    (fields.trackNumber, fields.useCount) = (.max, .max)
    let entries = try entries(fields)
    #expect(entries["mpris:length"] == .int64(.max))
    #expect(entries["xesam:trackNumber"] == .int32(.max))
    #expect(entries["xesam:useCount"] == .int32(.max))
  }

  @Test("A length below one microsecond is not 0")
  func shortLength() throws {
    #expect(try entries(Self.bare.with(\.length, .nanoseconds(1)))["mpris:length"] == .int64(1))
  }

  @Test("NUL is removed from texts, and a URI with NUL is omitted")
  func nul() throws {
    let entries = try entries(Self.full("a\u{0}\u{301}b"))
    #expect(entries["xesam:title"]?.asString?.unicodeScalars.elementsEqual("a\u{301}b".unicodeScalars) == true)
    #expect(entries["xesam:url"] == nil)
    #expect(entries["mpris:artUrl"] == nil)
  }

  @Test(
    "A map stays within 16 entries and 8 KiB", arguments: ["x", "é", "👩‍👩‍👧‍👦", "e\u{301}\u{302}"],
    [100, 1000, 10_000, 100_000])
  func limits(character: String, count: Int) throws {
    let text = String(repeating: character, count: count)
    let map = MPRISMetadata(Self.full(text)).value
    #expect(try #require(map.asDictionary).count <= 16)
    #expect(map.largestSize <= 8192)
    let title = try #require(map.asDictionary?["xesam:title"]?.asString)
    #expect(!title.isEmpty && title.allSatisfy { String($0) == character })
  }

  @Test("Long lyrics fill only the remaining space")
  func longLyrics() throws {
    let map = MPRISMetadata(Self.bare.with(\.lyrics, String(repeating: "la ", count: 1 << 20))).value
    let lyrics = try #require(map.asDictionary?["xesam:asText"]?.asString)
    #expect(lyrics.utf8.count > 7000)
    #expect(map.largestSize <= 8192)
  }

  @Test("A text is cut to 1 KiB")
  func longTitle() throws {
    let title = try entries(Self.bare.with(\.title, String(repeating: "a", count: 2000)))["xesam:title"]
    #expect(title?.asString?.utf8.count == 1024)
  }

  @Test("A URI is complete or omitted")
  func longURI() throws {
    let long = "file:///" + String(repeating: "a", count: 10_000)
    #expect(
      try entries(Self.bare.with(\.url, long).with(\.artURL, long)).keys.sorted() == ["mpris:trackid", "xesam:title"])
    let fitting = "file:///" + String(repeating: "a", count: 4000)
    #expect(try entries(Self.full("x").with(\.url, fitting))["xesam:url"] == .string(fitting))
  }

  @Test(
    "Identifiers of up to 1 KiB are complete, and longer ones are omitted", arguments: [(1016, true), (1017, false)])
  func longIdentifiers(length: Int, isKept: Bool) throws {
    let long = [String(repeating: "a", count: length)]
    let entry = try entries(Self.bare.with(\.musicBrainzTrackIDs, long))["xesam:musicBrainzTrackID"]
    #expect(entry == (isKept ? .strings(long) : nil))
  }

  @Test("Fields are assigned one by one, in a copy of the metadata alone")
  func assignment() {
    var snapshot = MPRISSnapshot()
    #expect(snapshot.track == nil && snapshot.metadata.title.isEmpty && snapshot.metadata.fields == nil)
    snapshot.metadata.title = "Morning show"
    #expect(snapshot.track == MPRISTrackID(1))
    let first = snapshot
    #expect(first.metadata == MPRISMetadata(.init(trackID: MPRISTrackID(1), title: "Morning show")))
    snapshot.metadata.trackID = MPRISTrackID(2)
    snapshot.metadata.title = "News"
    snapshot.metadata.artists.append("Ann")
    snapshot.metadata.length = .seconds(60)
    #expect(first.metadata.title == "Morning show" && first.metadata.artists.isEmpty && first.metadata.length == nil)
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(2), title: "News")
    (fields.artists, fields.length) = (["Ann"], .seconds(60))
    #expect(snapshot.metadata == MPRISMetadata(fields) && snapshot.metadata != first.metadata)
    snapshot.metadata.trackID = nil
    #expect(snapshot.track == nil)
  }

  @Test("A text is truncated at a character boundary, and an endless character at a scalar boundary")
  func truncation() {
    #expect("abc".cut(to: 3) == "abc")
    #expect("abc".cut(to: 2) == "ab")
    #expect("abc".cut(to: 0) == "")
    #expect("abc".cut(to: -1) == "")
    #expect("aé".cut(to: 2) == "a")
    #expect("ae\u{301}x".cut(to: 3) == "a")
    #expect("a👩‍👩‍👧‍👦".cut(to: 24) == "a")
    let endless = ("a" + String(repeating: "\u{301}", count: 1000)).cut(to: 100)
    #expect(endless.unicodeScalars.elementsEqual(("a" + String(repeating: "\u{301}", count: 49)).unicodeScalars))
  }

  @Test("Metadata values are equal if clients receive the same entries")
  func equality() {
    #expect(MPRISMetadata(Self.bare) == MPRISMetadata(Self.bare.with(\.length, .zero)))
    #expect(MPRISMetadata(Self.bare) != MPRISMetadata(Self.bare.with(\.title, "U")))
    #expect(MPRISMetadata(Self.bare) != .none)
  }

  @Test(
    "Durations are converted to the nearest valid number of microseconds",
    arguments: [
      (Duration.zero, 0), (.microseconds(1), 1), (.nanoseconds(999), 0), (.seconds(-1.5), -1_500_000),
      (.microseconds(Int64.max), .max), (.microseconds(Int64.min), .min), (.seconds(Int64.max), .max),
      (.seconds(Int64.min), .min), (.microseconds(Int64.max) + .microseconds(1), .max),
    ] as [(Duration, Int64)])
  func microseconds(duration: Duration, microseconds: Int64) {
    #expect(duration.microseconds == microseconds)
  }
}

extension MPRISMetadata.Fields {
  fileprivate func with<T>(_ field: WritableKeyPath<Self, T>, _ value: T) -> Self {
    var fields = self
    fields[keyPath: field] = value
    return fields
  }
}

extension DBusValue {
  /// The maximum size of the value in a message, with the worst case for each alignment.
  fileprivate var largestSize: Int {
    switch self {
    case .array(_, let elements): elements.reduce(4) { $0 + 3 + $1.largestSize }
    case .dictionaryEntry(let key, let value): 4 + key.largestSize + value.largestSize
    case .variant(let content): 2 + content.signature.rawValue.utf8.count + 7 + content.largestSize
    case .string(let text): 5 + text.utf8.count
    case .objectPath(let path): 5 + path.rawValue.utf8.count
    default: 8
    }
  }
}
