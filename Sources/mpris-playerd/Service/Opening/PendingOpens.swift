import GstPlayer

/// The open requests that are not finished, and the playback state that each of them is to bring about.
///
/// A value without a player: commands and progress in, cancellations out. The newest command of a client holds: it
/// changes the state that the requests bring about, or cancels those that were to become current.
struct PendingOpens: Sendable {
  /// Identifies an accepted request.
  struct ID: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  /// The playback state that a client has asked for.
  enum Intent: Hashable, Sendable { case playing, paused }

  /// The progress of a request.
  enum Phase: Hashable, Sendable {
    /// None of its items is in the queue.
    case resolving
    /// Some of its items are in the queue, and more may follow.
    case inserting
    /// The queue has ended, and more of its items may follow.
    case starved
  }

  /// A request that is not finished.
  struct Operation: Hashable, Sendable {
    let id: ID
    fileprivate let takeover: OpenRequest.Takeover
    fileprivate(set) var intent: Intent
    fileprivate(set) var phase = Phase.resolving
  }

  /// The part of a player's state that decisions depend on.
  struct PlayerView: Hashable, Sendable {
    var transport = Player.Transport.stopped
    var isQueueEmpty = true
  }

  /// The requests in the order in which they were accepted.
  private(set) var operations: [Operation] = []
  private var lastNumber: UInt64 = 0
  private var cancelled: [ID] = []
  /// Whether a pause has paused the player while a request was pending; a play resumes the player then.
  private var hasPausedPlayer = false
  private var lastTransport = Player.Transport.stopped

  // MARK: State

  func contains(_ id: ID) -> Bool { operations.contains { $0.id == id } }

  /// Returns the state that a request is to bring about by its first or next item; nil when none is to become current.
  func intent(_ player: PlayerView) -> Intent? {
    let certain = operations.last { $0.takesOver(PlayerView(transport: player.transport, isQueueEmpty: false)) }
    return (certain ?? operations.first { $0.takesOver(player) })?.intent
  }

  /// Returns the state that clients see: that of a player that plays, else that of a request, else the player's.
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
  /// One that replaces the queue cancels all others. One that becomes current in another way cancels those that were to
  /// become current and have brought no item yet.
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

  /// Notes that items of a request are inserted.
  ///
  /// - Returns: The state to bring about with the first of these items; nil when playback continues as it is.
  mutating func insert(_ id: ID) -> Intent? {
    guard let index = operations.firstIndex(where: { $0.id == id }) else { return nil }
    guard operations[index].phase != .inserting else { return nil }
    if operations[index].takeover == .always || operations[index].phase == .starved { endStarvation() }
    operations[index].phase = .inserting
    return operations[index].intent
  }

  /// Notes that the queue has ended; playback resumes with the next items of requests that are still being inserted.
  mutating func queueEnded() {
    for index in operations.indices where operations[index].phase == .inserting { operations[index].phase = .starved }
  }

  /// Removes a request, with all its items inserted or none found.
  mutating func finish(_ id: ID) { operations.removeAll { $0.id == id } }

  /// Follows what the player does without a command: when it pauses because its output device is removed, what is
  /// pending comes in paused.
  mutating func follow(_ player: PlayerView) {
    defer { lastTransport = player.transport }
    guard lastTransport == .playing, player.transport == .paused else { return }
    hasPausedPlayer = intent(player) != nil
    setIntent(.paused)
  }

  /// Notes the state that a command has brought the player to.
  mutating func commanded(_ player: PlayerView) { lastTransport = player.transport }

  // MARK: Commands

  /// Has requests play.
  ///
  /// - Returns: Whether the player is to play as well: when no request is to become current, or when it was paused since
  ///   the request was accepted.
  mutating func play(_ player: PlayerView) -> Bool {
    let isPending = intent(player) != nil
    setIntent(.playing)
    guard isPending else { return true }
    defer { hasPausedPlayer = false }
    return hasPausedPlayer && player.transport == .paused
  }

  /// Has requests load their items without playing them.
  mutating func pause(_ player: PlayerView) {
    guard status(player) == .playing else { return }
    hasPausedPlayer = player.transport == .playing && intent(player) != nil
    setIntent(.paused)
  }

  /// Cancels the requests that were to become current, because something else becomes current or playback stops.
  ///
  /// - Returns: The state that they were to bring about.
  @discardableResult
  mutating func supersede(_ player: PlayerView) -> Intent? {
    let intent = intent(player)
    cancel { $0.phase == .resolving && $0.takesOver(player) }
    endStarvation()
    return intent
  }

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
  /// Whether its next item becomes the current one.
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
