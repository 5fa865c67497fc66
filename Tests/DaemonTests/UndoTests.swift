import DBus
import Logging
import MPRISService
import Playback
import Synchronization
import Testing

@testable import Playerd

@Suite("Undoing a replacement of the queue") struct UndoTests {
  private let player: Player
  private let opens = OpenQueue()
  private let coordinator: PlaybackCoordinator

  /// An executor that calls no observer, because a decision of the coordinator must not call it again.
  private struct BusyExecutor: ObserverExecutor {
    func run(_ body: @escaping @Sendable () -> Void) {}
  }

  init() {
    let player = ScriptedMedia().makePlayer(Player.Configuration(), observers: BusyExecutor())
    self.player = player
    coordinator = PlaybackCoordinator(player, opens)
  }

  /// Runs `body` while requests are opened; queues come from a playlist.
  private func opening(_ body: (_ open: (OpenRequest) async throws -> Void) async throws -> Void) async throws {
    let executor = QueueExecutor(label: "test.opener")
    let loader = QueueLoader(
      coordinator: coordinator, media: ScriptedMedia(), opens: opens, log: Logger(label: "test"), queue: executor,
      checksPlayability: false, playlist: { Self.playlist }, replaces: { _ in }, title: { $0.uri })
    let work = Task(executorPreference: executor) { await loader.run() }
    let opens = opens
    try await body { request in
      try opens.accept(request)
      await opens.idle()
    }
    work.cancel()
    await work.value
    await player.close()
  }

  private static let playlist: MPRISPlaylist.ID = "/org/playerd/playlist/a"
  private static let uris = (1...3).map { "http://192.0.2.1/\($0).mp3" }

  /// The items, the current one, its position and the requested state.
  private struct State: Equatable {
    var items: [Player.Item]
    var order: [Int]?
    var current: Int?
    var position: Duration
    var transport: Player.Transport
    var rate: Double

    init(_ player: Player) {
      let snapshot = player.snapshot
      (items, order, current) = (player.items, player.playOrder, snapshot.currentIndex)
      (position, transport, rate) = (snapshot.position, snapshot.transport, snapshot.rate)
    }
  }

  /// Selects the second track at 7 s, at another speed.
  private func settle(_ transport: Player.Transport) {
    player.replaceQueue(with: Self.uris.map { Player.Item(uri: $0) }, startingAt: 1)
    player.rate = 1.5
    switch transport {
    case .stopped: break
    case .paused: player.load()
    case .playing: player.play()
    }
    player.seek(to: .seconds(7))
  }

  @Test(
    "Each request that replaces the queue or the current track is undone, and a second undo reverses the first",
    arguments: [OpenRequest.Placement.replace, .now, .add], [Player.Transport.stopped, .paused, .playing])
  func requests(placement: OpenRequest.Placement, transport: Player.Transport) async throws {
    settle(transport)
    let before = State(player)
    try await opening { open in
      var request = OpenRequest(uris: ["http://192.0.2.1/other.mp3"], placement: placement)
      (request.becomesCurrent, request.rate) = (placement == .add, 2)
      try await open(request)
      let after = State(player)
      #expect(after != before && after.transport == .playing)
      #expect(coordinator.undo(of: nil)?.playlist == Self.playlist)
      #expect(State(player) == before)
      #expect(coordinator.undo(of: Self.playlist) != nil)
      #expect(State(player) == after)
      #expect(coordinator.undo(of: nil) != nil)
      #expect(State(player) == before)
    }
  }

  @Test(
    "A cleared queue is restored, also after another one has been opened, and after it was packed",
    arguments: [false, true], [false, true])
  func clear(opensAnother: Bool, isPacked: Bool) async throws {
    settle(.playing)
    let before = State(player)
    try await opening { open in
      coordinator.clear(Self.playlist)
      if isPacked { coordinator.packLastQueue() }
      #expect(player.items.isEmpty && player.snapshot.transport == .stopped)
      if opensAnother { try await open(OpenRequest(uris: ["http://192.0.2.1/other.mp3"])) }
      #expect(coordinator.undo(of: nil)?.playlist == Self.playlist)
      #expect(State(player) == before)
    }
  }

