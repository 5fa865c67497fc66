import Playback
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdStorage

@Suite("Restoring of the session")
struct SessionRestorerTests {
  private static let session = SavedSession(
    queue: ["file:///0", "file:///1", "file:///2"], order: [2, 1, 0],
    place: .init(current: 1, position: 12.5, state: .playing))

  private static func restored(
    _ session: SavedSession, _ resume: ResumeChoice, isShuffled: Bool = false
  ) -> Player {
    let player = SessionHarness("").player
    player.isShuffled = isShuffled
    SessionRestorer(resume: resume).restore(session, into: player)
    return player
  }

  @Test("The resume mode and the saved state determine the playback state and the position")
  func resume() {
    let cases: [(ResumeChoice, SavedSession.State, Player.Transport, Duration)] = [
      (.paused, .playing, .paused, .seconds(12.5)), (.paused, .paused, .paused, .seconds(12.5)),
      (.paused, .stopped, .stopped, .zero), (.playing, .playing, .playing, .seconds(12.5)),
      (.playing, .paused, .paused, .seconds(12.5)), (.playing, .stopped, .stopped, .zero),
      (.off, .playing, .stopped, .zero), (.off, .paused, .stopped, .zero),
    ]
    for (resume, state, transport, position) in cases {
      var session = Self.session
      session.place.state = state
      let player = Self.restored(session, resume)
      #expect(player.items.map(\.uri) == session.queue)
      #expect(player.snapshot.currentIndex == 1)
      #expect((player.snapshot.transport, player.snapshot.position) == (transport, position), "\(resume), \(state)")
    }
  }

  @Test(
    "Items that the configuration does not allow are left out, and the rest keeps its order and its current track",
    arguments: [
      (["file:///0"], ["file:///1", "file:///2"], [1, 0], 0, 12.5),
      (["file:///1"], ["file:///0", "file:///2"], [1, 0], 1, 0),
      (["file:///2"], ["file:///0", "file:///1"], [1, 0], 1, 12.5),
      (["file:///0", "file:///1", "file:///2"], [], [], 0, 0),
      ([], ["file:///0", "file:///1", "file:///2"], [2, 1, 0], 1, 12.5),
    ] as [([String], [String], [Int], Int, Double)])
  func restricted(denied: [String], queue: [String], order: [Int], current: Int, position: Double) {
    var session = Self.session
    session.details = [SavedSession.Detail(index: 2, title: "Two")]
    var rejected: [String] = []
    let rest = session.restricted(by: { denied.contains($0) ? "denied" : nil }) { uri, _ in rejected.append(uri) }
    #expect((rest.queue, rest.order, rejected) == (queue, order, denied))
    #expect((rest.place.current, rest.place.position) == (current, position))
    #expect(rest.details.map { rest.queue[$0.index] } == (denied.contains("file:///2") ? [] : ["file:///2"]))
  }

  @Test("The user agent and the referrer of an item are saved and restored")
  func headers() throws {
    let headers = try HTTPRequestHeaders(["Referer": "http://a/"], userAgent: "Radio/1")
    let detail = try #require(SavedSession.Detail(Player.Item(uri: "http://a/b", httpHeaders: headers), at: 0))
    let session = SavedSession(queue: ["http://a/b"], details: [detail])
    let decoded = try SessionFormat.decode(SessionFormat.encode(session, generation: 1), place: nil)
    #expect(decoded.items.first?.httpHeaders == headers)
  }

  @Test("A position within the first second is restored")
  func firstSecond() {
    var session = Self.session
    session.place.position = 0.5
    #expect(Self.restored(session, .paused).snapshot.position == .milliseconds(500))
  }

  @Test("The order is restored only if the player is shuffled")
  func order() {
    #expect(Self.restored(Self.session, .paused, isShuffled: true).playOrder == [2, 1, 0])
    #expect(Self.restored(Self.session, .paused).playOrder == nil)
  }

  @Test("An empty session leaves the player as it is")
  func empty() {
    let player = SessionHarness("").player
    player.append(contentsOf: [Player.Item(uri: "file:///0")])
    SessionRestorer(resume: .playing).restore(SavedSession(), into: player)
    #expect(player.items.count == 1)
    #expect(player.snapshot.transport == .stopped)
  }

  @Test("A session without a file is absent; a damaged or newer one is renamed with a warning")
  func unreadable() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      #expect(harness.store.load() == nil)
      #expect(harness.store.peek() == nil)
      #expect(harness.lines.count == 0)
      let cases = [
        ("{", "not a session in JSON"), (#"{"version":2}"#, "unsupported version 2"),
      ]
      for (text, reason) in cases {
        try directory.write(text, to: "session.json")
        #expect(harness.store.peek() == nil)
        #expect(harness.file("session.json") == Array(text.utf8))
        #expect(harness.store.load() == nil)
        #expect(harness.file("session.json") == nil)
        #expect(harness.file("session.json.damaged") == Array(text.utf8))
        let line = try #require(harness.lines.elements.last)
        #expect(line == "\(directory.path)/session.json: \(reason); renamed to session.json.damaged")
      }
      #expect(harness.lines.count == 2)
    }
  }

  @Test("A position belongs to the session that was saved before it")
  func generations() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      var store = harness.store
      let isSaved = store.save(Self.session)
      #expect(isSaved)
      store.save(SavedSession.Playback(current: 2, position: 3, state: .paused))
      #expect(harness.store.load()?.place == .init(current: 2, position: 3, state: .paused))
      let isSavedAgain = store.save(Self.session)
      #expect(isSavedAgain)
      #expect(harness.store.load()?.place == Self.session.place)
    }
  }

  @Test("A position file of more than 64 KiB is ignored")
  func largePosition() async throws {
    try await withTemporaryDirectory { directory in
      let store = SessionHarness(directory.path).store
      let later = SavedSession.Playback(current: 2, position: 3, state: .paused)
      for (padding, expected) in [(0, later), (1 << 16, Self.session.place)] {
        try directory.write(SessionFormat.encode(Self.session, generation: 7), to: "session.json")
        let bytes = SessionFormat.encode(later, generation: 7) + [UInt8](repeating: UInt8(ascii: " "), count: padding)
        try directory.write(bytes, to: "session-place.json")
        #expect(store.peek()?.place == expected)
        #expect(store.load()?.place == expected)
      }
    }
  }
}
