package import Dispatch
package import Playback

/// `CLOCK_MONOTONIC`, with a Dispatch timer for wake-ups.
package final class DispatchClock: PlaybackClock {
  /// The queue of all players for due decisions and for work that must not run under a lock; its work must not block.
  ///
  /// With one queue per player, libdispatch would start a thread for each player that is closed at the same time, and
  /// would keep these threads for 5 s. It keeps its timer thread for ever, GIO keeps “gmain” and “dconf worker” for ever,
  /// and a task of GStreamer its thread for half a second, two of them for 15 s; none of them holds an object of a
  /// player.
  package static let queue = DispatchQueue(label: "org.playerd.players")

  private let own: DispatchQueue
  private let timer: WakeTimer

  /// Makes a clock whose calls run on a queue, by default the queue that all players share.
  package init(queue: DispatchQueue = queue) {
    own = queue
    timer = WakeTimer(queue: queue)
  }

  package var now: MonotonicTime { .now }

  package func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) { timer.set(instant, body) }

  package func run(_ body: @escaping @Sendable () -> Void) { own.async { body() } }
}

extension MonotonicTime {
  /// The present time of `CLOCK_MONOTONIC`; reading it costs a vDSO call.
  package static var now: MonotonicTime {
    MonotonicTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }
}
