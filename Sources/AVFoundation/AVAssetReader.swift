public import CoreMedia
public import Foundation
import GstPlayer
import Synchronization

/// Reads the samples of an asset by its outputs, faster than they are played.
///
/// Only linear PCM is read. The decoder waits for its reader, so the memory does not depend on the length of the media. It runs
/// in the program, with the limits of media of `GstPlayer`. Methods may be called on any thread.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetreader>
open class AVAssetReader: NSObject, @unchecked Sendable {  // `state` is a lock
  private struct State {
    var status = Status.unknown
    var error: (any Error)?
    var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var outputs: [AVAssetReaderOutput] = []
  }

  /// The state of a reader.
  public enum Status: Int, Sendable {
    /// The reader has not been started.
    case unknown = 0
    /// Samples can be read.
    case reading = 1
    /// All samples of all outputs were read.
    case completed = 2
    /// A failure ended the reader; see ``AVAssetReader/error``.
    case failed = 3
    /// The reader was cancelled.
    case cancelled = 4
  }

  /// The asset.
  open var asset: AVAsset { media }
  private let media: AVAsset
  private let state = Mutex(State())

  /// Creates a reader of an asset; never throws, because the asset is opened later.
  public init(asset: AVAsset) throws { media = asset }

  deinit { state.withLock { $0.outputs }.forEach { $0.cancel() } }

  /// The state; a failure while samples are read shows as `failed` after the call that returned nil.
  open var status: Status { state.withLock { $0.status } }

  /// The reason of the failure; nil unless the status is `failed`.
  open var error: (any Error)? { state.withLock { $0.error } }

  /// The range of the asset that is read; initially all of it.
  ///
  /// Both ends are rounded to samples. A change after the start is ignored.
  open var timeRange: CMTimeRange {
    get { state.withLock { $0.range } }
    set { state.withLock { if $0.status == .unknown { $0.range = newValue } } }
  }

  /// The outputs.
  open var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

  /// Returns whether an output can be added: it is of this asset and of no other reader, and its settings are supported.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    output.problem(in: media) == nil && status == .unknown
  }

  /// Adds an output before the start; one that cannot be added makes ``startReading()`` fail with the reason.
  open func add(_ output: AVAssetReaderOutput) {
    state.withLock { state in
      if state.status == .unknown, !state.outputs.contains(output) { state.outputs.append(output) }
    }
  }

  /// Starts the reader, once; returns false if it has failed.
  open func startReading() -> Bool {
    let started = state.withLock { state -> (outputs: [AVAssetReaderOutput], range: CMTimeRange)? in
      guard state.status == .unknown else { return nil }
      if let problem = state.outputs.lazy.compactMap({ $0.problem(in: self.media) }).first {
        (state.status, state.error) = (.failed, problem)
        return nil
      }
      state.status = state.outputs.isEmpty ? .completed : .reading
      return (state.outputs, state.range)
    }
    guard let started else { return false }
    for output in started.outputs { output.start(in: self, [started.range]) }
    return true
  }

  /// Ends the reader from any thread; calls that wait for samples return nil.
  open func cancelReading() {
    let outputs = state.withLock { state -> [AVAssetReaderOutput] in
      guard state.status == .reading else { return [] }
      state.status = .cancelled
      return state.outputs
    }
    for output in outputs { output.cancel() }
  }

  // MARK: Events of an output

  /// Ends the reader with an error, unless it has ended.
  func fail(_ error: PlayerError) {
    let outputs = state.withLock { state -> [AVAssetReaderOutput] in
      guard state.status == .reading else { return [] }
      (state.status, state.error) = (.failed, error.foundationError(about: media.uri))
      return state.outputs
    }
    for output in outputs { output.cancel() }
  }

  /// Completes the reader if all samples of all outputs were read.
  func outputEnded() {
    let areComplete = outputs.allSatisfy(\.isComplete)
    state.withLock { if areComplete, $0.status == .reading { $0.status = .completed } }
  }
}
