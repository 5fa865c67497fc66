public import Foundation
import GstPlayer
import Observation
import Synchronization

/// An item of a player, with the interface of Apple's `AVPlayerItem`.
///
/// An item belongs to one player at most. While it is current, it has the state of its player; afterwards, it keeps the last
/// state. It has the same isolation as ``AVPlayer``.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject, NSCopying, AVKeyValueObserving {
  /// The media of the item.
  nonisolated open var asset: AVAsset { media }
  nonisolated let media: AVAsset
  /// The keys that were given when the item was created; the player does not wait for their values.
  nonisolated open var automaticallyLoadedAssetKeys: [String] { loadedKeys }
  nonisolated private let loadedKeys: [String]
  nonisolated let state = Mutex(AVPlayerItemState())
  /// The observers of the properties of the item.
  nonisolated public let keyValueObservers = AVKeyValueObservers()
  nonisolated let registrar = AVPlayer.isObservationEnabled ? ObservationRegistrar() : nil

  /// Creates an item for the media of a URL.
  nonisolated public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }

  /// Creates an item for an asset.
  nonisolated public convenience init(asset: AVAsset) { self.init(asset: asset, automaticallyLoadedAssetKeys: nil) }

  /// Creates an item for an asset; the keys are only stored, because an item is ready without them.
  nonisolated public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
    media = asset
    loadedKeys = automaticallyLoadedAssetKeys ?? []
    super.init()
    announceProperties()
  }

  /// Creates an item for an asset; the properties are only stored, because an item is ready without them.
  nonisolated public convenience init(
    asset: AVAsset, automaticallyLoadedAssetKeys: [AVPartialAsyncProperty<AVAsset>]
  ) {
    self.init(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys.map(\.description))
  }

  /// Returns a new item with the same asset and settings, which belongs to no player.
  nonisolated open func copy(with zone: NSZone? = nil) -> Any { replica(of: .invalid) }

  // MARK: Readiness

  /// Whether the item is ready to play; `unknown` until it has been current.
  nonisolated open var status: Status {
    access(\.status)
    if hasFailed { return .failed }
    return (facts?.isReady ?? false) ? .readyToPlay : .unknown
  }

  /// The error of an item that has failed; nil otherwise.
  nonisolated open var error: (any Error)? { state.withLock { $0.failure } }

  // MARK: Tracks

  /// The audio tracks; empty until the item has been ready.
  nonisolated open var tracks: [AVPlayerItemTrack] { observed(\.tracks, currentTracks) }

  // MARK: Time

  /// The duration of the media, or of the range for an item of a looper; `indefinite` until it is known, and for a
  /// live stream.
  nonisolated open var duration: CMTime { observed(\.duration, CMTime(durationWithoutForwardEnd)) }

  /// Returns the current time; zero unless the item has been current.
  nonisolated open func currentTime() -> CMTime {
    facts.map { CMTime($0.start + $0.position) } ?? .zero
  }

  /// Returns nil, because media does not have dates here.
  nonisolated open func currentDate() -> Date? { nil }

  /// The end of forward playback; `invalid` for the end of the media.
  ///
  /// If it is set while the item is current, the item is opened again at its position.
  nonisolated open var forwardPlaybackEndTime: CMTime {
    get { state.withLock { $0.forwardEnd } }
    set {
      state.withLock { $0.forwardEnd = newValue }
      owner?.reopen(self)
    }
  }

  /// The end of reverse playback; only stored, because an item is played forwards only.
  nonisolated open var reversePlaybackEndTime: CMTime {
    get { state.withLock { $0.reverseEnd } }
    set { state.withLock { $0.reverseEnd = newValue } }
  }

  // MARK: Seeking

  /// Seeks near a time while the item is current, and calls `completionHandler` on the main queue with the result.
  ///
  /// The result is false unless the item is current.
  @preconcurrency
  nonisolated open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    seek(to: time, within: .infinity, completionHandler)
  }

  /// Seeks near a time while the item is current, and waits for the result.
  @discardableResult
  nonisolated open func seek(to time: CMTime) async -> Bool { await seek(to: time, within: .infinity) }

  /// Seeks to a time within tolerances; zero is exact.
  @preconcurrency
  nonisolated open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: (@Sendable (Bool) -> Void)?
  ) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), completionHandler)
  }

  /// Seeks to a time within tolerances, and waits for the result.
  @discardableResult
  nonisolated open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter))
  }

  /// Returns false and does not call `completionHandler`, because media does not have dates here.
  @discardableResult
  nonisolated open func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool { false }

  /// Finishes every pending seek with false; a seek that has begun is still carried out.
  nonisolated open func cancelPendingSeeks() { if snapshot != nil { owner?.player.cancelPendingSeeks() } }

  // MARK: Capabilities

  /// Whether rates above 1 are possible: while the item is seekable.
  nonisolated open var canPlayFastForward: Bool { facts?.isSeekable ?? false }
  /// Whether rates between 0 and 1 are possible: while the item is seekable.
  nonisolated open var canPlaySlowForward: Bool { facts?.isSeekable ?? false }
  /// Whether the rate −1 is possible; always false.
  nonisolated open var canPlayReverse: Bool { false }
  /// Whether rates below −1 are possible; always false.
  nonisolated open var canPlayFastReverse: Bool { false }
  /// Whether rates between −1 and 0 are possible; always false.
  nonisolated open var canPlaySlowReverse: Bool { false }
  /// Whether the item can step forwards; always false, because only audio is played.
  nonisolated open var canStepForward: Bool { false }
  /// Whether the item can step backwards; always false, because only audio is played.
  nonisolated open var canStepBackward: Bool { false }
  /// The size of the video; always zero, because only audio is played.
  nonisolated open var presentationSize: CGSize { .zero }

  // MARK: The buffer

  /// The received ranges, as values of `CMTimeRange`; for a network stream, an estimate.
  nonisolated open var loadedTimeRanges: [NSValue] {
    observed(\.loadedTimeRanges, values(snapshot?.loadedTimeRanges))
  }

  /// The ranges in which the item can seek, as values of `CMTimeRange`.
  nonisolated open var seekableTimeRanges: [NSValue] {
    observed(\.seekableTimeRanges, values(snapshot?.seekableTimeRanges))
  }

  /// Whether playback would not wait for the buffer; equal to ``isPlaybackBufferFull``.
  nonisolated open var isPlaybackLikelyToKeepUp: Bool {
    observed(\.isPlaybackLikelyToKeepUp, snapshot?.isPlaybackLikelyToKeepUp ?? false)
  }

  /// Whether the buffer is full.
  nonisolated open var isPlaybackBufferFull: Bool {
    observed(\.isPlaybackBufferFull, snapshot?.isPlaybackBufferFull ?? false)
  }

  /// Whether the buffer has run dry; true until the item is loaded.
  nonisolated open var isPlaybackBufferEmpty: Bool {
    observed(
      \.isPlaybackBufferEmpty, snapshot?.itemStatus == .readyToPlay ? snapshot?.isPlaybackBufferEmpty ?? true : true)
  }

  /// The seconds of a network stream to buffer ahead of the time, 1 to 600; 0, the initial value, for about 2 s.
  ///
  /// A player has one value: the last one set on any of its items. It applies to items that are opened later.
  nonisolated open var preferredForwardBufferDuration: TimeInterval {
    get { state.withLock { $0.forwardBuffer } }
    set {
      guard newValue.isFinite, newValue >= 0 else { return }
      state.withLock { $0.forwardBuffer = newValue }
      applyForwardBuffer()
    }
  }

  // MARK: Media selection

  /// The audio track that is selected.
  nonisolated open var currentMediaSelection: AVMediaSelection {
    AVMediaSelection(
      snapshot?.audioTrackIndex ?? state.withLock { $0.selectedTrack } ?? facts?.audioTrackIndex, of: asset)
  }

  /// Selects an audio track; before the item is current, for its next playback.
  ///
  /// Nil is ignored, as is an option that the group does not have.
  /// Playback continues with the other track at the same position.
  nonisolated open func select(
    _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
  ) {
    guard let option = mediaSelectionOption, mediaSelectionGroup.options.contains(option) else { return }
    select(option.index)
  }

  /// Selects the audio track that the criteria of the player prefer, or else the default one.
  nonisolated open func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
    let languages = owner?.player.preferredAudioLanguages ?? []
    let options = AVMediaSelectionGroup.mediaSelectionOptions(
      from: mediaSelectionGroup.options, filteredAndSortedAccordingToPreferredLanguages: languages)
    select(options.first ?? mediaSelectionGroup.defaultOption, in: mediaSelectionGroup)
  }

  /// Returns the option of a group that is selected.
  nonisolated open func selectedMediaOption(
    in mediaSelectionGroup: AVMediaSelectionGroup
  ) -> AVMediaSelectionOption? {
    currentMediaSelection.selectedMediaOption(in: mediaSelectionGroup)
  }

  // MARK: Outputs

  /// The outputs of the item.
  nonisolated open var outputs: [AVPlayerItemOutput] { state.withLock { $0.outputs } }

  /// Adds an output; an output that belongs to an item already is ignored.
  nonisolated open func add(_ output: AVPlayerItemOutput) {
    guard output.join(self) else { return }
    state.withLock { $0.outputs.append(output) }
    output.connect()
  }

  /// Removes an output; on its delegate's queue, no call begins afterwards.
  ///
  /// An output of another item is ignored.
  nonisolated open func remove(_ output: AVPlayerItemOutput) {
    let removed = state.withLock { state in
      state.outputs.firstIndex { $0 === output }.map { state.outputs.remove(at: $0) }
    }
    guard removed != nil else { return }
    output.leave()
    output.connect()
  }

  // MARK: Sound

  /// The volume of the tracks over the time of the item; nil, initially, for a constant volume.
  ///
  /// The item copies it. A change during playback is audible at once with a sound server, otherwise after the samples that the
  /// output has buffered.
  nonisolated open var audioMix: AVAudioMix? {
    get { state.withLock { $0.audioMix } }
    set {
      let mix = newValue?.copy() as? AVAudioMix
      state.withLock { $0.audioMix = mix }
      owner?.shapeVolume(of: self)
    }
  }

  /// The treatment of the pitch at another rate than 1, initially `timeDomain`.
  ///
  /// A player has one value: the last one set on any of its items. A change opens the output again, with the audible
  /// sample.
  nonisolated open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { state.withLock { $0.timePitch } ?? .timeDomain }
    set {
      state.withLock { $0.timePitch = newValue }
      applyTimePitch()
    }
  }

  // MARK: Metadata

  /// The metadata given by the program; the player does not use it.
  nonisolated open var externalMetadata: [AVMetadataItem] {
    get { state.withLock { $0.externalMetadata } }
    set { state.withLock { $0.externalMetadata = newValue } }
  }

  /// The info of the item for an `MPNowPlayingSession` of the module `MediaPlayer` that publishes automatically.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/nowplayinginfo>
  nonisolated open var nowPlayingInfo: [String: Any]? {
    get { state.withLock { $0.nowPlayingInfo }.values }
    set {
      let info = NowPlayingInfo(values: newValue)
      state.withLock { $0.nowPlayingInfo = info }
      MainQueue.async { [self] in keyValueObservers.notify(self) }
    }
  }

  /// The timed metadata at the current time, such as the title of a station; nil before the first.
  ///
  /// It is followed from the first time that it is read or observed.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/timedmetadata>
  nonisolated open var timedMetadata: [AVMetadataItem]? {
    let (metadata, isFirst) = state.withLock { state in
      defer { state.followsTimedMetadata = true }
      return (state.timedMetadata, !state.followsTimedMetadata)
    }
    if isFirst, let owner { owner.state.withLock { owner.followTimedMetadata(&$0) } }
    return metadata
  }

  // MARK: The timebase

  /// The time of the item, and the rate at which it advances now: 0 while the item is paused, stalls or is not current.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/timebase>
  nonisolated open var timebase: CMTimebase? {
    CMTimebase { [weak self] in
      guard let self else { return (.invalid, 0) }
      let snapshot = snapshot
      return (currentTime(), snapshot?.timeControlStatus == .playing ? snapshot?.rate ?? 0 : 0)
    }
  }

  // MARK: Logs

  /// Returns the playbacks of the item; nil before the first one.
  ///
  /// The playback in progress has its present values. The player keeps the log as long as it exists, with the last 100
  /// playbacks of all its items.
  nonisolated open func accessLog() -> AVPlayerItemAccessLog? {
    let events = logged(\.accessLog, item: \.item).map { AVPlayerItemAccessLogEvent($0, of: asset) }
    return events.isEmpty ? nil : AVPlayerItemAccessLog(events)
  }

  /// Returns the errors of the item, including those from which playback recovered; nil without an error.
  ///
  /// The player keeps the log as long as it exists, with the last 100 errors of all its items.
  nonisolated open func errorLog() -> AVPlayerItemErrorLog? {
    let events = logged(\.errorLog, item: \.item).map { AVPlayerItemErrorLogEvent($0, of: asset) }
    return events.isEmpty ? nil : AVPlayerItemErrorLog(events)
  }

  // MARK: Settings that are only stored

  /// The highest bit rate of a variant, 0 for any; only stored, because the variant is fixed when a stream is opened.
  nonisolated open var preferredPeakBitRate: Double {
    get { state.withLock { $0.stored.peakBitRate } }
    set { state.withLock { $0.stored.peakBitRate = newValue } }
  }

  /// The highest bit rate of a variant on an expensive network; only stored.
  nonisolated open var preferredPeakBitRateForExpensiveNetworks: Double {
    get { state.withLock { $0.stored.peakBitRateForExpensiveNetworks } }
    set { state.withLock { $0.stored.peakBitRateForExpensiveNetworks = newValue } }
  }

  /// The largest picture of a variant; only stored, because only audio is played.
  nonisolated open var preferredMaximumResolution: CGSize {
    get { state.withLock { $0.stored.maximumResolution } }
    set { state.withLock { $0.stored.maximumResolution = newValue } }
  }

  /// The largest picture of a variant on an expensive network; only stored.
  nonisolated open var preferredMaximumResolutionForExpensiveNetworks: CGSize {
    get { state.withLock { $0.stored.maximumResolutionForExpensiveNetworks } }
    set { state.withLock { $0.stored.maximumResolutionForExpensiveNetworks = newValue } }
  }

  /// Whether playback begins with the first variant of the playlist that fits; only stored.
  nonisolated open var startsOnFirstEligibleVariant: Bool {
    get { state.withLock { $0.stored.startsOnFirstEligibleVariant } }
    set { state.withLock { $0.stored.startsOnFirstEligibleVariant = newValue } }
  }

  /// Whether a paused live stream uses the network; only stored, because a paused player keeps its connection.
  nonisolated open var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
    get { state.withLock { $0.stored.usesNetworkWhilePaused } }
    set { state.withLock { $0.stored.usesNetworkWhilePaused = newValue } }
  }

  /// Whether the distance from the live edge is kept after buffering; only stored.
  nonisolated open var automaticallyPreservesTimeOffsetFromLive: Bool {
    get { state.withLock { $0.stored.preservesTimeOffsetFromLive } }
    set { state.withLock { $0.stored.preservesTimeOffsetFromLive = newValue } }
  }

  /// The distance from the live edge; only stored, because a live stream is played from its live edge.
  nonisolated open var configuredTimeOffsetFromLive: CMTime {
    get { state.withLock { $0.stored.timeOffsetFromLive } }
    set { state.withLock { $0.stored.timeOffsetFromLive = newValue } }
  }

  /// The formats that may be played as spatial audio; only stored, initially `monoStereoAndMultichannel`.
  nonisolated open var allowedAudioSpatializationFormats: AVAudioSpatializationFormats {
    get { state.withLock { $0.stored.spatialFormats } }
    set { state.withLock { $0.stored.spatialFormats = newValue } }
  }

  /// The recommended distance from the live edge; always `invalid`.
  nonisolated open var recommendedTimeOffsetFromLive: CMTime { .invalid }
}
