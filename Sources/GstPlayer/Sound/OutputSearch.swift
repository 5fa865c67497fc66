import CGst
import Dispatch
import Playback

/// Searches for an output that can be opened, for a player that plays silently or whose output has failed.
///
/// The automatic output of GStreamer fails, or falls back to silence without a message. An output that plays is not moved
/// when another one appears, and one that fails is not opened again. A sound server cannot announce its start to a
/// process that is not connected to it. Outputs are therefore tried after increasing delays, up to 10 s; between the
/// attempts the search sleeps.
final class OutputSearch: Sendable {
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(10)

  /// A queue whose thread only an attempt to open an output may block.
  private let queue = DispatchQueue(label: "GstPlayer.OutputSearch")
  private let memory: AudioSink.Memory
  private let failed: String?
  private let found: @Sendable () -> Void

  /// Starts a search, which ends with the last reference or with the first output that can be opened.
  ///
  /// - Parameters:
  ///   - memory: Receives the kind of output that can be opened.
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
