import GstPlayer
import Logging

/// Turns what is asked to be opened into queue items; folders, playlists and servers are read here, off the bus and the
/// pipeline.
///
/// Requests are opened in their order, but for two that show that their user has changed his mind: what replaces the
/// queue ends whatever is still being opened, and what is to be heard now does not wait, and ends what has brought
/// nothing yet.
struct Opener: Sendable {
  let player: Player
  let progress: OpenProgress
  let log: Logger
  let executor: QueueExecutor
  /// Called when the queue is about to be made anew from URIs.
  let replaces: @Sendable ([String]) -> Void
  /// Called when nothing came of what should have made the queue anew.
  let foundNothing: @Sendable () -> Void

  /// Opens requests until the stream ends or the task is cancelled.
  func run(_ requests: AsyncStream<OpenRequest>) async {
    var open: [(turn: OpenTurn, task: Task<Void, Never>)] = []
    for await request in requests {
      apply(request)
      open.removeAll { $0.turn.isOver }
      switch request.placement {
      case .replace where !request.uris.isEmpty: for older in open { older.turn.cancel() }
      case .now: for older in open { older.turn.cancelUnlessBegun() }
      default: break
      }
      for older in open where older.turn.isCancelled { older.task.cancel() }
      let older = request.placement == .now ? [] : open.map(\.task)
      let turn = OpenTurn()
      // Owned by `open`, and awaited below.
      let task = Task(executorPreference: executor) {
        for task in older { await task.value }
        await self.open(request, turn)
        turn.end()
        progress.finish()
      }
      open.append((turn, task))
    }
    for (turn, task) in open {
      turn.cancel()
      task.cancel()
    }
    for (_, task) in open { await task.value }
  }

  private func apply(_ request: OpenRequest) {
    if let volume = request.volume { player.setVolume(VolumeScale.linear(fromCubic: volume)) }
    if let rate = request.rate { player.setRate(rate) }
    if let loop = request.loop { player.setLoop(loop) }
    if let shuffle = request.shuffle { player.setShuffled(shuffle) }
  }

  private func open(_ request: OpenRequest, _ turn: OpenTurn) async {
    let isReplacing = request.placement == .replace && !request.uris.isEmpty
    if isReplacing, !turn.isCancelled { replaces(request.uris) }
    var expansion = Expansion(
      into: Insertion(player: player, request: request, progress: progress, turn: turn), policy: request.policy,
      log: log
    )
    for uri in request.uris { await expansion.open(uri) }
    expansion.flush()
    if isReplacing, !expansion.insertion.hasBegun, turn.begin() {
      player.replaceQueue(with: [])
      foundNothing()
    }
    if expansion.insertion.isFull { log.warning("the queue is full at a million tracks; the rest is left out") }
  }
}
