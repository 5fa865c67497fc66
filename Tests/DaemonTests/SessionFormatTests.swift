import Playback
import Testing

@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Format of the session file")
struct SessionFormatTests {
  private static let session = SavedSession(
    queue: ["file:///a b.flac", "https://example.org/ü?x=\"1\"", "file:///a b.flac"], order: [2, 0, 1],
    place: .init(current: 1, position: 12.345678, state: .playing), loop: .playlist, volume: 0.25, rate: 1.5)

  private static func decode(_ bytes: [UInt8], place: [UInt8]? = nil) -> Result<SavedSession, FileFailure> {
    Result { () throws(FileFailure) in try SessionFormat.decode(bytes, place: place) }
  }

  @Test("Decoding returns the encoded session, in list order and in shuffled order")
  func roundTrip() {
    for order in [nil, [2, 0, 1]] as [[Int]?] {
      var session = Self.session
      for keepsAlbums in [false, true] {
        (session.order, session.keepsAlbums) = (order, keepsAlbums)
        #expect(Self.decode(SessionFormat.encode(session, generation: 7)) == .success(session))
      }
    }
    let empty = SavedSession()
    #expect(Self.decode(SessionFormat.encode(empty, generation: 0)) == .success(empty))
  }

  @Test("Details of items are kept to the nanosecond; a file without details is valid")
  func details() throws {
    var externalMetadata = Player.Item.ExternalMetadata()
    externalMetadata.title = "Two"
    externalMetadata.artist = "A Guest"
    externalMetadata.album = "The Album"
    externalMetadata.albumArtist = "The Band"
    externalMetadata.genre = "Folk"
    externalMetadata.date = "1999"
    externalMetadata.trackNumber = 2
    externalMetadata.duration = .milliseconds(1500)
    externalMetadata.image = "file:///cover.png"
    let items = [
      Player.Item(uri: "file:///a"),
      Player.Item(uri: "file:///b", externalMetadata: nil, end: .nanoseconds(1_013_333_334)),
      Player.Item(uri: "file:///b", externalMetadata: externalMetadata, start: .nanoseconds(1_013_333_334)),
    ]
    var session = Self.session
    session.details = items.enumerated().compactMap { SavedSession.Detail($1, at: $0) }
    #expect(session.details.map(\.index) == [1, 2])
    session.queue = items.map(\.uri)
    let restored = try Self.decode(SessionFormat.encode(session, generation: 0)).get().items
    #expect(restored.map(\.uri) == items.map(\.uri))
    #expect(restored.map(\.externalMetadata) == items.map(\.externalMetadata))
    #expect(restored.map(\.start) == items.map(\.start))
    #expect(restored.map(\.end) == items.map(\.end))
    session.details = []
    let text = String(decoding: SessionFormat.encode(session, generation: 0), as: UTF8.self)
    #expect(!text.contains("details"))
    #expect(try Self.decode(Array(text.utf8)).get() == session)
  }

  @Test("A newer file of the current position applies if it has the same generation and is not damaged")
  func places() throws {
    let whole = SessionFormat.encode(Self.session, generation: 7)
    let later = SavedSession.Playback(current: 2, position: 99, state: .paused)
    let cases = [
      (SessionFormat.encode(later, generation: 7), later),
      (SessionFormat.encode(later, generation: 8), Self.session.place), (Array("{".utf8), Self.session.place),
    ]
    for (place, expected) in cases {
      let read = try Self.decode(whole, place: place).get()
      #expect(read.place == expected)
    }
  }

  @Test("Values out of range are clamped")
  func ranges() throws {
    var session = Self.session
    session.place = .init(current: 99, position: -1, state: .paused)
    session.volume = 99
    session.rate = 0
    let read = try Self.decode(SessionFormat.encode(session, generation: 0)).get()
    #expect(read.place == .init(current: 2, position: 0, state: .paused))
    #expect(read.volume == 10)
    #expect(read.rate == 0.25)
    session.place.position = 2e9
    #expect(try Self.decode(SessionFormat.encode(session, generation: 0)).get().place.position == 1e9)
  }

  @Test(
    "A file with a number that is too large is reported as damaged",
    arguments: [#""volume":1"#, #""rate":1"#, #""position":0"#])
  func largeNumbers(field: String) throws {
    let text = String(decoding: SessionFormat.encode(SavedSession(), generation: 7), as: UTF8.self)
    for number in ["1e999", "-1e999"] {
      let changed = text.replacing(field, with: field.dropLast() + number)
      try #require(changed != text)
      #expect(Self.decode(Array(changed.utf8)) == .failure(FileFailure("not a session in JSON")), "\(changed)")
    }
  }

  @Test("The keys are sorted, and the slashes of a URI are not escaped")
  func text() {
    let text = String(decoding: SessionFormat.encode(SavedSession(queue: ["file:///a"]), generation: 7), as: UTF8.self)
    #expect(
      text == """
        {"generation":7,"loop":"none","place":{"current":0,"position":0,"state":"stopped"},"queue":["file:///a"],\
        "rate":1,"version":1,"volume":1}

        """)
  }

  @Test("A newer version is distinguished from a damaged file")
  func faults() {
    #expect(Self.decode(Array("{\"version\": 2, \"list\": []}".utf8)) == .failure(FileFailure("unsupported version 2")))
    for text in ["", "{", "[]", "{}", "{\"version\": 1}", "{\"version\": \"1\"}", "\u{0}\u{ff}", "null"] {
      #expect(Self.decode(Array(text.utf8)) == .failure(FileFailure("not a session in JSON")), "\(text)")
    }
  }

  @Test("A session that is truncated at any byte is reported as damaged")
  func truncated() {
    let whole = SessionFormat.encode(Self.session, generation: 7)
    for length in 0..<(whole.count - 2) {
      if case .success = Self.decode(Array(whole[..<length])) { Issue.record("\(length) bytes were read") }
    }
  }
}
