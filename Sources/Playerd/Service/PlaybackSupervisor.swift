import ArgumentParser
import Logging
import Playback

/// The log of playback failures, and the decision when `--quit-at-end` ends the daemon.
struct PlaybackSupervisor: Sendable {
  private let events: AsyncStream<Player.Event>
  private let observation: Player.Observer
  private let player: Player
  private let opens: OpenQueue
  private let quitsAtEnd: Bool
  private let log: Logger

  init(player: Player, opens: OpenQueue, quitsAtEnd: Bool, log: Logger) {
    // Event observers are called in the order in which they were added. The bridges were added earlier, so they emit
    // their signals for the end of the queue before the daemon starts to exit.
    let (events, continuation) = AsyncStream.makeStream(of: Player.Event.self)
    self.events = events
    observation = player.addEventObserver { continuation.yield($0) }
    self.player = player
    self.opens = opens
    self.quitsAtEnd = quitsAtEnd
    self.log = log
  }

  /// Handles the player's events until one of them ends the daemon; returns nil if the task is cancelled.
  func run() async -> ExitCode? {
    var hasPlayed = false
    for await event in events {
      switch event {
      case .itemDidPlayToEnd: hasPlayed = true
      case .itemFailed(let item, let error):
        log.error("\(FileURI.readable(item.uri)): \(error.message)")
        log.debug("\(error.code.rawValue): \(error.detail)")
      case .outputFailed(let error): log.error("the audio output failed and is reopened: \(error.message)")
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
