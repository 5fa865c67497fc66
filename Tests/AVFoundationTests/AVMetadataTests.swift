import GstPlayer
import TestSupport
import Testing

@testable import AVFoundation

@Suite("Metadata of AVFoundation") struct AVMetadataTests {
  private static func metadata(codec: String?, container: String? = nil) -> MediaMetadata {
    var metadata = MediaMetadata()
    metadata.title = "Song"
    metadata.artists = ["One", "Two"]
    metadata.albumArtists = ["All"]
    metadata.album = "Album"
    metadata.genres = ["Jazz"]
    metadata.composers = ["Composer"]
    metadata.trackNumber = 3
    metadata.date = "1979-11"
    metadata.beatsPerMinute = 96.5
    metadata.artwork = MediaMetadata.Artwork(mimeType: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0])
    metadata.audioCodec = codec
    metadata.containerFormat = container
    return metadata
  }

  @Test(
    "The items have the identifiers of their format",
    arguments: [
      (
        "MPEG-1 Layer 3 (MP3)", "ID3 tag", AVMetadataFormat.id3Metadata,
        ["TIT2", "TPE1", "TPE1", "TPE2", "TALB", "TCON", "TCOM", "TRCK", "TDRC", "TBPM", "APIC"].map { "id3/\($0)" }
      ),
      (
        "MPEG-4 AAC", "ISO MP4/M4A", .iTunesMetadata,
        ["%A9nam", "%A9ART", "%A9ART", "aART", "%A9alb", "%A9gen", "%A9wrt", "trkn", "%A9day", "tmpo", "covr"]
          .map { "itsk/\($0)" }
      ),
      (
        "Free Lossless Audio Codec (FLAC)", nil, .unknown,
        [
          "TITLE", "ARTIST", "ARTIST", "ALBUMARTIST", "ALBUM", "GENRE", "COMPOSER", "TRACKNUMBER", "DATE", "BPM",
          "METADATA_BLOCK_PICTURE",
        ].map { "vorb/\($0)" }
      ),
    ] as [(String, String?, AVMetadataFormat, [String])])
  func identifiers(codec: String, container: String?, format: AVMetadataFormat, identifiers: [String]) {
    let metadata = Self.metadata(codec: codec, container: container)
    #expect(metadata.format.name == format)
    #expect(metadata.nativeItems.map { $0.identifier?.rawValue } == identifiers)
    #expect(metadata.nativeItems.first?.keySpace == metadata.format.keySpace)
  }

  @Test("The common items have common identifiers, keys and values")
  func commonItems() {
    let items = Self.metadata(codec: nil).commonItems
    #expect(
      items.map { $0.commonKey?.rawValue } == [
        "title", "artist", "artist", "albumName", "type", "creator", "creationDate", "artwork",
      ])
    #expect(items.allSatisfy { $0.identifier?.rawValue == $0.commonKey.map { "common/\($0.rawValue)" } })
    #expect(items.allSatisfy { $0.keySpace == .common })
    #expect(items.map(\.stringValue) == ["Song", "One", "Two", "Album", "Jazz", "Composer", "1979-11", nil])
    #expect(items.last?.dataValue == Data([0x89, 0x50, 0x4e, 0x47, 0]))
    #expect(items.last?.dataType == "com.apple.metadata.datatype.PNG")
  }

  @Test("A common identifier selects the items of all formats; another one only its own")
  func filtering() {
    let metadata = Self.metadata(codec: "MPEG-1 Layer 3 (MP3)")
    for items in [metadata.nativeItems, metadata.commonItems] {
      let artists = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierArtist)
      #expect(artists.map(\.stringValue) == ["One", "Two"])
      let titles = AVMetadataItem.metadataItems(
        from: items, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
      #expect(titles.map(\.stringValue) == ["Song"])
    }
    let items = metadata.nativeItems
    #expect(AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .id3MetadataLeadPerformer).count == 2)
    #expect(AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .iTunesMetadataArtist).isEmpty)
    #expect(AVMetadataItem.metadataItems(from: items, withKey: "TPE2", keySpace: .id3).map(\.stringValue) == ["All"])
    #expect(AVMetadataItem.metadataItems(from: items, withKey: nil, keySpace: .id3).count == items.count)
    #expect(AVMetadataItem.metadataItems(from: items, withKey: nil, keySpace: .iTunes).isEmpty)
    #expect(AVMetadataItem.metadataItems(from: items, withKey: "TPE2", keySpace: nil).count == 1)
  }

  @Test("A key that is not text selects no item, also none without a key")
  func filteringByNumber() {
    let items = [AVMutableMetadataItem()] + Self.metadata(codec: nil).commonItems
    #expect(AVMetadataItem.metadataItems(from: items, withKey: NSNumber(value: 1), keySpace: nil).isEmpty)
  }

  /// A value, and its string, number, date in seconds since 1970, and bytes.
  @Test("A value is read as each type that it can represent")
  func values() throws {
    let rows: [((any NSCopying & NSObjectProtocol)?, String?, Double?, Double?, Int?)] = [
      (NSString(string: "Song"), "Song", nil, nil, 4), (NSString(string: "3"), "3", 3, nil, 1),
      (NSNumber(value: 96.5), "96.5", 96.5, nil, nil), (NSString(string: "2.5"), "2.5", 2.5, nil, 3),
      (NSString(string: "Infinity"), "Infinity", nil, nil, 8), (NSString(string: "nan"), "nan", nil, nil, 3),
      (NSString(string: "1979-11-30"), "1979-11-30", nil, 312_768_000, 10),
      (NSString(string: "1970"), "1970", 1970, 0, 4), (NSString(string: "1970-02"), "1970-02", nil, 2_678_400, 7),
      (NSString(string: "1970-01-01T01:00:00Z"), "1970-01-01T01:00:00Z", nil, 3600, 20),
      (NSString(string: "1970-13"), "1970-13", nil, nil, 7),
      (NSString(string: "1970-02-30"), "1970-02-30", nil, nil, 10),
      (NSDate(timeIntervalSince1970: 9), nil, nil, 9, nil), (NSData(data: Data([1, 2])), nil, nil, nil, 2),
      (nil, nil, nil, nil, nil),
    ]
    for (value, string, number, date, count) in rows {
      let item = AVMutableMetadataItem()
      item.value = value
      #expect(item.stringValue == string)
      #expect(item.numberValue?.doubleValue == number, "\(String(describing: string))")
      #expect(item.dateValue?.timeIntervalSince1970 == date, "\(String(describing: string))")
      #expect(item.dataValue?.count == count)
    }
  }

  @Test("A value is copied when it is set")
  func copies() {
    let text = NSMutableString(string: "before")
    let item = AVMutableMetadataItem()
    item.value = text
    text.setString("after")
    #expect(item.stringValue == "before")
    let copy = item.mutableCopy() as? AVMutableMetadataItem
    copy?.value = NSString(string: "copy")
    #expect(item.stringValue == "before" && copy?.stringValue == "copy")
    #expect((item.copy() as? AVMetadataItem)?.stringValue == "before")
  }

  @Test("A mutable item has the common key of its identifier, and the key space and key of it")
  func mutableItem() {
    let item = AVMutableMetadataItem()
    item.identifier = .id3MetadataAlbumTitle
    #expect(item.commonKey == .commonKeyAlbumName && item.keySpace == .id3)
    #expect(item.key as? NSString == NSString(string: "TALB"))
    item.identifier = .commonIdentifierTitle
    #expect(item.commonKey == .commonKeyTitle && item.keySpace == .common)
    item.keySpace = .iTunes
    item.key = NSString(string: "@nam")
    #expect(item.identifier == .iTunesMetadataSongName && item.commonKey == .commonKeyTitle)
    item.extendedLanguageTag = "de-AT"
    #expect(item.locale?.identifier(.bcp47) == "de-AT")
    #expect(AVMetadataItem.metadataItems(from: [item], with: Locale(identifier: "de-AT")).count == 1)
    #expect(!item.time.isValid)
    item.time = CMTime(value: 1, timescale: 2)
    #expect(item.time.seconds == 0.5 && !item.duration.isValid)
  }

  @Test("A key space alone is not an identifier; a key that is set later has this key space")
  func keySpaceAlone() {
    let item = AVMutableMetadataItem()
    item.keySpace = .common
    #expect(item.keySpace == .common && item.identifier == nil && item.key == nil && item.commonKey == nil)
    #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("common/")) == nil)
    item.keySpace = .id3
    item.key = NSString(string: "TALB")
    #expect(item.identifier == .id3MetadataAlbumTitle && item.commonKey == .commonKeyAlbumName)
  }

  @Test("Languages select items in the order of preference, and with regions")
  func languages() {
    let items = ["de-AT", "en", nil, "de", "fr", "english"].map { tag in
      let item = AVMutableMetadataItem()
      item.extendedLanguageTag = tag
      return item
    }
    let sorted = AVMetadataItem.metadataItems(
      from: items, filteredAndSortedAccordingToPreferredLanguages: ["EN", "de-AT", "de"])
    #expect(sorted.map(\.extendedLanguageTag) == ["en", "de-AT", "de"])
    #expect(AVMetadataItem.metadataItems(from: items, filteredAndSortedAccordingToPreferredLanguages: []).isEmpty)
  }

  @Test(
    "An identifier consists of a key space and a key",
    arguments: [
      (.commonIdentifierAssetIdentifier, "common/identifier", .common, "identifier"),
      (.iTunesMetadataSongName, "itsk/%A9nam", .iTunes, "@nam"),
      (.iTunesMetadataCoverArt, "itsk/covr", .iTunes, "covr"),
      (.id3MetadataAttachedPicture, "id3/APIC", .id3, "APIC"),
      (.icyMetadataStreamTitle, "icy/StreamTitle", .icy, "StreamTitle"),
      (.init("vorb/ALBUM%20ARTIST"), "vorb/ALBUM%20ARTIST", .init("vorb"), "ALBUM ARTIST"),
    ] as [(AVMetadataIdentifier, String, AVMetadataKeySpace, String)])
  func identifier(identifier: AVMetadataIdentifier, text: String, keySpace: AVMetadataKeySpace, key: String) {
    #expect(identifier.rawValue == text)
    #expect(AVMetadataItem.keySpace(forIdentifier: identifier) == keySpace)
    #expect(AVMetadataItem.key(forIdentifier: identifier) as? NSString == NSString(string: key))
    #expect(AVMetadataItem.identifier(forKey: key, keySpace: keySpace) == identifier)
    #expect(AVMetadataItem.identifier(forKey: AVMetadataKey(key), keySpace: keySpace) == identifier)
  }

  @Test("Text without a slash is not an identifier, and other objects are not keys")
  func noIdentifier() {
    #expect(AVMetadataItem.keySpace(forIdentifier: AVMetadataIdentifier("title")) == nil)
    #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("title")) == nil)
    #expect(AVMetadataItem.identifier(forKey: 5, keySpace: .common) == nil)
    #expect(AVMetadataItem().identifier == nil && AVMetadataItem().value == nil)
  }

  @Test("The values of an item are loaded at once")
  func loading() async throws {
    let item = AVMetadataItem(MetadataFields(.commonIdentifierTitle, .commonKeyTitle, .string("Song")))
    #expect(try await item.load(.stringValue) == "Song")
    let (value, number, data) = try await item.load(.value, .numberValue, .dataValue)
    #expect(value as? NSString == NSString(string: "Song") && number == nil && data == Data("Song".utf8))
    #expect(item.status(of: .stringValue) == .loaded("Song"))
    #expect(unsafe item.statusOfValue(forKey: "value", error: nil) == .loaded)
  }

  @Test("The value of an item is loaded once, by the handler of the program, and its other fields are copied")
  func lateValue() async throws {
    let template = AVMutableMetadataItem()
    template.identifier = .commonIdentifierTitle
    template.value = NSString(string: "Old")
    let requests = EventLog<AVMetadataItemValueRequest>()
    let item = AVMetadataItem(propertiesOf: template) { requests.append($0) }
    #expect(item.identifier == .commonIdentifierTitle && item.value == nil)
    #expect(item.status(of: .stringValue) == .notYetLoaded && item.copy() as? AVMetadataItem === item)
    async let first = item.load(.stringValue)
    async let second = item.load(.dataValue)
    let request = try await requests.first("the request", within: 20) { _ in true }.element
    #expect(request.metadataItem === item && item.status(of: .stringValue) == .loading)
    request.respond(value: NSString(string: "New"))
    request.respond(error: AVError(.unknown))
    let (text, data) = try await (first, second)
    #expect(text == "New" && data == Data("New".utf8))
    #expect(item.stringValue == "New" && item.status(of: .stringValue) == .loaded("New") && requests.count == 1)
  }

  @Test("A value whose request fails, or is released without a response, is an error")
  func failedValue() async {
    let refused = AVMetadataItem(propertiesOf: AVMetadataItem()) { $0.respond(error: AVError(.noSourceTrack)) }
    let ignored = AVMetadataItem(propertiesOf: AVMetadataItem()) { _ in }
    for (item, code) in [(refused, AVError.Code.noSourceTrack), (ignored, .operationCancelled)] {
      await #expect { _ = try await item.load(.value) } throws: { ($0 as NSError).code == code.rawValue }
      #expect(unsafe item.statusOfValue(forKey: "value", error: nil) == .failed)
    }
  }
}
