import Dispatch
import Foundation
import GstPlayer
import Synchronization

/// Starts a player at a time of the machine's clock.
extension AVPlayer {
  nonisolated func start(atRate rate: Float, from time: CMTime, atHostTime hostTime: CMTime) {
    if time.isNumeric { seek(to: time, within: .zero, nil) }
    let delay = hostTime.isNumeric ? (hostTime - CMClock.hostTimeClock.time).seconds : 0
    guard rate != 0, delay > 0 else { return setRate(rate) }
    // Paused until then, so that the media is loaded and the output open.
    pause(because: .setRateCalled)
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: DispatchQueue(label: "AVPlayer"))
    timer.schedule(deadline: .now() + min(delay, 1e8), leeway: .nanoseconds(0))
    timer.setEventHandler { [weak self] in self?.setRate(rate) }
    timer.activate()
    let start = StartTimer(source: timer)
    state.withLock { $0.start = start }
  }
}
