import Dispatch
import Playback

/// A serial queue for the observers of one player.
final class ObserverQueue: ObserverExecutor {
  private let queue = DispatchQueue(label: "org.playerd.observers")

  func run(_ body: @escaping @Sendable () -> Void) { queue.async { body() } }
}
