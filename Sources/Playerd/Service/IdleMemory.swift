import EventLoop
import Playback

/// Gives memory back to the system when no event of the player has occurred for some time, and after the start.
final class IdleMemory: Sendable {
  private let queue: any SerialQueue
  private let observation: Player.Observer

  /// Observes a player.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - queue: The queue of the work, for which nothing waits.
  ///   - delay: The time after the last event.
  ///   - pack: Called first; makes values smaller that will hardly be used.
  init(
    _ player: Player, on queue: any SerialQueue, after delay: Duration = .seconds(3),
    _ pack: @escaping @Sendable () -> Void
  ) {
    self.queue = queue
    let wait: @Sendable () -> Void = {
      queue.setTimer(at: queue.now.advanced(by: delay)) {
        queue.setTimer(at: nil) {}
        pack()
        Heap.trim()
        ProgramCode.release()
      }
    }
    observation = player.addEventObserver { _, _ in wait() }
    wait()
  }

  /// Ends the observation.
  func stop() {
    observation.cancel()
    queue.setTimer(at: nil) {}
  }
}
