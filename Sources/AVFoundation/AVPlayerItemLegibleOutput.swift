public import CoreMedia
public import Dispatch
public import Foundation
import Synchronization

/// The methods of the delegate of a legible output; each is optional.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemlegibleoutputpushdelegate>
public protocol AVPlayerItemLegibleOutputPushDelegate: AVPlayerItemOutputPushDelegate {
  /// Not called, because subtitles are not read.
  func legibleOutput(
    _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
    nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime)
}

extension AVPlayerItemLegibleOutputPushDelegate {
  /// Does nothing.
  public func legibleOutput(
    _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
    nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime
  ) {}
}

/// An output of the subtitles of an item; it delivers nothing, because subtitles are not read.
///
/// Lines of lyrics are timed metadata, see ``AVPlayerItemMetadataOutput``.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemlegibleoutput>
open class AVPlayerItemLegibleOutput: AVPlayerItemOutput, @unchecked Sendable {  // `state` is a lock
  /// The styles of the texts.
  public struct TextStylingResolution: RawRepresentable, Hashable, Sendable {
    /// The text of the value.
    public let rawValue: String

    /// Makes a value from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All styles.
    public static let `default` = Self(rawValue: "AVPlayerItemLegibleOutputTextStylingResolutionDefault")
    /// The styles of the media and of the item's rules alone.
    public static let sourceAndRulesOnly = Self(
      rawValue: "AVPlayerItemLegibleOutputTextStylingResolutionSourceAndRulesOnly")
  }

  private struct State {
    var delegate = WeakDelegate()
    var queue: DispatchQueue?
    var advance: TimeInterval = 0
    var resolution = TextStylingResolution.default
  }

  private struct WeakDelegate: @unchecked Sendable {  // the reference is only read, under the lock of the state
    weak var delegate: (any AVPlayerItemLegibleOutputPushDelegate)?
  }

  private let state = Mutex(State())

  /// Makes an output, which delivers nothing.
  public override init() { super.init() }

  /// Makes an output, which delivers nothing.
  public init(mediaSubtypesForNativeRepresentation subtypes: [NSNumber]) { super.init() }

  /// Sets the delegate, which is not retained and not called, and its queue.
  open func setDelegate(
    _ delegate: (any AVPlayerItemLegibleOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
  ) {
    let reference = WeakDelegate(delegate: delegate)
    state.withLock { ($0.delegate, $0.queue) = (reference, delegateQueue) }
  }

  /// The delegate, which is not called.
  open var delegate: (any AVPlayerItemLegibleOutputPushDelegate)? { state.withLock { $0.delegate }.delegate }

  /// The queue of the delegate.
  open var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

  /// The seconds by which the delegate is to be called early; only stored.
  open var advanceIntervalForDelegateInvocation: TimeInterval {
    get { state.withLock { $0.advance } }
    set { state.withLock { $0.advance = newValue } }
  }

  /// The styles of the texts; only stored.
  open var textStylingResolution: TextStylingResolution {
    get { state.withLock { $0.resolution } }
    set { state.withLock { $0.resolution = newValue } }
  }
}
