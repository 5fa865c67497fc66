import GstPlayer
import Logging
import PlayerdInterfaces

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
  /// Whether a queue is replaced only by items of which one can be played.
  var checksPlayability = true
  /// The speed of a new queue whose request names none; nil for that of the queue before.
  var newRate: @Sendable () -> Double? = { nil }
  /// Called when the queue is about to be made anew from URIs.
  let replaces: @Sendable ([String]) -> Void
  /// Finds out the title of an item.
  let title: @Sendable (PlayerItem) async -> String

  /// Opens requests until the task is cancelled.
  func run() async {
    for await operation in opens.operations {
      apply(operation.request)
      let older = operation.request.takeover == .always ? [] : opens.pendingTasks
      // Owned by the queue of requests, and awaited below.
      let task = Task(executorPreference: executor) {
        for task in older { await task.value }
        let report = await open(operation)
        opens.finish(operation.id)
        operation.reply(report)
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

  private func open(_ operation: OpenQueue.Operation) async -> OpenReport {
    let request = operation.request
    let log = OpenLog(log)
    let check = request.placement == .replace && checksPlayability ? PlayabilityCheck() : nil
    var expansion = Expansion(
      into: Insertion(operation, into: coordinator, newRate: newRate, replaces: replaces), policy: request.policy,
      check: check, log: log,
      listTimeout: listTimeout)
    for uri in request.uris { await expansion.open(uri) }
    await expansion.flush()
    let insertion = expansion.insertion
    if insertion.isFull { log.reject("the queue is full at a million tracks; the rest is left out") }
    var report = OpenReport()
    report.trackCount = Int64(insertion.count)
    if let predecessor = insertion.predecessor { report.precedingTitle = await title(predecessor) }
    report.isSuperseded = !opens.contains(operation.id)
    log.enter(into: &report)
    return report
  }
}
