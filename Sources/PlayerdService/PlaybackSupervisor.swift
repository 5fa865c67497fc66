import EngineProcess
import Logging
import Playback
import PlayerdSystem

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
  func run() async -> ExitStatus? {
    var hasPlayed = false
    var lines = EventLines(log)
    var failures = FailureCount()
    for await (event, isReady) in events {
      switch event {
      case .itemDidPlayToEnd:
        hasPlayed = true
        failures.finish(&lines)
      case .itemFailed(let item, let error): failures.add(item, error, &lines)
      case .outputFailed(let error): lines.error("the audio output failed and is reopened: \(error.message)")
      case .playbackStalled(let item): lines.info("\(FileURI.readable(item.uri)): waiting for data")
      case .warning(let text, let item):
        lines.warning("\(item.map { "\(FileURI.readable($0.uri)): " } ?? "")\(text)")
      case .queueEnded:
        failures.finish(&lines)
        await opens.idle()
        if quitsAtEnd, player.snapshot.transport == .stopped {
          return hasPlayed ? .success : ExitStatus.nothingPlayable
        }
      case .changed: if failures.isLong, isReady { failures.finish(&lines) }
      case .currentItemChanged, .itemRepeated, .timeJumped, .playbackResumed, .chapterChanged: break
      }
    }
    return nil
  }
}

/// The lines of events, whose number a process that decodes hostile media may determine.
struct EventLines {
  private let log: Logger
  private var limit = LogLimit()

  init(_ log: Logger) { self.log = log }

  mutating func error(_ text: String) { write(.error, text) }
  mutating func warning(_ text: String) { write(.warning, text) }
  mutating func info(_ text: String) { write(.info, text) }
  mutating func debug(_ text: String) { write(.debug, text) }

  mutating func write(_ level: Logger.Level, _ text: String, at now: SuspendingClock.Instant = .now) {
    guard level >= log.logLevel else { return }
    for line in limit.pass(text, at: now) { log.log(level: level, "\(line)") }
  }
}

/// Counts items that fail one after another.
private struct FailureCount {
  /// The limit of lines for items in a row; the number of the others is one more line.
  private static let limit = 20

  private var count = 0

  /// Whether failures are counted without a line.
  var isLong: Bool { count > Self.limit }

  mutating func add(_ item: Player.Item, _ error: PlayerError, _ lines: inout EventLines) {
    count += 1
    guard !isLong else { return }
    lines.error("\(FileURI.readable(item.uri)): \(error.message)")
    lines.debug("\(error.code.rawValue): \(error.detail)")
  }

  /// Logs the number of the failures without a line, when an item plays or has ended, or the queue has.
  mutating func finish(_ lines: inout EventLines) {
    if isLong {
      lines.error("\(count - Self.limit) more \(count == Self.limit + 1 ? "item" : "items") cannot be played")
    }
    count = 0
  }
}
