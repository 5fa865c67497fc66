import MPRISService
import Synchronization

/// A fake player with a window.
final class FakeWindow: MPRISWindowPlayer {
  let base: FakePlayer
  private let received = Mutex<[MPRISWindowCommand]>([])

  init(_ base: FakePlayer) { self.base = base }

  /// The received commands to the window, in order.
  var commands: [MPRISWindowCommand] { received.withLock { $0 } }

  func snapshot() -> MPRISSnapshot { base.snapshot() }
  func perform(_ command: MPRISCommand) throws(MPRISCommandError) { try base.perform(command) }
  func events() -> AsyncStream<MPRISPlayerEvent> { base.events() }

  func perform(_ command: MPRISWindowCommand) throws(MPRISCommandError) {
    received.withLock { $0.append(command) }
    if case .setFullscreen(let isOn) = command { base.change { $0.isFullscreen = isOn } }
  }
}
