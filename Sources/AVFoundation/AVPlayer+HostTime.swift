import Foundation
import GstPlayer
import Synchronization

/// Starts a player at a time of the machine's clock.
extension AVPlayer {
  nonisolated func start(atRate rate: Float, from time: CMTime, atHostTime hostTime: CMTime) {
    guard rate != 0, let instant = MonotonicTime(hostTime) else {
      if time.isNumeric { seek(to: time, within: .zero, nil) }
      return setRate(rate)
    }
    if time.isNumeric {
      // After the instant, the item continues as if it had played since.
      let elapsed = max(0, (CMClock.hostTimeClock.time - hostTime).seconds) * Double(rate)
      seek(to: time + CMTime(seconds: elapsed, preferredTimescale: 1_000_000_000), within: .zero, nil)
    }
    play(at: rate) { rate in
      player.transaction {
        player.rate = rate
        player.play(at: instant)
      }
    }
  }
}

extension MonotonicTime {
  /// Converts a time of the machine's clock; nil unless it is numeric.
  fileprivate init?(_ hostTime: CMTime) {
    guard hostTime.isNumeric else { return nil }
    let time = hostTime.convertScale(1_000_000_000, method: .default)
    // Beyond the range of nanoseconds, which is 292 years.
    self.init(nanoseconds: time.isNumeric ? time.value : hostTime < .zero ? .min : .max)
  }
}
