public import CoreMedia
public import Foundation
import GstPlayer
import Synchronization

/// Samples that an ``AVAssetReader`` reads.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetreaderoutput>
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {  // `state` is a lock
  private struct State {
    weak var reader: AVAssetReader?
    var hasStarted = false
    /// The ranges that are not read yet, and the source of the present one.
    var ranges: [CMTimeRange] = []
    var source: (any SampleSource)?
    var copiesData = true
    var isRandomAccess = false
    var isFinal = false
  }

  private let state = Mutex(State())
  /// The settings, or the error of invalid ones.
  let settings: Result<LinearPCMSettings, AVError>

  init(_ settings: [String: Any]?) {
    self.settings = Result { () throws(AVError) in try LinearPCMSettings(settings) }
  }

  /// The type of the samples, always audio.
  open var mediaType: AVMediaType { .audio }

  /// Whether the samples are copied for the program; only stored, because they always are.
  open var alwaysCopiesSampleData: Bool {
    get { state.withLock { $0.copiesData } }
    set { state.withLock { $0.copiesData = newValue } }
  }

  /// Whether other ranges may be read after the first one; initially false.
  ///
  /// A change after the start is ignored.
  open var supportsRandomAccess: Bool {
    get { state.withLock { $0.isRandomAccess } }
    set { state.withLock { if !$0.hasStarted { $0.isRandomAccess = newValue } } }
  }

  /// Returns the next samples, and blocks until they are decoded.
  ///
  /// - Returns: Nil at the end, after a failure, after the reader was cancelled, and before it was started.
  open func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard case .success(let settings) = settings else { return nil }
    while let source = nextSource() {
      do throws(PlayerError) {
        if let chunk = try source.next() { return CMSampleBuffer(chunk, isInterleaved: settings.isInterleaved) }
      } catch {
        state.withLock { $0.reader }?.fail(error)
        return nil
      }
      state.withLock { if $0.source === source { $0.source = nil } }
    }
    state.withLock { $0.reader }?.outputEnded()
    return nil
  }

  /// Reads other ranges after all samples of the earlier ranges were read, if ``supportsRandomAccess`` is true.
  ///
  /// - Parameter timeRanges: Values of `CMTimeRange`.
  open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
    state.withLock { state in
      guard state.isRandomAccess, !state.isFinal, state.hasStarted, state.source == nil, state.ranges.isEmpty else {
        return
      }
      state.ranges = timeRanges.map(\.timeRangeValue)
    }
  }

  /// Ends the use of ``reset(forReadingTimeRanges:)``, so that the reader can complete.
  open func markConfigurationAsFinal() {
    state.withLock { $0.isFinal = true }
    state.withLock { $0.reader }?.outputEnded()
  }

  // MARK: For the reader

  /// Returns the reason why the output cannot be read; nil if it can.
  func problem(in asset: AVAsset) -> AVError? {
    if case .failure(let error) = settings { return error }
    return nil
  }

  /// Returns the source of the samples of a range of an asset; nil if it cannot be read.
  func source(_ range: CMTimeRange, of asset: AVAsset, _ settings: LinearPCMSettings) -> (any SampleSource)? { nil }

  func start(in reader: AVAssetReader, _ ranges: [CMTimeRange]) {
    state.withLock { ($0.reader, $0.hasStarted, $0.ranges) = (reader, true, ranges) }
  }

  func cancel() {
    let source = state.withLock { state in
      state.ranges = []
      return state.source.take()
    }
    source?.cancel()
  }

  /// Whether all samples were read, and no other range can follow.
  var isComplete: Bool {
    state.withLock { $0.source == nil && $0.ranges.isEmpty && (!$0.isRandomAccess || $0.isFinal) }
  }

  /// Returns the source of the present range, or else of the next range; nil after the last range.
  private func nextSource() -> (any SampleSource)? {
    state.withLock { state in
      guard case .success(let settings) = settings, let reader = state.reader else { return nil }
      while state.source == nil, !state.ranges.isEmpty {
        state.source = source(state.ranges.removeFirst(), of: reader.asset, settings)
      }
      return state.source
    }
  }
}

/// Decoded samples, which one thread reads and any may cancel.
protocol SampleSource: AnyObject, Sendable {
  /// Returns the next samples, and blocks until they are decoded; nil at the end.
  func next() throws(PlayerError) -> SampleChunk?
  func cancel()
}

extension SampleReader: SampleSource {}

extension SampleMixer: SampleSource {}

/// The samples of an audio track.
///
/// <https://developer.apple.com/documentation/avfoundation/avassetreadertrackoutput>
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {  // `pitch` is a lock
  /// The track.
  open var track: AVAssetTrack { source }
  private let source: AVAssetTrack
  /// The settings; nil for the format of the decoder.
  open private(set) var outputSettings: [String: Any]?
  private let pitch = Mutex(AVAudioTimePitchAlgorithm.spectral)

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - track: An audio track of the asset of the reader.
  ///   - outputSettings: Linear PCM: `AVFormatIDKey`, and, if they differ from the media, `AVSampleRateKey` and
  ///     `AVNumberOfChannelsKey`; `AVLinearPCMBitDepthKey`, initially 16, or 32 for floating-point numbers;
  ///     `AVLinearPCMIsFloatKey`, `AVLinearPCMIsBigEndianKey` and `AVLinearPCMIsNonInterleaved`, initially false. Nil is the
  ///     linear PCM of the decoder; compressed samples are not available. Invalid settings make
  ///     ``AVAssetReader/startReading()`` fail with the reason.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    (source, self.outputSettings) = (track, outputSettings)
    super.init(outputSettings)
  }

  /// The algorithm for other rates; only stored, because samples are read at their rate.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { pitch.withLock { $0 } }
    set { pitch.withLock { $0 = newValue } }
  }

  override func problem(in asset: AVAsset) -> AVError? { super.problem(in: asset) ?? source.problem(in: asset) }

  override func source(
    _ range: CMTimeRange, of asset: AVAsset, _ settings: LinearPCMSettings
  ) -> (any SampleSource)? {
    SampleReader(range, of: source, in: asset, as: settings.format)
  }
}

extension AVAssetTrack {
  /// Returns the reason why the samples of the track cannot be read by a reader of an asset; nil if they can.
  func problem(in asset: AVAsset) -> AVError? {
    if mediaType != .audio {
      return PlayerError(code: .noAudio, message: "the track \(trackID) is not audio").formatError
    }
    if self.asset !== asset {
      return PlayerError(code: .invalidArgument, message: "the track \(trackID) is not of the reader's asset")
        .formatError
    }
    return nil
  }
}

extension SampleReader {
  /// Creates a reader of a range of a track.
  convenience init(_ range: CMTimeRange, of track: AVAssetTrack, in asset: AVAsset, as format: SampleFormat) {
    let start = range.start.duration ?? .zero
    // The load of an asset with invalid headers fails, and gives no tracks.
    let headers = (try? asset.loader.headers.get()) ?? nil
    self.init(
      asset.uri, headers: headers, track: Int(track.trackID) - 1, as: format, from: start, to: range.end.duration)
  }
}
