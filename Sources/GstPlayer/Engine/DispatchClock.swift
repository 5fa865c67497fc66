import Dispatch
import Playback

/// `CLOCK_MONOTONIC`, with a timer of Dispatch for the wake-up.
final class DispatchClock: PlaybackClock {
  /// The queue of all players for due decisions, and for what may not be done under a lock; nothing here blocks.
  ///
  /// With a queue for each player, libdispatch would start a thread for each one that is closed at the same time, and
  /// would keep them all for 5 s.
  static let queue = DispatchQueue(label: "org.playerd.players")

  private let timer = WakeTimer(queue: queue)

  var now: MonotonicTime { .now }

  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) { timer.set(instant, body) }

  func run(_ body: @escaping @Sendable () -> Void) { Self.queue.async { body() } }
}

extension MonotonicTime {
  /// The present instant of `CLOCK_MONOTONIC`; costs a vDSO call.
  static var now: MonotonicTime {
    MonotonicTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }
}

/// A serial queue for the observers of one player.
final class ObserverQueue: ObserverExecutor {
  private let queue = DispatchQueue(label: "org.playerd.observers")

  func run(_ body: @escaping @Sendable () -> Void) { queue.async { body() } }
}
