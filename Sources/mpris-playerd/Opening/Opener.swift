import GstPlayer
import Logging

/// Turns what is asked to be opened into queue items; folders, playlists and servers are read here, off the bus and the
/// pipeline.
///
/// Requests are opened in their order. One that becomes current whatever the queue holds does not wait for others.
struct Opener: Sendable {
  let coordinator: PlaybackCoordinator
  let opens: OpenQueue
  let log: Logger
  let executor: QueueExecutor
  /// How long a server may take to send a playlist.
  var listTimeout = Expansion.listTimeout
  /// Called when the queue is about to be made anew from URIs.
  let replaces: @Sendable ([String]) -> Void
  /// Called when a request to replace the queue has found no item; the queue stays as it was.
  let foundNothing: @Sendable () -> Void

  /// Opens requests until the task is cancelled.
  func run() async {
    for await operation in opens.operations {
      apply(operation.request)
      let older = operation.request.takeover == .always ? [] : opens.pendingTasks
      // Owned by the queue of requests, and awaited below.
      let task = Task(executorPreference: executor) {
        for task in older { await task.value }
        await open(operation)
        opens.finish(operation.id)
      }
      opens.start(operation.id, task)
    }
    await opens.cancelAll()
  }

  private func apply(_ request: OpenRequest) {
    let player = coordinator.player
    if let volume = request.volume { player.setVolume(VolumeScale.linear(fromCubic: volume)) }
    if let rate = request.rate { player.setRate(rate) }
    if let loop = request.loop { player.setLoop(loop) }
    if let shuffle = request.shuffle { player.setShuffled(shuffle) }
  }

  private func open(_ operation: OpenQueue.Operation) async {
    let request = operation.request
    var expansion = Expansion(
      into: Insertion(operation, into: coordinator, replaces: replaces), policy: request.policy, log: log,
      listTimeout: listTimeout)
    for uri in request.uris { await expansion.open(uri) }
    expansion.flush()
    if request.placement == .replace, !request.uris.isEmpty, !expansion.insertion.hasBegun,
      opens.contains(operation.id)
    {
      foundNothing()
    }
    if expansion.insertion.isFull { log.warning("the queue is full at a million tracks; the rest is left out") }
  }
}
