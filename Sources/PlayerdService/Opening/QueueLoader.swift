import Logging
import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdSystem
import TextCoding

/// Resolves open requests to queue items.
///
/// It reads folders, playlists and servers outside the threads of the bus and the engine.
///
/// Requests are opened in order. A request whose first item always becomes current does not wait for the others.
struct QueueLoader: Sendable {
  let coordinator: PlaybackCoordinator
  let media: any MediaFramework
  let opens: OpenQueue
  let log: Logger
  /// The queue that accepts the requests, and of their work without ``newQueue``.
  let queue: any SerialQueue
  /// Makes the queue of the work of a request, which may block on a disk; nil if no disk can block it.
  var newQueue: (@Sendable () -> any SerialQueue)?
  var files: any FileSystem = LocalFileSystem()
  /// Finds the media of some addresses; nil for none.
  var resolver: Resolver?
  /// The decoding of playlists and cue sheets that are not UTF-8.
  var text = TextDecoding()
  /// The time limit for a server to send a playlist.
  var listTimeout = ItemResolver.listTimeout
  /// The time of reading after which the caller gets a report, while the reading continues.
  var answerTime = Duration.seconds(5)
  /// The rule for the URIs that may be opened.
  var policy: @Sendable () -> URIPolicy = { URIPolicy() }
  /// The limit of playlists that one request reads.
  var listLimit = ListExpansion.listLimit
  /// The limit of tracks in the queue.
  var itemLimit = Player.itemLimit
  /// Whether a queue is replaced only if one of the new items is playable.
  var checksPlayability = true
  /// The rate of a new queue if its request sets none; nil to keep the rate of the previous queue.
  var newRate: @Sendable () -> Double? = { nil }
  /// Returns the index at which a shuffled queue begins.
  var startIndex: @Sendable (Range<Int>) -> Int = { Int.random(in: $0) }
  /// Returns the playlist that the queue comes from; nil for none.
  var playlist: @Sendable () -> MPRISPlaylist.ID? = { nil }
  /// The places of books, which continue there; nil without a session.
  var places: ResumeKeeper?
  /// Called before the queue is replaced with items from these URIs.
  let replaces: @Sendable ([String]) -> Void
  /// The function that returns the title of an item.
  let title: @Sendable (Player.Item) async -> String

  /// Returns a loader with the places of books.
  func continuing(_ places: ResumeKeeper?) -> QueueLoader {
    var loader = self
    loader.places = places
    return loader
  }

  /// Opens requests until the task is cancelled.
  func run() async {
    var works: [OpenWork] = []
    for await operation in opens.operations {
      if operation.request.uris.isEmpty { coordinator.apply(operation.request, of: playlist()) }
      works.removeAll { !opens.contains($0.operation.id) }
      let older = operation.request.takeover == .always ? [] : works
      let work = OpenWork(operation, OpenLog(log), on: newQueue?() ?? queue, watch: newQueue?())
      works.append(work)
      // The task is owned by `opens`, and awaited below.
      opens.start(operation.id) {
        Task(executorPreference: work.queue) {
          for work in older { await work.over() }
          work.begin(checkingEvery: answerTime) { [log, opens] report in
            report.isSuperseded = !opens.contains(operation.id)
            let uri = operation.request.uris.first.map { FileURI.readable($0) } ?? ""
            log.warning("\(uri.withoutURISecrets): the disk does not answer; it is opened when the disk does")
          }
          await open(work)
          work.end()
        }
      }
    }
    await opens.cancelAll()
  }

  private func open(_ work: OpenWork) async {
    let operation = work.operation
    var resolver = ItemResolver(work, for: self)
    for uri in operation.request.uris { await resolver.open(uri) }
    await resolver.flush()
    await resolver.decide()
    if resolver.insertion.isFull { work.log.reject("the queue is full with a million tracks; the rest is omitted") }
    var report = await report(resolver.insertion, work.log.finish())
    report.isSuperseded = !opens.contains(operation.id)
    opens.finish(operation.id)
    work.answer(report)
  }

  /// Returns the report about the items that were inserted.
  func report(_ insertion: QueueInsertion, _ rejections: OpenReport) async -> OpenReport {
    var report = rejections
    report.trackCount = Int64(insertion.count)
    if let predecessor = insertion.predecessor { report.precedingTitle = await title(predecessor) }
    return report
  }
}
