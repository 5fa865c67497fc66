import CGst
import Dispatch
import Playback

/// A search for an output that opens, for a pipeline that plays silently or whose output has failed; it sleeps in between.
///
/// A sound server cannot announce its own start to a program that has no connection to it, so outputs are tried after
/// growing pauses, up to 10 s.
final class OutputSearch: Sendable {
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(10)

  /// Trying an output may block this queue's thread, and nothing else.
  private let queue = DispatchQueue(label: "GstPlayer.OutputSearch")
  private let memory: AudioSink.Memory
  private let failed: String?
  private let found: @Sendable () -> Void

  /// Starts a search, which ends with the last reference or with the first output that opens.
  ///
  /// - Parameters:
  ///   - memory: Receives the kind of output that opens.
  ///   - failed: The factory of an output that is left out.
  ///   - found: Called once, on a thread of the search.
  init(_ memory: AudioSink.Memory, excluding failed: String?, found: @escaping @Sendable () -> Void) {
    self.memory = memory
    self.failed = failed
    self.found = found
    schedule(after: Self.firstPause)
  }

  private func schedule(after pause: Duration) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause.wholeNanoseconds))) { [weak self] in
      guard let self else { return }
      if AudioSink.finds(memory, excluding: failed) {
        found()
      } else {
        schedule(after: min(pause * 2, Self.longestPause))
      }
    }
  }
}
