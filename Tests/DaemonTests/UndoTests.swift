import DBus
import Logging
import MPRISService
import Playback
import Synchronization
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Undoing edits of the queue") struct UndoTests {
  let player: Player
  let opens = OpenQueue()
  let coordinator: PlaybackCoordinator

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

  /// Reverses an edit; nil if that is not possible.
  @discardableResult
  func reverse(_ step: EditHistory.Step, of playlist: MPRISPlaylist.ID? = nil) -> PlaybackCoordinator.Reversal? {
    guard case .done(let reversal) = coordinator.reverse(step, of: playlist) else { return nil }
    return reversal
  }

  private static let playlist: MPRISPlaylist.ID = "/org/playerd/playlist/a"
  static let uris = (1...3).map { "http://192.0.2.1/\($0).mp3" }

  /// The items, the current one, its position and the requested state.
  struct State: Equatable {
    var items: [Player.Item]
    var order: [Int]?
    var shuffle: Player.ShuffleMode
    var current: Int?
    var position: Duration
    var transport: Player.Transport
    var rate: Double

    init(_ player: Player) {
      let snapshot = player.snapshot
      (items, order, current) = (player.items, player.playOrder, snapshot.currentIndex)
      shuffle = snapshot.shuffleMode
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
    "Each request that replaces the queue or the current track is undone, and a redo repeats it",
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
      #expect(reverse(.undo)?.playlist == Self.playlist)
      #expect(State(player) == before)
      #expect(reverse(.undo) == nil)
      #expect(reverse(.redo, of: Self.playlist)?.kind == (placement == .replace ? .replace : .add))
      #expect(State(player) == after)
      #expect(reverse(.redo) == nil)
      #expect(reverse(.undo) != nil)
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
      if isPacked { for items in coordinator.history.withLock({ $0 }).items { items.pack() } }
      #expect(player.items.isEmpty && player.snapshot.transport == .stopped)
      if opensAnother {
        try await open(OpenRequest(uris: ["http://192.0.2.1/other.mp3"]))
        #expect(reverse(.undo)?.items.map(\.uri) == ["http://192.0.2.1/other.mp3"])
        #expect(player.items.isEmpty && player.snapshot.transport == .stopped)
      }
      #expect(reverse(.undo)?.playlist == Self.playlist)
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
      reverse(.undo)
      #expect(State(player) == before)
      #expect(player.snapshot.isShuffled == isShuffled)
    }
  }

  @Test("Additions are undone one after another, and playback continues", arguments: [false, true])
  func additions(isShuffled: Bool) async throws {
    player.isShuffled = isShuffled
    settle(.playing)
    try await opening { open in
      #expect(reverse(.undo) == nil)
      var states = [State(player)]
      for placement in [OpenRequest.Placement.append, .next, .add, .append] {
        try await open(OpenRequest(uris: Self.uris, placement: placement))
        states.append(State(player))
      }
      #expect(player.items.count == 15)
      for state in states.dropLast().reversed() {
        #expect(reverse(.undo)?.items.count == 3)
        #expect(State(player) == state)
      }
      for state in states.dropFirst() {
        #expect(reverse(.redo)?.kind == .add)
        #expect(State(player) == state)
      }
    }
  }

  @Test("Opening items at the start is not an edit, and opening items later is an edit")
  func start() async throws {
    try await opening { open in
      var request = OpenRequest(uris: Self.uris)
      request.isStart = true
      try await open(request)
      #expect(player.items.count == 3 && reverse(.undo) == nil)
      try await open(OpenRequest(uris: Self.uris, placement: .append))
      reverse(.undo)
      #expect(player.items.count == 3 && reverse(.undo) == nil)
    }
  }

  @Test("The items of a start replace the last session, which is restored")
  func startAfterSession() async throws {
    try await opening { open in
      coordinator.keep(try #require(QueueState(SavedSession(queue: ["file:///old"]), .paused)))
      var request = OpenRequest(uris: Self.uris)
      request.isStart = true
      try await open(request)
      #expect(reverse(.undo)?.items.count == 1 && player.items.map(\.uri) == ["file:///old"])
      reverse(.redo)
      #expect(player.items.map(\.uri) == Self.uris)
    }
  }

  @Test("An undo cancels the request that replaced the queue")
  func cancelled() async throws {
    settle(.paused)
    let before = State(player)
    coordinator.clear(nil)
    try opens.accept(OpenRequest(uris: Self.uris))
    reverse(.undo)
    #expect(opens.read { $0.operations.isEmpty } && State(player) == before)
    await player.close()
  }

  @Test("The items that the configuration does not allow any more are left out, and nothing changes without others")
  func restricted() async throws {
    settle(.paused)
    try await opening { open in
      try await open(OpenRequest(uris: ["http://192.0.2.1/other.mp3"]))
      let after = State(player)
      func undo(allowing allowed: Set<String>) -> PlaybackCoordinator.ReversalOutcome {
        coordinator.reverse(.undo, of: nil, unless: { !allowed.contains($0.uri) })
      }
      guard case .notAllowed = undo(allowing: []) else { throw CancellationError() }
      #expect(State(player) == after)
      guard case .done(let reversal) = undo(allowing: [Self.uris[0], Self.uris[2]]) else { throw CancellationError() }
      #expect(reversal.items == player.items)
      #expect(player.items.map(\.uri) == [Self.uris[0], Self.uris[2]])
      let snapshot = player.snapshot
      #expect((snapshot.currentIndex, snapshot.position, snapshot.transport) == (1, .zero, .paused))
    }
  }

  @Test(
    "The queue of a session plays only if it would resume",
    arguments: [
      (SavedSession.State.playing, ResumeChoice.playing, Player.Transport.playing),
      (.playing, .paused, .paused), (.playing, .off, .paused), (.paused, .playing, .paused),
      (.stopped, .playing, .stopped),
    ])
  func session(state: SavedSession.State, resume: ResumeChoice, transport: Player.Transport) async throws {
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
