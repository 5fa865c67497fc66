import GstPlayer
import Testing

@testable import mpris_playerd

@Suite("The session's format")
struct SessionFormatTests {
  private static let session = Session(
    queue: ["file:///a b.flac", "https://example.org/ü?x=\"1\"", "file:///a b.flac"], order: [2, 0, 1],
    place: .init(current: 1, position: 12.345678, state: .playing), loop: .playlist, volume: 0.25, rate: 1.5)

  private static func decode(_ bytes: [UInt8], place: [UInt8]? = nil) -> Result<Session, SessionFormat.Fault> {
    Result { () throws(SessionFormat.Fault) in try SessionFormat.decode(bytes, place: place) }
  }

  @Test("What is written is read again, in either order of play")
  func roundTrip() {
    for order in [nil, [2, 0, 1]] as [[Int]?] {
      var session = Self.session
      session.order = order
      #expect(Self.decode(SessionFormat.encode(session, generation: 7)) == .success(session))
    }
    let empty = Session()
    #expect(Self.decode(SessionFormat.encode(empty, generation: 0)) == .success(empty))
  }

  @Test("What is known of items is kept with them, to the nanosecond; a file without it is read as before")
  func details() throws {
    var hints = ItemHints()
    hints.title = "Two"
    hints.artist = "A Guest"
    hints.album = "The Album"
    hints.albumArtist = "The Band"
    hints.genre = "Folk"
    hints.date = "1999"
    hints.trackNumber = 2
    hints.duration = .milliseconds(1500)
    hints.image = "file:///cover.png"
    let items = [
      PlayerItem(uri: "file:///a"),
      PlayerItem(uri: "file:///b", hints: nil, end: .nanoseconds(1_013_333_334)),
      PlayerItem(uri: "file:///b", hints: hints, start: .nanoseconds(1_013_333_334)),
    ]
    var session = Self.session
    session.details = items.enumerated().compactMap { Session.Detail($1, at: $0) }
    #expect(session.details.map(\.index) == [1, 2])
    session.queue = items.map(\.uri)
    let restored = try Self.decode(SessionFormat.encode(session, generation: 0)).get().items
    #expect(restored.map(\.uri) == items.map(\.uri))
    #expect(restored.map(\.hints) == items.map(\.hints))
    #expect(restored.map(\.start) == items.map(\.start))
    #expect(restored.map(\.end) == items.map(\.end))
    session.details = []
    let text = String(decoding: SessionFormat.encode(session, generation: 0), as: UTF8.self)
    #expect(!text.contains("details"))
    #expect(try Self.decode(Array(text.utf8)).get() == session)
  }

  @Test("A later place of the same writing counts, one of another writing or a damaged one does not")
  func places() throws {
    let whole = SessionFormat.encode(Self.session, generation: 7)
    let later = Session.Place(current: 2, position: 99, state: .paused)
    let cases = [
      (SessionFormat.encode(later, generation: 7), later),
      (SessionFormat.encode(later, generation: 8), Self.session.place), (Array("{".utf8), Self.session.place),
    ]
    for (place, expected) in cases {
      let read = try Self.decode(whole, place: place).get()
      #expect(read.place == expected)
    }
  }

  @Test("What is out of range is brought into it")
  func ranges() throws {
    var session = Self.session
    session.place = .init(current: 99, position: -1, state: .paused)
    session.volume = 99
    session.rate = 0
    let read = try Self.decode(SessionFormat.encode(session, generation: 0)).get()
    #expect(read.place == .init(current: 2, position: 0, state: .paused))
    #expect(read.volume == 10)
    #expect(read.rate == 0.25)
  }

  @Test("A newer version is told from a damaged file")
  func faults() {
    #expect(Self.decode(Array("{\"version\": 2, \"list\": []}".utf8)) == .failure(.newer(version: 2)))
    for text in ["", "{", "[]", "{}", "{\"version\": 1}", "{\"version\": \"1\"}", "\u{0}\u{ff}", "null"] {
      guard case .failure(.damaged) = Self.decode(Array(text.utf8)) else {
        Issue.record("“\(text)” was read")
        continue
      }
    }
  }

  @Test("Cut off at any byte, a session is damaged and nothing worse")
  func truncated() {
    let whole = SessionFormat.encode(Self.session, generation: 7)
    for length in 0..<(whole.count - 2) {
      if case .success = Self.decode(Array(whole[..<length])) { Issue.record("\(length) bytes were read") }
    }
  }
}
