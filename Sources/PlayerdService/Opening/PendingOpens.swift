import Playback

/// The unfinished open requests and their intended playback states.
///
/// A pure value without a player: its input is commands and progress, its output is cancellations. The newest command
/// of any client wins: it changes the intended state of the requests, or cancels those that would become current.
struct PendingOpens: Sendable {
  /// The identity of an accepted request.
  struct ID: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  /// The playback state that a client has requested.
  enum Intent: Hashable, Sendable { case playing, paused }

  /// The progress of a request.
  enum Phase: Hashable, Sendable {
    /// The queue contains no item of the request.
    case resolving
    /// Some of the request's items are in the queue, and more may follow.
    case inserting
    /// The queue has ended, and more of the request's items may follow.
    case starved
  }

  /// An unfinished request.
  struct Operation: Hashable, Sendable {
    let id: ID
    fileprivate let takeover: OpenRequest.Takeover
    fileprivate(set) var intent: Intent
    fileprivate(set) var phase = Phase.resolving
  }

  /// The state of the player that decisions depend on.
  struct PlayerView: Hashable, Sendable {
    var transport = Player.Transport.stopped
    var isQueueEmpty = true
  }

  /// The requests in the order of acceptance.
  private(set) var operations: [Operation] = []
  private var lastNumber: UInt64 = 0
  private var cancelled: [ID] = []
  /// Whether a pause has paused the player while a request was pending; a play then resumes the player.
  private var hasPausedPlayer = false
  private var lastTransport = Player.Transport.stopped

  // MARK: State

  func contains(_ id: ID) -> Bool { operations.contains { $0.id == id } }

  /// Returns the intended state for a request's first or next item; nil if no request becomes current.
  func intent(_ player: PlayerView) -> Intent? {
    let certain = operations.last { $0.takesOver(PlayerView(transport: player.transport, isQueueEmpty: false)) }
    return (certain ?? operations.first { $0.takesOver(player) })?.intent
  }

  /// Returns the state for clients: `playing` if the player plays, else the state of a request, else the player's.
  func status(_ player: PlayerView) -> Player.Transport {
    guard player.transport != .playing else { return .playing }
    switch intent(player) {
    case .playing: return .playing
    case .paused: return .paused
    case nil: return player.transport
    }
  }

  // MARK: Progress

  /// Accepts a request.
  ///
  /// A request that replaces the queue cancels all others. A request that becomes current in another way cancels those
  /// that would become current and have not inserted any item yet.
  mutating func add(_ request: OpenRequest) -> ID {
    if request.takeover == .always {
      cancel { request.placement == .replace || $0.takeover == .always && $0.phase == .resolving }
    }
    lastNumber += 1
    let id = ID(number: lastNumber)
    operations.append(
      Operation(id: id, takeover: request.takeover, intent: request.startsPaused ? .paused : .playing))
    return id
  }

  /// Records that items of a request are inserted.
  ///
  /// - Returns: The intended state for the first of these items; nil if playback continues unchanged.
  mutating func insert(_ id: ID) -> Intent? {
    guard let index = operations.firstIndex(where: { $0.id == id }) else { return nil }
    guard operations[index].phase != .inserting else { return nil }
    if operations[index].takeover == .always || operations[index].phase == .starved { endStarvation() }
    operations[index].phase = .inserting
    return operations[index].intent
  }

  /// Records that the queue has ended; playback resumes with the next items of requests that are still being inserted.
  mutating func queueEnded() {
    for index in operations.indices where operations[index].phase == .inserting { operations[index].phase = .starved }
  }

  /// Removes a request after the insertion of its last item, or if it is empty.
  mutating func finish(_ id: ID) { operations.removeAll { $0.id == id } }

  /// Follows state changes of the player without a command.
  ///
  /// If the player pauses because its output device is removed, the pending requests start paused.
  mutating func follow(_ player: PlayerView) {
    defer { lastTransport = player.transport }
    guard lastTransport == .playing, player.transport == .paused else { return }
    hasPausedPlayer = intent(player) != nil
    setIntent(.paused)
  }

  /// Records the state of the player after a command.
  mutating func commanded(_ player: PlayerView) { lastTransport = player.transport }

  // MARK: Commands

  /// Sets the intended state of all requests to `playing`.
  ///
  /// - Returns: Whether the player must play as well: if no request becomes current, or if the player was paused after
  ///   the request was accepted.
  mutating func play(_ player: PlayerView) -> Bool {
    let isPending = intent(player) != nil
    setIntent(.playing)
    guard isPending else { return true }
    defer { hasPausedPlayer = false }
    return hasPausedPlayer && player.transport == .paused
  }

  /// Sets the intended state of all requests to `paused`: they load their items without playing them.
  ///
  /// This includes the requests that become current only if the present one fails.
  mutating func pause(_ player: PlayerView) {
    let status = status(player)
    guard status != .stopped else { return }
    if status == .playing { hasPausedPlayer = player.transport == .playing && intent(player) != nil }
    setIntent(.paused)
  }

  /// Cancels the requests that would become current, because another item becomes current or playback stops.
  ///
  /// - Returns: Their intended state.
  @discardableResult
  mutating func supersede(_ player: PlayerView) -> Intent? {
    let intent = intent(player)
    cancel { $0.phase == .resolving && $0.takesOver(player) }
    endStarvation()
    return intent
  }

  /// Cancels all requests; the items that they have inserted stay.
  mutating func cancelAll() { cancel { _ in true } }

  /// Returns the requests cancelled since the last call.
  mutating func takeCancelled() -> [ID] {
    defer { cancelled = [] }
    return cancelled
  }

  private mutating func setIntent(_ intent: Intent) {
    for index in operations.indices { operations[index].intent = intent }
  }

  private mutating func endStarvation() {
    for index in operations.indices where operations[index].phase == .starved { operations[index].phase = .inserting }
  }

  private mutating func cancel(where isObsolete: (Operation) -> Bool) {
    cancelled += operations.filter(isObsolete).map(\.id)
    operations.removeAll(where: isObsolete)
  }
}

extension PendingOpens.Operation {
  /// Whether the request's next item becomes the current one.
  fileprivate func takesOver(_ player: PendingOpens.PlayerView) -> Bool {
    switch (phase, takeover) {
    case (.starved, _), (.resolving, .always): true
    case (.resolving, .intoEmptyQueue): player.isQueueEmpty
    case (.inserting, _), (.resolving, .never): false
    }
  }
}

extension PendingOpens.PlayerView {
  init(_ snapshot: Player.Snapshot) {
    self.init(transport: snapshot.transport, isQueueEmpty: snapshot.currentItem == nil)
  }
}
