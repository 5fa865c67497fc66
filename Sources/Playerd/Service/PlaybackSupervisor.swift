import ArgumentParser
import Logging
import Playback

/// Logs playback failures, and decides when `--quit-at-end` ends the daemon.
struct PlaybackSupervisor: Sendable {
  private let events: AsyncStream<(event: Player.Event, isReady: Bool)>
  private let observation: Player.Observer
  private let player: Player
  private let opens: OpenQueue
  private let quitsAtEnd: Bool
  private let log: Logger

  init(player: Player, opens: OpenQueue, quitsAtEnd: Bool, log: Logger) {
    // Event observers are called in the order in which they were added. The publisher was added earlier, so it emits
    // its signals for the end of the queue before the daemon starts to exit.
    let (events, continuation) = AsyncStream.makeStream(of: (event: Player.Event, isReady: Bool).self)
    self.events = events
    observation = player.addEventObserver { continuation.yield(($0, $1.itemStatus == .readyToPlay)) }
    self.player = player
    self.opens = opens
    self.quitsAtEnd = quitsAtEnd
    self.log = log
  }

  /// Handles the player's events until one of them ends the daemon; returns nil if the task is cancelled.
  func run() async -> ExitCode? {
    var hasPlayed = false
    var failures = FailureLog(log)
    for await (event, isReady) in events {
      switch event {
      case .itemDidPlayToEnd:
        hasPlayed = true
        failures.finish()
      case .itemFailed(let item, let error): failures.add(item, error)
      case .outputFailed(let error): log.error("the audio output failed and is reopened: \(error.message)")
      case .playbackStalled(let item): log.info("\(FileURI.readable(item.uri)): waiting for data")
      case .warning(let text, let item):
        log.warning("\(item.map { "\(FileURI.readable($0.uri)): " } ?? "")\(text)")
      case .queueEnded:
        failures.finish()
        await opens.idle()
        if quitsAtEnd, player.snapshot.transport == .stopped {
          return hasPlayed ? .success : ExitStatus.nothingPlayable
        }
      case .changed: if failures.isLong, isReady { failures.finish() }
      case .currentItemChanged, .itemRepeated, .timeJumped, .playbackResumed, .chapterChanged: break
      }
    }
    return nil
  }
}

/// Logs items that fail one after another.
private struct FailureLog {
  /// The limit of lines for items in a row; the number of the others is one more line.
  private static let limit = 20

  private let log: Logger
  private var count = 0

  init(_ log: Logger) { self.log = log }

  /// Whether failures are counted without a line.
  var isLong: Bool { count > Self.limit }

  mutating func add(_ item: Player.Item, _ error: PlayerError) {
    count += 1
    guard !isLong else { return }
    log.error("\(FileURI.readable(item.uri)): \(error.message)")
    log.debug("\(error.code.rawValue): \(error.detail)")
  }

  /// Logs the number of the failures without a line, when an item plays or has ended, or the queue has.
  mutating func finish() {
    if isLong { log.error("\(count - Self.limit) more \(count == Self.limit + 1 ? "item" : "items") cannot be played") }
    count = 0
  }
}
