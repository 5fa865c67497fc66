import EventLoop
import Playback

/// An executor that calls the observers of a player on the thread of an event loop.
struct LoopObservers: ObserverExecutor {
  let loop: PollLoop

  func run(_ body: @escaping @Sendable () -> Void) { loop.submit(body) }
}
