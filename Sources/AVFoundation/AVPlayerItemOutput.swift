public import CoreMedia
public import Foundation
import GstPlayer
import Synchronization

/// An output that delivers data of an item while the item plays.
///
/// An output belongs to one item at most. Safe to use from any isolation: a lock guards the state.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemoutput>
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {  // `state` is a lock
  private let state = Mutex(State())

  private struct State {
    weak var item: AVPlayerItem?
    var suppressesRendering = false
  }

  /// Whether the player does not render the data of the output itself; only stored, because only audio is rendered.
  open var suppressesPlayerRendering: Bool {
    get { state.withLock { $0.suppressesRendering } }
    set { state.withLock { $0.suppressesRendering = newValue } }
  }

  /// Returns the item's time at a host time.
  ///
  /// - Parameter hostTimeInSeconds: Seconds of the clock of `ProcessInfo.systemUptime`.
  /// - Returns: The time; `invalid` unless the item is current.
  open func itemTime(forHostTime hostTimeInSeconds: TimeInterval) -> CMTime {
    guard hostTimeInSeconds.isFinite, let snapshot = item?.snapshot, let start = snapshot.currentItem?.start else {
      return .invalid
    }
    let nanoseconds = Int64(min(max(0, hostTimeInSeconds), 9e9) * 1e9)
    return CMTime(start + snapshot.anchor.position(atMonotonicNanoseconds: nanoseconds))
  }

  // MARK: The item

  /// The item of the output; nil for none.
  final var item: AVPlayerItem? { state.withLock { $0.item } }

  /// Adds the output to an item; returns false if it belongs to an item already.
  final func join(_ item: AVPlayerItem) -> Bool {
    state.withLock { state in
      guard state.item == nil else { return false }
      state.item = item
      return true
    }
  }

  /// Removes the output from its item.
  final func leave() { state.withLock { $0.item = nil } }

  /// Ends the delivery, and starts it from the player of the item, if there is one.
  func connect() {}

  /// Handles a jump of the item's time.
  func flush() {}
}
