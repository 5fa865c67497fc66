import ArgumentParser
import GstPlayer
import Logging

/// Tells the log what a user must know, and decides when `--quit-at-end` has come to its end.
struct Reporter: Sendable {
  private let events: AsyncStream<PlayerEvent>
  private let observation: PlayerObservation
  private let player: Player
  private let opens: OpenQueue
  private let quitsAtEnd: Bool
  private let log: Logger

  init(player: Player, opens: OpenQueue, quitsAtEnd: Bool, log: Logger) {
    // Event observers are called in the order in which they were added: the bridges, which are older, have sent their
    // signals for the end of the queue before the daemon begins to exit.
    let (events, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
    self.events = events
    observation = player.addEventObserver { continuation.yield($0) }
    self.player = player
    self.opens = opens
    self.quitsAtEnd = quitsAtEnd
    self.log = log
  }

  /// Reads the player's events until one of them ends the daemon; nil when the task is cancelled.
  func run() async -> ExitCode? {
    var hasPlayed = false
    for await event in events {
      switch event {
      case .itemDidPlayToEnd: hasPlayed = true
      case .itemFailed(let item, let error):
        log.error("\(FileURI.readable(item.uri)): \(error.message)")
        log.debug("\(error.code.rawValue): \(error.detail)")
      case .outputFailed(let error): log.error("the audio output failed, and is tried again: \(error.message)")
      case .playbackStalled(let item): log.info("\(FileURI.readable(item.uri)): waiting for data")
      case .warning(let text): log.warning("\(text)")
      case .queueEnded:
        await opens.idle()
        if quitsAtEnd, player.snapshot.transport == .stopped {
          return hasPlayed ? .success : ExitStatus.nothingPlayable
        }
      case .changed, .currentItemChanged, .itemRepeated, .timeJumped, .playbackResumed, .chapterChanged: break
      }
    }
    return nil
  }
}