  @Test("A shuffled order is restored, in list order too", arguments: [false, true])
  func shuffled(isShuffled: Bool) async throws {
    player.isShuffled = isShuffled
    settle(.paused)
    let before = State(player)
    try await opening { open in
      var request = OpenRequest(uris: Self.uris)
      request.shuffle = true
      try await open(request)
      _ = coordinator.undo(of: nil)
      #expect(State(player) == before)
      #expect(player.snapshot.isShuffled == isShuffled)
    }
  }

  @Test("Requests that only add to the queue, and a queue without tracks, are not undone")
  func additions() async throws {
    try await opening { open in
      #expect(coordinator.undo(of: nil) == nil)
      coordinator.clear(nil)
      try await open(OpenRequest(uris: Self.uris))
      for placement in [OpenRequest.Placement.append, .next, .add] {
        try await open(OpenRequest(uris: Self.uris, placement: placement))
      }
      #expect(coordinator.undo(of: nil) == nil)
      #expect(player.items.count == 12)
    }
  }

  @Test("An undo cancels the request that replaced the queue")
  func cancelled() async throws {
    settle(.paused)
    let before = State(player)
    coordinator.clear(nil)
    try opens.accept(OpenRequest(uris: Self.uris))
    _ = coordinator.undo(of: nil)
    #expect(opens.read { $0.operations.isEmpty } && State(player) == before)
    await player.close()
  }

  @Test("The items that the configuration does not allow any more are left out, and nothing changes without others")
  func restricted() async throws {
    settle(.paused)
    try await opening { open in
      try await open(OpenRequest(uris: ["http://192.0.2.1/other.mp3"]))
      let after = State(player)
      let rejected = Mutex<[String]>([])
      func undo(allowing allowed: Set<String>) -> QueueState? {
        rejected.withLock { $0 = [] }
        return coordinator.undo(of: nil) { queue in
          queue.restricted(by: { allowed.contains($0) ? nil : "no" }) { uri, _ in rejected.withLock { $0.append(uri) } }
        }
      }
      #expect(undo(allowing: []) == nil)
      #expect(rejected.withLock { $0 } == Self.uris)
      #expect(State(player) == after && coordinator.canUndo)
      #expect(undo(allowing: [Self.uris[0], Self.uris[2]]) != nil)
      #expect(rejected.withLock { $0 } == [Self.uris[1]])
      #expect(player.items.map(\.uri) == [Self.uris[0], Self.uris[2]])
      let snapshot = player.snapshot
      #expect((snapshot.currentIndex, snapshot.position, snapshot.transport) == (1, .zero, .paused))
    }
  }

  @Test(
    "The queue of a session plays only if it would resume",
    arguments: [
      (SavedSession.State.playing, SessionRestorer.Resume.playing, Player.Transport.playing),
      (.playing, .paused, .paused), (.playing, .off, .paused), (.paused, .playing, .paused),
      (.stopped, .playing, .stopped),
    ])
  func session(state: SavedSession.State, resume: SessionRestorer.Resume, transport: Player.Transport) async throws {
    var session = SavedSession(queue: Self.uris, order: [2, 0, 1], rate: 1.25)
    session.place = .init(current: 2, position: 9.5, state: state)
    let queue = try #require(QueueState(session, resume))
    queue.restore(into: player)
    #expect(player.items.map(\.uri) == Self.uris && player.playOrder == [2, 0, 1])
    let snapshot = player.snapshot
    #expect((snapshot.currentIndex, snapshot.transport, snapshot.rate) == (2, transport, 1.25))
    #expect(snapshot.position == (transport == .stopped ? .zero : .seconds(9.5)))
    #expect(QueueState(SavedSession(), resume) == nil)
    await player.close()
  }
}
