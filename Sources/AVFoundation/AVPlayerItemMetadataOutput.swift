import CoreMedia
public import Dispatch
public import Foundation
import GstPlayer
import Synchronization

/// The methods that all delegates of outputs have; each is optional.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemoutputpushdelegate>
public protocol AVPlayerItemOutputPushDelegate: NSObjectProtocol {
  /// Called when the time of the item jumps, before data of the new time.
  func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
  /// Does nothing.
  public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// The methods of the delegate of a metadata output; each is optional.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemmetadataoutputpushdelegate>
public protocol AVPlayerItemMetadataOutputPushDelegate: AVPlayerItemOutputPushDelegate {
  /// Called when playback reaches the time of metadata.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - groups: One group, whose duration is `indefinite` until it is known.
  ///   - track: nil, because metadata belongs to the whole item here.
  func metadataOutput(
    _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
    from track: AVPlayerItemTrack?)
}

extension AVPlayerItemMetadataOutputPushDelegate {
  /// Does nothing.
  public func metadataOutput(
    _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
    from track: AVPlayerItemTrack?
  ) {}
}

/// An output of the timed metadata of an item: titles of a radio station, chapters, lines of lyrics, and the ID3 tags of
/// HTTP Live Streaming.
///
/// Playback delivers each group that it passes. A seek delivers the group that applies at its target, unless that is
/// the last one again.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemmetadataoutput>
open class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {  // `state` is a lock
  private let identifiers: [AVMetadataIdentifier]
  private let state = Mutex(State())

  private struct State {
    var delegate = WeakDelegate()
    var queue: DispatchQueue?
    var advance: TimeInterval = 0
    var observation: Player.Observer?
    /// The number of calls of `connect()`.
    var connections = 0
  }

  /// The delegate, which is only called on its queue.
  private struct WeakDelegate: @unchecked Sendable {  // the reference is only read, under the lock of the state
    weak var delegate: (any AVPlayerItemMetadataOutputPushDelegate)?
  }

  /// Creates an output of all metadata.
  public override convenience init() { self.init(identifiers: nil) }

  /// Creates an output of the metadata with given identifiers; nil or an empty list for all metadata.
  public init(identifiers: [String]?) { self.identifiers = (identifiers ?? []).map { AVMetadataIdentifier($0) } }

  deinit { state.withLock { $0.observation }?.cancel() }

  // MARK: Delegate

  /// Sets the delegate, which is not retained, and the serial queue on which it is called; nil for the main queue.
  open func setDelegate(
    _ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
  ) {
    let reference = WeakDelegate(delegate: delegate)
    state.withLock { ($0.delegate, $0.queue) = (reference, delegateQueue) }
  }

  /// The delegate.
  open var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? { state.withLock { $0.delegate }.delegate }

  /// The queue on which the delegate is called; nil for the main queue.
  open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// The seconds of the item's time by which the delegate is called early, at most a day.
  ///
  /// Metadata that is known later, and that at the start of an item, is delivered as soon as possible.
  open var advanceIntervalForDelegateInvocation: TimeInterval {
    get { state.withLock { $0.advance } }
    set {
      state.withLock { $0.advance = newValue.isNaN ? 0 : max(0, newValue) }
      connect()
    }
  }

  // MARK: Delivery

  override func connect() {
    let number = state.withLock { state in
      state.connections += 1
      return state.connections
    }
    let player = item?.owner
    let advance = Duration.seconds(min(advanceIntervalForDelegateInvocation, 86_400))
    let observation = player?.player.addTimedMetadataObserver(advance: advance) { [weak self, weak player] metadata in
      guard let self, let item, item === player?.state.withLock({ $0.logItems[metadata.item.id] }),
        let group = metadata.group(withIdentifiers: identifiers)
      else { return }
      call(in: item) { $0.metadataOutput($1, didOutputTimedMetadataGroups: [group], from: nil) }
    }
    let ended = state.withLock { state in
      // A later call reads the item and the advance after their last change.
      guard state.connections == number else { return observation }
      defer { state.observation = observation }
      return state.observation
    }
    ended?.cancel()
  }

  override func flush() {
    guard let item else { return }
    call(in: item) { $0.outputSequenceWasFlushed($1) }
  }

  /// Calls the delegate on its queue, unless the output has left the item by then.
  private func call(
    in item: AVPlayerItem,
    _ body: @escaping @Sendable (any AVPlayerItemMetadataOutputPushDelegate, AVPlayerItemMetadataOutput) -> Void
  ) {
    (delegateQueue ?? .main).async { [self, weak item] in
      guard let item, item === self.item, let delegate else { return }
      body(delegate, self)
    }
  }
}

extension Player.TimedMetadata {
  /// Returns the metadata as a group of the items with given identifiers, empty for all; nil if there is none.
  func group(withIdentifiers identifiers: [AVMetadataIdentifier]) -> AVTimedMetadataGroup? {
    let group = AVTimedMetadataGroup(fields, from: item.start + time, duration: duration)
    guard !identifiers.isEmpty else { return group }
    let items = group.items.filter { item in
      identifiers.contains { !AVMetadataItem.metadataItems(from: [item], filteredByIdentifier: $0).isEmpty }
    }
    return items.isEmpty ? nil : AVTimedMetadataGroup(items: items, timeRange: group.timeRange)
  }

  private var fields: [MetadataFields] {
    switch content {
    case .id3(let tag): tag.items
    case .streamTitle(let title): [MetadataFields(.icyMetadataStreamTitle, .commonKeyTitle, .string(title))]
    case .lyrics(let line): [MetadataFields(.id3MetadataSynchronizedLyric, nil, .string(line))]
    case .chapter(let chapter): MetadataFields.title(chapter.title)
    }
  }
}
