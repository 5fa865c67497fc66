import GstPlayer
import Synchronization

/// The treatment of the pitch at another rate.
///
/// <https://developer.apple.com/documentation/avfoundation/avaudiotimepitchalgorithm>
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  /// The name of the algorithm.
  public let rawValue: String

  /// Creates an algorithm from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The pitch is kept, as suits speech.
  public static let timeDomain = Self(rawValue: "TimeDomain")
  /// The pitch is kept, as suits music; here the same as ``timeDomain``.
  public static let spectral = Self(rawValue: "Spectral")
  /// The pitch follows the rate.
  public static let varispeed = Self(rawValue: "Varispeed")
  /// The pitch is kept at a low cost; here the same as ``timeDomain``.
  public static let lowQualityZeroLatency = Self(rawValue: "LowQualityZeroLatency")
}

extension AVPlayerItem {
  /// Passes the treatment of the pitch to the player, unless the program has not set it.
  nonisolated func applyTimePitch() {
    let (player, algorithm) = state.withLock { ($0.player, $0.timePitch) }
    guard let player, let algorithm else { return }
    player.player.timePitchAlgorithm = algorithm == .varispeed ? .varispeed : .timeDomain
  }
}
