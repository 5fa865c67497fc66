// The list of Apple's names that this module lacks: the compiler reports the message instead of an unknown name, and `make tables` writes
// the list of the page. A declaration is one line, so that it reads like Apple's interface; no body is ever run.
// swift-format-ignore-file

import AVFAudio
public import CoreMedia
public import Foundation

@available(*, unavailable, message: "use AVKeyValueObserver as the superclass of the observer instead of NSObject, see docs/PORTING.md")
extension AVKeyValueObserving {
  public func addObserver(_ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?) { unavailable() }
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) { unavailable() }
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) { unavailable() }
}

@available(*, unavailable, message: "observe with an object of a subclass of AVKeyValueObserver, see docs/PORTING.md")
extension AVKeyValueObserving {
  public func observeValue(forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?) { unavailable() }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
extension AVPlayer {
  public var videoOutput: AVPlayerVideoOutput? { get { unavailable() } set {} }
  public var externalPlaybackVideoGravity: AVLayerVideoGravity { get { unavailable() } set {} }
  public var preferredVideoDecoderGPURegistryID: UInt64 { get { unavailable() } set {} }
  public static var availableHDRModes: AVPlayer.HDRMode { unavailable() }
  public static var eligibleForHDRPlayback: Bool { unavailable() }
  public static var eligibleForHDRPlaybackDidChangeNotification: Notification.Name { unavailable() }
  public struct HDRMode: OptionSet, Sendable { public var rawValue: Int; public init(rawValue: Int) { unavailable() }; public static var hlg: Self { unavailable() }; public static var hdr10: Self { unavailable() }; public static var dolbyVision: Self { unavailable() } }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
extension Notification.Name {
  public static var AVPlayerAvailableHDRModesDidChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "media does not have dates here: seek to a CMTime")
extension AVPlayerItem {
  public func seek(to date: Date) -> Bool { unavailable() }
}

@available(*, unavailable, message: "only the machine's clock is available")
extension AVPlayer {
  public var sourceClock: CMClock? { get { unavailable() } set {} }
  public var masterClock: CMClock? { get { unavailable() } set {} }
}

@available(*, unavailable, message: "use Player.audioOutput of GstPlayer; the desktop selects the output of an AVPlayer")
extension AVPlayer {
  public var audioOutputDeviceUniqueID: String? { get { unavailable() } set {} }
}

@available(*, unavailable, message: "an audio session does not suppress players on Linux")
extension AVPlayer {
  public var audioOutputSuppressedDueToNonMixableAudioRoute: Bool { unavailable() }
}

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
extension AVPlayer {
  public var isOutputObscuredDueToInsufficientExternalProtection: Bool { unavailable() }
}

@available(*, unavailable, message: "shared playback is not available")
extension AVPlayer {
  public var playbackCoordinator: AVPlayerPlaybackCoordinator { unavailable() }
  public static var rateDidChangeOriginatingParticipantKey: String { unavailable() }
}

@available(*, unavailable, message: "shared playback is not available")
extension AVPlayer.WaitingReason {
  public static var waitingForCoordinatedPlayback: AVPlayer.WaitingReason { unavailable() }
}

@available(*, unavailable, message: "interstitial events are not available")
extension AVPlayer.WaitingReason {
  public static var interstitialEvent: AVPlayer.WaitingReason { unavailable() }
}

@available(*, unavailable, message: "streams are not ranked")
extension AVPlayer {
  public var networkResourcePriority: AVPlayer.NetworkResourcePriority { get { unavailable() } set {} }
  public enum NetworkResourcePriority: Int { case `default`, low, high }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
extension AVPlayerItem {
  public func step(byCount stepCount: Int) { unavailable() }
  public var videoComposition: AVVideoComposition? { get { unavailable() } set {} }
  public var customVideoCompositor: (any AVVideoCompositing)? { unavailable() }
  public var seekingWaitsForVideoCompositionRendering: Bool { get { unavailable() } set {} }
  public var videoApertureMode: AVVideoApertureMode { get { unavailable() } set {} }
  public var appliesPerFrameHDRDisplayMetadata: Bool { get { unavailable() } set {} }
}

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
extension AVPlayerItem {
  public var textStyleRules: [AVTextStyleRule]? { get { unavailable() } set {} }
}

@available(*, unavailable, message: "use allowedAudioSpatializationFormats; audio is not played as spatial audio")
extension AVPlayerItem {
  public var isAudioSpatializationAllowed: Bool { get { unavailable() } set {} }
}

@available(*, unavailable, message: "the offset from the live edge does not change: a live stream is played from its live edge")
extension AVPlayerItem {
  public static var recommendedTimeOffsetFromLiveDidChangeNotification: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "use AVPlayerItemMetadataOutput; collectors are not available")
extension AVPlayerItem {
  public var mediaDataCollectors: [AVPlayerItemMediaDataCollector] { unavailable() }
  public func add(_ collector: AVPlayerItemMediaDataCollector) { unavailable() }
  public func remove(_ collector: AVPlayerItemMediaDataCollector) { unavailable() }
}

@available(*, unavailable, message: "use AVPlayerItemMetadataOutput; collectors are not available")
open class AVPlayerItemMediaDataCollector: NSObject {
  public override init() { unavailable() }
}

@available(*, unavailable, message: "use AVPlayerItemMetadataOutput; collectors are not available")
open class AVPlayerItemMetadataCollector: AVPlayerItemMediaDataCollector {
  public override init() { unavailable() }
  public init(identifiers: [String]?, classifyingLabels: [String]?) { unavailable() }
  public func setDelegate(_ delegate: (any AVPlayerItemMetadataCollectorPushDelegate)?, queue delegateQueue: DispatchQueue?) { unavailable() }
  public var delegate: (any AVPlayerItemMetadataCollectorPushDelegate)?
  public var delegateQueue: DispatchQueue?
}

@available(*, unavailable, message: "use AVPlayerItemMetadataOutput; collectors are not available")
public protocol AVPlayerItemMetadataCollectorPushDelegate: AnyObject {}

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
extension AVPlayerItem {
  public var isAuthorizationRequiredForPlayback: Bool { unavailable() }
  public var isApplicationAuthorizedForPlayback: Bool { unavailable() }
  public var isContentAuthorizedForPlayback: Bool { unavailable() }
}

@available(*, unavailable, message: "interstitial events are not available")
extension AVPlayerItem {
  public var integratedTimeline: AVPlayerItemIntegratedTimeline { unavailable() }
  public var automaticallyHandlesInterstitialEvents: Bool { get { unavailable() } set {} }
  public var translatesPlayerInterstitialEvents: Bool { get { unavailable() } set {} }
  public var templatePlayerItem: AVPlayerItem? { unavailable() }
}

@available(*, unavailable, message: "the variant of a stream is fixed when it is opened")
extension AVPlayerItem {
  public var variantPreferences: AVVariantPreferences { get { unavailable() } set {} }
  public struct VariantPreferences: OptionSet, Sendable { public var rawValue: UInt; public init(rawValue: UInt) { unavailable() } }
}

@available(*, unavailable, message: "the variant of a stream is fixed when it is opened")
public struct AVVariantPreferences: OptionSet, Sendable {
  public var rawValue: UInt
  public init(rawValue: UInt) { unavailable() }
  public static var scalabilityToLosslessAudio: Self { unavailable() }
}

@available(*, unavailable, message: "the variant of a stream is fixed when it is opened")
open class AVAssetVariant: NSObject {
  public var peakBitRate: Double?
  public var averageBitRate: Double?
  public override init() { unavailable() }
}

@available(*, unavailable, message: "the variant of a stream is fixed when it is opened")
extension AVURLAsset {
  public var variants: [AVAssetVariant] { unavailable() }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
extension AVPlayerItemTrack {
  public var videoFieldMode: String? { get { unavailable() } set {} }
}

@available(*, unavailable, message: "Mach times are not available: use itemTime(forHostTime:)")
extension AVPlayerItemOutput {
  public func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime { unavailable() }
}

@available(*, unavailable, message: "not known here: use observedBitrate")
extension AVPlayerItemAccessLogEvent {
  public var observedMaxBitrate: Double { unavailable() }
  public var observedMinBitrate: Double { unavailable() }
}

@available(*, unavailable, message: "not known here: use errorStatusCode")
extension AVPlayerItemErrorLogEvent {
  public var allHTTPResponseHeaderFields: [String: String]? { unavailable() }
}

@available(*, unavailable, message: "not known here: use numberOfMediaRequests")
extension AVPlayerItemAccessLogEvent {
  public var numberOfSegmentsDownloaded: Int { unavailable() }
}

@available(*, unavailable, message: "track groups, references and albums of photos are not available")
extension AVAsset {
  public func unusedTrackID() -> CMPersistentTrackID { unavailable() }
  public var trackGroups: [Any] { unavailable() }
  public var referenceRestrictions: Any { unavailable() }
  public var isCompatibleWithSavedPhotosAlbum: Bool { unavailable() }
}

@available(*, unavailable, message: "media does not change after it is opened")
extension Notification.Name {
  public static var AVAssetDurationDidChange: Notification.Name { unavailable() }
  public static var AVAssetContainsFragmentsDidChange: Notification.Name { unavailable() }
  public static var AVAssetWasDefragmented: Notification.Name { unavailable() }
  public static var AVAssetChapterMetadataGroupsDidChange: Notification.Name { unavailable() }
  public static var AVAssetMediaSelectionGroupsDidChange: Notification.Name { unavailable() }
  public static var AVAssetTrackTimeRangeDidChange: Notification.Name { unavailable() }
  public static var AVAssetTrackSegmentsDidChange: Notification.Name { unavailable() }
  public static var AVAssetTrackTrackAssociationsDidChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "the desktop selects the output, and no route is detected")
extension Notification.Name {
  public static var AVRouteDetectorMultipleRoutesDetectedDidChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "the plug-ins of GStreamer decide what plays: load isPlayable of the asset")
extension AVURLAsset {
  public static func audiovisualTypes() -> [AVFileType] { unavailable() }
  public static func audiovisualMIMETypes() -> [String] { unavailable() }
  public static func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no compositions; AVQueuePlayer plays items without a gap, see docs/AVFOUNDATION.md")
extension AVURLAsset {
  public func compatibleTrack(for compositionTrack: AVCompositionTrack) -> AVAssetTrack? { unavailable() }
  public func findCompatibleTrack(for compositionTrack: AVCompositionTrack, completionHandler: @escaping (AVAssetTrack?, (any Error)?) -> Void) { unavailable() }
}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
extension AVURLAsset {
  public var assetCache: AVAssetCache? { unavailable() }
}

@available(*, unavailable, message: "not available: AVURLAsset.init(url:options:) has the options of requests")
extension AVURLAsset {
  public var httpSessionIdentifier: UUID { unavailable() }
}

@available(*, unavailable, message: "edit lists, samples and associations of tracks are not available: AVAssetReader reads samples")
extension AVAssetTrack {
  public var hasAudioSampleDependencies: Bool { unavailable() }
  public var segments: [Any] { unavailable() }
  public func segment(forTrackTime trackTime: CMTime) -> Any? { unavailable() }
  public func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime { unavailable() }
  public var availableTrackAssociationTypes: [AVAssetTrack.AssociationType] { unavailable() }
  public func associatedTracks(ofType trackAssociationType: AVAssetTrack.AssociationType) -> [AVAssetTrack] { unavailable() }
  public func loadAssociatedTracks(ofType trackAssociationType: AVAssetTrack.AssociationType) async throws -> [AVAssetTrack] { unavailable() }
  public func makeSampleCursor(presentationTimeStamp: CMTime) -> Any? { unavailable() }
  public func makeSampleCursorAtFirstSampleInDecodeOrder() -> Any? { unavailable() }
  public func makeSampleCursorAtLastSampleInDecodeOrder() -> Any? { unavailable() }
  public struct AssociationType: RawRepresentable, Hashable, Sendable { public var rawValue: String; public init(rawValue: String) { unavailable() } }
}

@available(*, unavailable, message: "use metadata: a track has one format")
extension AVAssetTrack {
  public var availableMetadataFormats: [AVMetadataFormat] { unavailable() }
  public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] { unavailable() }
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] { unavailable() }
}

@available(*, unavailable, message: "selections are not archived or exported")
extension AVMediaSelectionOption {
  public var mediaSubTypes: [NSNumber] { unavailable() }
  public var availableMetadataFormats: [String] { unavailable() }
  public func metadata(forFormat format: String) -> [AVMetadataItem] { unavailable() }
  public func propertyList() -> Any { unavailable() }
  public func associatedMediaSelectionOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? { unavailable() }
}

@available(*, unavailable, message: "selections are not archived or exported")
extension AVMediaSelectionGroup {
  public func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? { unavailable() }
}

@available(*, unavailable, message: "selections are not archived or exported")
extension AVMediaSelection {
  public func mediaSelectionCriteriaCanBeAppliedAutomatically(to mediaSelectionGroup: AVMediaSelectionGroup) -> Bool { unavailable() }
}

@available(*, unavailable, message: "selections are not archived or exported")
open class AVMutableMediaSelection: NSObject {
  public override init() { unavailable() }
  public func select(_ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup) { unavailable() }
}

@available(*, unavailable, message: "use id3MetadataCommercial")
extension AVMetadataIdentifier {
  public static var id3MetadataCommerical: AVMetadataIdentifier { unavailable() }
}

@available(*, unavailable, message: "use id3MetadataKeyCommercial")
extension AVMetadataKey {
  public static var id3MetadataKeyCommerical: AVMetadataKey { unavailable() }
}

@available(*, unavailable, message: "use metadataItems(from:filteredByIdentifier:)")
extension AVMetadataItem {
  public static func metadataItems(from metadataItems: [AVMetadataItem], filteredBy metadataItemFilter: Any) -> [AVMetadataItem] { unavailable() }
}

@available(*, unavailable, message: "use metadataItems(from:filteredByIdentifier:)")
open class AVMetadataItemFilter: NSObject { public static func forSharing() -> AVMetadataItemFilter { unavailable() } }

@available(*, unavailable, message: "groups of metadata have items and a time alone")
extension AVMetadataGroup {
  public var classifyingLabel: String? { unavailable() }
  public var uniqueID: String? { unavailable() }
}

@available(*, unavailable, message: "metadata tracks are not read as samples")
extension AVTimedMetadataGroup {
  public convenience init?(sampleBuffer: CMSampleBuffer) { unavailable() }
  public func copyFormatDescription() -> Any? { unavailable() }
}

@available(*, unavailable, message: "groups of metadata have items and a time alone")
open class AVMutableDateRangeMetadataGroup: NSObject { public init(items: [AVMetadataItem], start startDate: Date, end endDate: Date?) { unavailable() } }

@available(*, unavailable, message: "protected content and redirections are not available, see docs/AVFOUNDATION.md")
extension AVAssetResourceLoader {
  public var preloadsEligibleContentKeys: Bool { get { unavailable() } set {} }
  public var sendsCommonMediaClientDataAsHTTPHeaders: Bool { get { unavailable() } set {} }
}

@available(*, unavailable, message: "protected content and redirections are not available, see docs/AVFOUNDATION.md")
extension AVAssetResourceLoadingRequest {
  public var response: Any? { get { unavailable() } set {} }
  public var redirect: Any? { get { unavailable() } set {} }
  public var requestor: AVAssetResourceLoadingRequestor { unavailable() }
  public func streamingContentKeyRequestData(forApp appIdentifier: Data, contentIdentifier: Data, options: [String: Any]? = nil) throws -> Data { unavailable() }
  public func persistentContentKey(fromKeyVendorResponse keyVendorResponse: Data, options: [String: Any]? = nil) throws -> Data { unavailable() }
  public func finishLoading(with response: Any?, data: Data?, redirect: Any?) { unavailable() }
}

@available(*, unavailable, message: "protected content and redirections are not available, see docs/AVFOUNDATION.md")
extension AVAssetResourceLoadingContentInformationRequest {
  public var allowedContentTypes: [String]? { unavailable() }
  public var renewalDate: Date? { get { unavailable() } set {} }
  public var isEntireLengthAvailableOnDemand: Bool { get { unavailable() } set {} }
}

@available(*, unavailable, message: "protected content and redirections are not available, see docs/AVFOUNDATION.md")
open class AVAssetResourceRenewalRequest: AVAssetResourceLoadingRequest, @unchecked Sendable {}  // as its superclass

@available(*, unavailable, message: "protected content and redirections are not available, see docs/AVFOUNDATION.md")
open class AVAssetResourceLoadingRequestor: NSObject {
  public var providesExpiredSessionReports: Bool
  public override init() { unavailable() }
}

@available(*, unavailable, message: "protected content and redirections are not available, see docs/AVFOUNDATION.md")
public let AVAssetResourceLoadingRequestStreamingContentKeyRequestRequiresPersistentKey = ""

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
extension AVContentKeySession {
  public convenience init(keySystem: AVContentKeySystem, storageDirectoryAt storageURL: URL) { unavailable() }
  public var storageURL: URL? { unavailable() }
  public var contentProtectionSessionIdentifier: Data? { unavailable() }
  public func processContentKeyRequest(withIdentifier identifier: Any?, initializationData: Data?, options: [String: Any]? = nil) { unavailable() }
  public func renewExpiringResponseData(for contentKeyRequest: AVContentKeyRequest) { unavailable() }
  public func makeSecureTokenForExpirationDate(ofPersistableContentKey persistableContentKeyData: Data, completionHandler handler: @escaping (Data?, (any Error)?) -> Void) { unavailable() }
  public func invalidatePersistableContentKey(_ persistableContentKeyData: Data, options: [AVContentKeySessionServerPlaybackContextOption: Any]? = nil, completionHandler handler: @escaping (Data?, (any Error)?) -> Void) { unavailable() }
  public func invalidateAllPersistableContentKeys(forApp appIdentifier: Data, options: [AVContentKeySessionServerPlaybackContextOption: Any]? = nil, completionHandler handler: @escaping (Data?, (any Error)?) -> Void) { unavailable() }
  public static func pendingExpiredSessionReports(withAppIdentifier appIdentifier: Data, storageDirectoryAt storageURL: URL) -> [Data] { unavailable() }
  public static func removePendingExpiredSessionReports(_ expiredSessionReports: [Data], withAppIdentifier appIdentifier: Data, storageDirectoryAt storageURL: URL) { unavailable() }
}

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
extension AVContentKeyRequest {
  public var status: AVContentKeyRequest.Status { unavailable() }
  public var error: (any Error)? { unavailable() }
  public var initializationData: Data? { unavailable() }
  public var options: [String: Any] { unavailable() }
  public var canProvidePersistableContentKey: Bool { unavailable() }
  public var renewsExpiringResponseData: Bool { unavailable() }
  public func makeStreamingContentKeyRequestData(forApp appIdentifier: Data, contentIdentifier: Data?, options: [String: Any]? = nil, completionHandler handler: @escaping (Data?, (any Error)?) -> Void) { unavailable() }
  public func makeStreamingContentKeyRequestData(forApp appIdentifier: Data, contentIdentifier: Data?, options: [String: Any]? = nil) async throws -> Data { unavailable() }
  public func processContentKeyResponse(_ keyResponse: AVContentKeyResponse) { unavailable() }
  public func processContentKeyResponseError(_ error: (any Error)) { unavailable() }
  public func respondByRequestingPersistableContentKeyRequest() { unavailable() }
  public func respondByRequestingPersistableContentKeyRequestAndReturnError() throws { unavailable() }
  public enum Status: Int { case requestingResponse, receivedResponse, renewed, retried, cancelled, failed }
  public struct RetryReason: RawRepresentable, Hashable, Sendable { public var rawValue: String; public init(rawValue: String) { unavailable() }; public static var timedOut: Self { unavailable() }; public static var receivedResponseWithExpiredLease: Self { unavailable() }; public static var receivedObsoleteContentKey: Self { unavailable() } }
}

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
public let AVContentKeyRequestProtocolVersionsKey = ""

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
public let AVStreamingKeyDeliveryContentKeyType = ""

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
public let AVStreamingKeyDeliveryPersistentContentKeyType = ""

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
public struct AVContentKeySessionServerPlaybackContextOption: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { unavailable() }
  public static var protocolVersions: Self { unavailable() }
  public static var serverChallenge: Self { unavailable() }
}

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
open class AVPersistableContentKeyRequest: AVContentKeyRequest {
  public func persistableContentKey(fromKeyVendorResponse keyVendorResponse: Data, options: [String: Any]? = nil) throws -> Data { unavailable() }
}

@available(*, unavailable, message: "protected content cannot be played, see docs/AVFOUNDATION.md")
open class AVContentKeyResponse: NSObject {
  public override init() { unavailable() }
  public init(fairPlayStreamingKeyResponseData keyResponseData: Data) { unavailable() }
  public init(clearKeyData keyData: Data, initializationVector: Data?) { unavailable() }
  public init(authorizationTokenData: Data) { unavailable() }
}

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
extension AVAudioMixInputParameters {
  public var audioTapProcessor: MTAudioProcessingTap? { unavailable() }
}

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public final class MTAudioProcessingTap: NSObject { override init() { unavailable() } }

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public typealias MTAudioProcessingTapFlags = UInt32

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public var kMTAudioProcessingTapCallbacksVersion_0: Int32 { unavailable() }

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public var kMTAudioProcessingTapCreationFlag_PreEffects: UInt32 { unavailable() }

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public var kMTAudioProcessingTapCreationFlag_PostEffects: UInt32 { unavailable() }

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public struct MTAudioProcessingTapCallbacks { public init() { unavailable() } }

@available(*, unavailable, message: "taps of Core Audio are not available: AVAssetReader reads samples, and AVPlayerItem.audioMix sets volumes")
public func MTAudioProcessingTapGetStorage(_ tap: MTAudioProcessingTap) -> UnsafeMutableRawPointer { unavailable() }

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVPlayerLayer: NSObject {
  public override init() { unavailable() }
  public init(player: AVPlayer?) { unavailable() }
  public var player: AVPlayer?
  public var videoGravity: AVLayerVideoGravity
  public var isReadyForDisplay: Bool
  public var videoRect: CGRect
  public var pixelBufferAttributes: [String: Any]?
  public var frame: CGRect
  public var bounds: CGRect
  public var isHidden: Bool
  public var opacity: Float
  public var backgroundColor: Any?
  public func removeFromSuperlayer() { unavailable() }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVSynchronizedLayer: NSObject {
  public override init() { unavailable() }
  public init(playerItem: AVPlayerItem) { unavailable() }
  public var playerItem: AVPlayerItem?
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public enum AVQueuedSampleBufferRenderingStatus: Int { case unknown, rendering, failed }

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public protocol AVQueuedSampleBufferRendering: AnyObject {}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVSampleBufferDisplayLayer: NSObject {
  public override init() { unavailable() }
  public var controlTimebase: Any?
  public var timebase: Any
  public var videoGravity: AVLayerVideoGravity
  public var status: AVQueuedSampleBufferRenderingStatus
  public var error: (any Error)?
  public func flushAndRemoveImage() { unavailable() }
  public var requiresFlushToResumeDecoding: Bool
  public var preventsCapture: Bool
  public var preventsDisplaySleepDuringVideoPlayback: Bool
  public func enqueue(_ sampleBuffer: CMSampleBuffer) { unavailable() }
  public func flush() { unavailable() }
  public var isReadyForMoreMediaData: Bool
  public var frame: CGRect
  public var bounds: CGRect
  public var isHidden: Bool
  public var opacity: Float
  public var backgroundColor: Any?
  public func removeFromSuperlayer() { unavailable() }
}

@available(*, unavailable, message: "samples are not played: AVPlayer plays media, with the data of AVAssetResourceLoader")
open class AVSampleBufferAudioRenderer: NSObject {
  public var allowedAudioSpatializationFormats: AVAudioSpatializationFormats
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool
  public var status: AVQueuedSampleBufferRenderingStatus
  public var error: (any Error)?
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm
  public var volume: Float
  public var isMuted: Bool
  public var isReadyForMoreMediaData: Bool
  public override init() { unavailable() }
  public func enqueue(_ sampleBuffer: CMSampleBuffer) { unavailable() }
  public func flush() { unavailable() }
  public func flush(fromSourceTime time: CMTime, completionHandler: @escaping (Bool) -> Void) { unavailable() }
  public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping () -> Void) { unavailable() }
  public func stopRequestingMediaData() { unavailable() }
}

@available(*, unavailable, message: "samples are not played: AVPlayer plays media, with the data of AVAssetResourceLoader")
open class AVSampleBufferRenderSynchronizer: NSObject {
  public var rate: Float
  public var delaysRateChangeUntilHasSufficientMediaData: Bool
  public override init() { unavailable() }
  public func currentTime() -> CMTime { unavailable() }
  public func setRate(_ rate: Float, time: CMTime) { unavailable() }
  public func addRenderer(_ renderer: Any) { unavailable() }
  public func removeRenderer(_ renderer: Any, at time: CMTime, completionHandler: ((Bool) -> Void)? = nil) { unavailable() }
  public func addPeriodicTimeObserver(forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping (CMTime) -> Void) -> Any { unavailable() }
  public func addBoundaryTimeObserver(forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping () -> Void) -> Any { unavailable() }
  public func removeTimeObserver(_ observer: Any) { unavailable() }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {  // guard: no object exists
  public override init() { unavailable() }
  public init(pixelBufferAttributes: [String: Any]? = nil) { unavailable() }
  public init(outputSettings: [String: Any]?) { unavailable() }
  public func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool { unavailable() }
  public func copyPixelBuffer(forItemTime itemTime: CMTime, itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?) -> Any? { unavailable() }
  public func setDelegate(_ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?) { unavailable() }
  public func requestNotificationOfMediaDataChange(withAdvanceInterval interval: TimeInterval) { unavailable() }
  public var delegate: (any AVPlayerItemOutputPullDelegate)?
  public var delegateQueue: DispatchQueue?
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public protocol AVPlayerItemOutputPullDelegate: AnyObject {}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVPlayerVideoOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVVideoComposition: NSObject {
  public override init() { unavailable() }
  public var customVideoCompositorClass: (any AVVideoCompositing).Type?
  public var frameDuration: CMTime
  public var sourceTrackIDForFrameTiming: CMPersistentTrackID
  public var renderSize: CGSize
  public var renderScale: Float
  public var instructions: [(any AVVideoCompositionInstructionProtocol)]
  public var animationTool: Any?
  public var colorPrimaries: String?
  public var colorYCbCrMatrix: String?
  public var colorTransferFunction: String?
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVMutableVideoComposition: AVVideoComposition {
  public override init() { unavailable() }
  public init(propertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction) { unavailable() }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public protocol AVVideoCompositionInstructionProtocol: AnyObject {}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public protocol AVVideoCompositing: AnyObject {}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public struct AVVideoApertureMode: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { unavailable() }
  public static var cleanAperture: Self { unavailable() }
  public static var productionAperture: Self { unavailable() }
  public static var encodedPixels: Self { unavailable() }
}

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVVideoCompositionInstruction: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVMutableVideoCompositionInstruction: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVVideoCompositionLayerInstruction: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
open class AVMutableVideoCompositionLayerInstruction: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
open class AVTextStyleRule: NSObject {
  public override init() { unavailable() }
  public static func propertyList(for textStyleRules: [AVTextStyleRule]) -> Any { unavailable() }
  public static func textStyleRules(fromPropertyList plist: Any) -> [AVTextStyleRule]? { unavailable() }
  public init?(textMarkupAttributes: [String: Any] = [:]) { unavailable() }
  public init?(textMarkupAttributes: [String: Any] = [:], textSelector: String?) { unavailable() }
  public var textMarkupAttributes: [String: Any]
  public var textSelector: String?
}

@available(*, unavailable, message: "only audio is played: AVMetadataItem.commonIdentifierArtwork of AVAsset.load(.commonMetadata) has a cover")
open class AVAssetImageGenerator: NSObject {
  public override init() { unavailable() }
  public var asset: AVAsset
  public var appliesPreferredTrackTransform: Bool
  public var maximumSize: CGSize
  public var apertureMode: AVAssetImageGenerator.ApertureMode?
  public var videoComposition: AVVideoComposition?
  public var customVideoCompositor: (any AVVideoCompositing)?
  public var requestedTimeToleranceBefore: CMTime
  public var requestedTimeToleranceAfter: CMTime
  public init(asset: AVAsset) { unavailable() }
  public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> Any { unavailable() }
  public func generateCGImagesAsynchronously(forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler) { unavailable() }
  public func cancelAllCGImageGeneration() { unavailable() }
  public struct ApertureMode: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { unavailable() }
    public static var cleanAperture: Self { unavailable() }
    public static var productionAperture: Self { unavailable() }
    public static var encodedPixels: Self { unavailable() }
  }
  public enum Result: Int { case succeeded, failed, cancelled }
  public func image(at time: CMTime) async throws -> (image: Any, actualTime: CMTime) { unavailable() }
  public func images(for times: [CMTime]) -> [Any] { unavailable() }
  public func generateCGImageAsynchronously(for requestedTime: CMTime, completionHandler handler: @escaping (Any?, CMTime, (any Error)?) -> Void) { unavailable() }
}

@available(*, unavailable, message: "only audio is played: AVMetadataItem.commonIdentifierArtwork of AVAsset.load(.commonMetadata) has a cover")
public typealias AVAssetImageGeneratorCompletionHandler = (CMTime, Any?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void

@available(*, unavailable, message: "only audio is played: a film plays without its video, see docs/PORTING.md")
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect { unavailable() }

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
open class AVAssetExportSession: NSObject {
  public override init() { unavailable() }
  public init?(asset: AVAsset, presetName: String) { unavailable() }
  public var presetName: String
  public var asset: AVAsset
  public var outputFileType: AVFileType?
  public var outputURL: URL?
  public var shouldOptimizeForNetworkUse: Bool
  public var status: AVAssetExportSession.Status
  public var error: (any Error)?
  public func exportAsynchronously(completionHandler handler: @escaping () -> Void) { unavailable() }
  public var progress: Float
  public func cancelExport() { unavailable() }
  public static func allExportPresets() -> [String] { unavailable() }
  public static func exportPresets(compatibleWith asset: AVAsset) -> [String] { unavailable() }
  public static func determineCompatibility(ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?, completionHandler handler: @escaping (Bool) -> Void) { unavailable() }
  public var supportedFileTypes: [AVFileType]
  public func determineCompatibleFileTypes(completionHandler handler: @escaping ([AVFileType]) -> Void) { unavailable() }
  public var timeRange: CMTimeRange
  public var maxDuration: CMTime
  public var estimatedOutputFileLength: Int64
  public var fileLengthLimit: Int64
  public func estimateMaximumDuration(completionHandler handler: @escaping (CMTime, (any Error)?) -> Void) { unavailable() }
  public func estimateOutputFileLength(completionHandler handler: @escaping (Int64, (any Error)?) -> Void) { unavailable() }
  public var metadata: [AVMetadataItem]?
  public var metadataItemFilter: Any?
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm
  public var audioMix: AVAudioMix?
  public var videoComposition: AVVideoComposition?
  public var customVideoCompositor: (any AVVideoCompositing)?
  public var canPerformMultiplePassesOverSourceMediaData: Bool
  public var directoryForTemporaryFiles: URL?
  public enum Status: Int { case unknown, waiting, exporting, completed, failed, cancelled }
  public func export() async { unavailable() }
  public func export(to url: URL, as fileType: AVFileType) async throws { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPresetLowQuality = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPresetMediumQuality = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPresetHighestQuality = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPreset640x480 = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPreset960x540 = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPreset1280x720 = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPreset1920x1080 = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPreset3840x2160 = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPresetAppleM4A = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
public let AVAssetExportPresetPassthrough = ""

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
open class AVAssetWriter: NSObject {
  public var error: (any Error)?
  public init(outputURL: URL, fileType outputFileType: AVFileType) throws { unavailable() }
  public init(url outputURL: URL, fileType outputFileType: AVFileType) throws { unavailable() }
  public func canAdd(_ input: AVAssetWriterInput) -> Bool { unavailable() }
  public func add(_ input: AVAssetWriterInput) { unavailable() }
  public func startWriting() -> Bool { unavailable() }
  public func startSession(atSourceTime startTime: CMTime) { unavailable() }
  public func finishWriting(completionHandler handler: @escaping () -> Void) { unavailable() }
  public func finishWriting() async { unavailable() }
  public func cancelWriting() { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is written; AVAssetReader reads samples, see docs/AVFOUNDATION.md")
open class AVAssetWriterInput: NSObject {
  public var isReadyForMoreMediaData: Bool
  public var expectsMediaDataInRealTime: Bool
  public init(mediaType: AVMediaType, outputSettings: [String: Any]?) { unavailable() }
  public func append(_ sampleBuffer: CMSampleBuffer) -> Bool { unavailable() }
  public func markAsFinished() { unavailable() }
  public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping () -> Void) { unavailable() }
}

@available(*, unavailable, message: "audio tracks alone are read: use AVAssetReaderTrackOutput")
open class AVAssetReaderVideoCompositionOutput: NSObject { public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) { unavailable() } }

@available(*, unavailable, message: "audio tracks alone are read: use AVAssetReaderTrackOutput")
open class AVAssetReaderSampleReferenceOutput: NSObject { public init(track: AVAssetTrack) { unavailable() } }

@available(*, unavailable, message: "audio tracks alone are read: use AVAssetReaderTrackOutput")
open class AVAssetReaderOutputMetadataAdaptor: NSObject { public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) { unavailable() } }

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
open class AVAssetDownloadTask: NSObject {
  public override init() { unavailable() }
  public var urlAsset: AVURLAsset
  public var destinationURL: URL
  public var options: [String: Any]?
  public var loadedTimeRanges: [NSValue]
  public var taskDescription: String?
  public var taskIdentifier: Int
  public var progress: Progress
  public var error: (any Error)?
  public func resume() { unavailable() }
  public func suspend() { unavailable() }
  public func cancel() { unavailable() }
}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
open class AVAggregateAssetDownloadTask: NSObject {
  public override init() { unavailable() }
  public var urlAsset: AVURLAsset
  public var taskDescription: String?
  public var taskIdentifier: Int
  public var progress: Progress
  public var error: (any Error)?
  public func resume() { unavailable() }
  public func suspend() { unavailable() }
  public func cancel() { unavailable() }
}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
public protocol AVAssetDownloadDelegate: AnyObject {}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
open class AVAssetDownloadURLSession: NSObject {
  public override init() { unavailable() }
  public init(configuration: Any, assetDownloadDelegate delegate: (any AVAssetDownloadDelegate)?, delegateQueue: OperationQueue?) { unavailable() }
  public func makeAssetDownloadTask(asset URLAsset: AVURLAsset, destinationURL: URL, options: [String: Any]? = nil) -> AVAssetDownloadTask? { unavailable() }
  public func makeAssetDownloadTask(asset URLAsset: AVURLAsset, assetTitle title: String, assetArtworkData artworkData: Data?, options: [String: Any]? = nil) -> AVAssetDownloadTask? { unavailable() }
  public func aggregateAssetDownloadTask(with URLAsset: AVURLAsset, mediaSelections: [AVMediaSelection], assetTitle title: String, assetArtworkData artworkData: Data?, options: [String: Any]? = nil) -> AVAggregateAssetDownloadTask? { unavailable() }
}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
open class AVAssetCache: NSObject {
  public override init() { unavailable() }
  public var isPlayableOffline: Bool
  public func mediaSelectionOptions(in mediaSelectionGroup: AVMediaSelectionGroup) -> [AVMediaSelectionOption] { unavailable() }
}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
open class AVAssetDownloadConfiguration: NSObject {
  public var artworkData: Data?
  public init(asset: AVURLAsset, title: String) { unavailable() }
}

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
open class AVAssetDownloadStorageManager: NSObject { public static func shared() -> AVAssetDownloadStorageManager { unavailable() } }

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
public let AVAssetDownloadTaskMinimumRequiredMediaBitrateKey = ""

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
public let AVAssetDownloadTaskMinimumRequiredPresentationSizeKey = ""

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
public let AVAssetDownloadTaskMediaSelectionKey = ""

@available(*, unavailable, message: "out of scope: streams are not downloaded; URLSession downloads a file, and AVPlayer plays it")
public let AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey = ""

@available(*, unavailable, message: "out of scope: there are no compositions; AVQueuePlayer plays items without a gap, see docs/AVFOUNDATION.md")
extension AVComposition {
  public var urlAssetInitializationOptions: [String: Any] { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no compositions; AVQueuePlayer plays items without a gap, see docs/AVFOUNDATION.md")
extension AVMutableComposition {
  public convenience init(urlAssetInitializationOptions URLAssetInitializationOptions: [String: Any]?) { unavailable() }
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) { unavailable() }
  public func removeTimeRange(_ timeRange: CMTimeRange) { unavailable() }
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) { unavailable() }
  public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? { unavailable() }
}

@available(*, unavailable, message: "out of scope: there are no compositions; AVQueuePlayer plays items without a gap, see docs/AVFOUNDATION.md")
extension AVMutableCompositionTrack {
  public func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws { unavailable() }
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) { unavailable() }
  public func removeTimeRange(_ timeRange: CMTimeRange) { unavailable() }
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) { unavailable() }
  public func addTrackAssociation(to compositionTrack: AVCompositionTrack, type trackAssociationType: AVAssetTrack.AssociationType) { unavailable() }
  public func removeTrackAssociation(to compositionTrack: AVCompositionTrack, type trackAssociationType: AVAssetTrack.AssociationType) { unavailable() }
}

@available(*, unavailable, message: "shared playback is not available")
open class AVPlaybackCoordinator: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "shared playback is not available")
open class AVDelegatingPlaybackCoordinator: AVPlaybackCoordinator { public init(playbackControlDelegate: any AVPlaybackCoordinatorPlaybackControlDelegate) { unavailable() } }

@available(*, unavailable, message: "shared playback is not available")
public protocol AVPlaybackCoordinatorPlaybackControlDelegate: AnyObject {}

@available(*, unavailable, message: "shared playback is not available")
open class AVDelegatingPlaybackCoordinatorPlayCommand: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "shared playback is not available")
open class AVDelegatingPlaybackCoordinatorPauseCommand: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "shared playback is not available")
open class AVDelegatingPlaybackCoordinatorSeekCommand: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "shared playback is not available")
open class AVDelegatingPlaybackCoordinatorBufferingCommand: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "shared playback is not available")
open class AVPlayerPlaybackCoordinator: AVPlaybackCoordinator { public func coordinateWithSession<Session>(_ session: Session) { unavailable() } }

@available(*, unavailable, message: "interstitial events are not available")
open class AVPlayerItemIntegratedTimeline: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "interstitial events are not available")
open class AVPlayerInterstitialEvent: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "interstitial events are not available")
open class AVPlayerInterstitialEventMonitor: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "interstitial events are not available")
open class AVPlayerInterstitialEventController: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
public enum AVAuthorizationStatus: Int { case notDetermined, restricted, denied, authorized }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureDevice: NSObject {
  public override init() { unavailable() }
  public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? { unavailable() }
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { unavailable() }
  public static func requestAccess(for mediaType: AVMediaType, completionHandler handler: @escaping (Bool) -> Void) { unavailable() }
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool { unavailable() }
}

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureSession: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureDeviceInput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureConnection: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCapturePhotoOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureMovieFileOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureAudioDataOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureVideoDataOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureMetadataOutput: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "out of scope: nothing is recorded, see docs/AVFOUNDATION.md")
open class AVCaptureVideoPreviewLayer: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "this error does not occur here: remove the case, or write default")
extension AVError.Code {
  public static var sessionNotRunning: AVError.Code { unavailable() }
  public static var deviceAlreadyUsedByAnotherSession: AVError.Code { unavailable() }
  public static var noDataCaptured: AVError.Code { unavailable() }
  public static var sessionConfigurationChanged: AVError.Code { unavailable() }
  public static var deviceWasDisconnected: AVError.Code { unavailable() }
  public static var mediaChanged: AVError.Code { unavailable() }
  public static var maximumDurationReached: AVError.Code { unavailable() }
  public static var maximumFileSizeReached: AVError.Code { unavailable() }
  public static var mediaDiscontinuity: AVError.Code { unavailable() }
  public static var maximumNumberOfSamplesForFileFormatReached: AVError.Code { unavailable() }
  public static var deviceNotConnected: AVError.Code { unavailable() }
  public static var deviceInUseByAnotherApplication: AVError.Code { unavailable() }
  public static var deviceLockedForConfigurationByAnotherProcess: AVError.Code { unavailable() }
  public static var sessionWasInterrupted: AVError.Code { unavailable() }
  public static var compositionTrackSegmentsNotContiguous: AVError.Code { unavailable() }
  public static var invalidCompositionTrackSegmentDuration: AVError.Code { unavailable() }
  public static var invalidCompositionTrackSegmentSourceStartTime: AVError.Code { unavailable() }
  public static var invalidCompositionTrackSegmentSourceDuration: AVError.Code { unavailable() }
  public static var maximumStillImageCaptureRequestsExceeded: AVError.Code { unavailable() }
  public static var deviceIsNotAvailableInBackground: AVError.Code { unavailable() }
  public static var invalidVideoComposition: AVError.Code { unavailable() }
  public static var referenceForbiddenByReferencePolicy: AVError.Code { unavailable() }
  public static var invalidOutputURLPathExtension: AVError.Code { unavailable() }
  public static var screenCaptureFailed: AVError.Code { unavailable() }
  public static var displayWasDisabled: AVError.Code { unavailable() }
  public static var torchLevelUnavailable: AVError.Code { unavailable() }
  public static var applicationIsNotAuthorizedToUseDevice: AVError.Code { unavailable() }
  public static var fileTypeDoesNotSupportSampleReferences: AVError.Code { unavailable() }
  public static var airPlayControllerRequiresInternet: AVError.Code { unavailable() }
  public static var airPlayReceiverRequiresInternet: AVError.Code { unavailable() }
  public static var videoCompositorFailed: AVError.Code { unavailable() }
  public static var recordingAlreadyInProgress: AVError.Code { unavailable() }
  public static var createContentKeyRequestFailed: AVError.Code { unavailable() }
  public static var unsupportedOutputSettings: AVError.Code { unavailable() }
  public static var malformedDepth: AVError.Code { unavailable() }
  public static var noCompatibleAlternatesForExternalDisplay: AVError.Code { unavailable() }
  public static var externalPlaybackNotSupportedForAsset: AVError.Code { unavailable() }
  public static var operationNotSupportedForPreset: AVError.Code { unavailable() }
  public static var sessionHardwareCostOverage: AVError.Code { unavailable() }
  public static var unsupportedDeviceActiveFormat: AVError.Code { unavailable() }
  public static var incorrectlyConfigured: AVError.Code { unavailable() }
  public static var segmentStartedWithNonSyncSample: AVError.Code { unavailable() }
  public static var rosettaNotInstalled: AVError.Code { unavailable() }
  public static var encodeFailed: AVError.Code { unavailable() }
  public static var contentKeyRequestCancelled: AVError.Code { unavailable() }
  public static var invalidSampleCursor: AVError.Code { unavailable() }
  public static var failedToLoadSampleData: AVError.Code { unavailable() }
  public static var airPlayReceiverTemporarilyUnavailable: AVError.Code { unavailable() }
  public static var sandboxExtensionDenied: AVError.Code { unavailable() }
}

@available(*, unavailable, message: "this error does not occur here: remove the case, or write default")
extension AVError {
  public static var sessionNotRunning: AVError.Code { unavailable() }
  public static var deviceAlreadyUsedByAnotherSession: AVError.Code { unavailable() }
  public static var noDataCaptured: AVError.Code { unavailable() }
  public static var sessionConfigurationChanged: AVError.Code { unavailable() }
  public static var deviceWasDisconnected: AVError.Code { unavailable() }
  public static var mediaChanged: AVError.Code { unavailable() }
  public static var maximumDurationReached: AVError.Code { unavailable() }
  public static var maximumFileSizeReached: AVError.Code { unavailable() }
  public static var mediaDiscontinuity: AVError.Code { unavailable() }
  public static var maximumNumberOfSamplesForFileFormatReached: AVError.Code { unavailable() }
  public static var deviceNotConnected: AVError.Code { unavailable() }
  public static var deviceInUseByAnotherApplication: AVError.Code { unavailable() }
  public static var deviceLockedForConfigurationByAnotherProcess: AVError.Code { unavailable() }
  public static var sessionWasInterrupted: AVError.Code { unavailable() }
  public static var compositionTrackSegmentsNotContiguous: AVError.Code { unavailable() }
  public static var invalidCompositionTrackSegmentDuration: AVError.Code { unavailable() }
  public static var invalidCompositionTrackSegmentSourceStartTime: AVError.Code { unavailable() }
  public static var invalidCompositionTrackSegmentSourceDuration: AVError.Code { unavailable() }
  public static var maximumStillImageCaptureRequestsExceeded: AVError.Code { unavailable() }
  public static var deviceIsNotAvailableInBackground: AVError.Code { unavailable() }
  public static var invalidVideoComposition: AVError.Code { unavailable() }
  public static var referenceForbiddenByReferencePolicy: AVError.Code { unavailable() }
  public static var invalidOutputURLPathExtension: AVError.Code { unavailable() }
  public static var screenCaptureFailed: AVError.Code { unavailable() }
  public static var displayWasDisabled: AVError.Code { unavailable() }
  public static var torchLevelUnavailable: AVError.Code { unavailable() }
  public static var applicationIsNotAuthorizedToUseDevice: AVError.Code { unavailable() }
  public static var fileTypeDoesNotSupportSampleReferences: AVError.Code { unavailable() }
  public static var airPlayControllerRequiresInternet: AVError.Code { unavailable() }
  public static var airPlayReceiverRequiresInternet: AVError.Code { unavailable() }
  public static var videoCompositorFailed: AVError.Code { unavailable() }
  public static var recordingAlreadyInProgress: AVError.Code { unavailable() }
  public static var createContentKeyRequestFailed: AVError.Code { unavailable() }
  public static var unsupportedOutputSettings: AVError.Code { unavailable() }
  public static var malformedDepth: AVError.Code { unavailable() }
  public static var noCompatibleAlternatesForExternalDisplay: AVError.Code { unavailable() }
  public static var externalPlaybackNotSupportedForAsset: AVError.Code { unavailable() }
  public static var operationNotSupportedForPreset: AVError.Code { unavailable() }
  public static var sessionHardwareCostOverage: AVError.Code { unavailable() }
  public static var unsupportedDeviceActiveFormat: AVError.Code { unavailable() }
  public static var incorrectlyConfigured: AVError.Code { unavailable() }
  public static var segmentStartedWithNonSyncSample: AVError.Code { unavailable() }
  public static var rosettaNotInstalled: AVError.Code { unavailable() }
  public static var encodeFailed: AVError.Code { unavailable() }
  public static var contentKeyRequestCancelled: AVError.Code { unavailable() }
  public static var invalidSampleCursor: AVError.Code { unavailable() }
  public static var failedToLoadSampleData: AVError.Code { unavailable() }
  public static var airPlayReceiverTemporarilyUnavailable: AVError.Code { unavailable() }
  public static var sandboxExtensionDenied: AVError.Code { unavailable() }
}

@available(*, unavailable, message: "the error does not have this value: use failureReason and errorUserInfo")
extension AVError {
  public var time: CMTime? { unavailable() }
  public var fileSize: Int64? { unavailable() }
  public var processID: Int? { unavailable() }
  public var recordingSuccessfullyFinished: Bool? { unavailable() }
  public var mediaType: AVMediaType? { unavailable() }
  public var mediaSubtypes: [Int]? { unavailable() }
  public var presentationTimeStamp: CMTime? { unavailable() }
  public var persistentTrackID: CMPersistentTrackID? { unavailable() }
  public var fileType: AVFileType? { unavailable() }
}

@available(*, unavailable, message: "metadata items do not refer to a URI here")
extension AVMetadataExtraAttributeKey {
  public static var valueURI: AVMetadataExtraAttributeKey { unavailable() }
  public static var baseURI: AVMetadataExtraAttributeKey { unavailable() }
}

@available(*, unavailable, message: "an older name of Swift: use AVPlayer.Status")
public typealias AVPlayerStatus = AVPlayer.Status

@available(*, unavailable, message: "an older name of Swift: use AVPlayer.TimeControlStatus")
public typealias AVPlayerTimeControlStatus = AVPlayer.TimeControlStatus

@available(*, unavailable, message: "an older name of Swift: use AVPlayer.ActionAtItemEnd")
public typealias AVPlayerActionAtItemEnd = AVPlayer.ActionAtItemEnd

@available(*, unavailable, message: "an older name of Swift: use AVPlayerItem.Status")
public typealias AVPlayerItemStatus = AVPlayerItem.Status

@available(*, unavailable, message: "an older name of Swift: use AVMetadataKeySpace.common")
public var AVMetadataKeySpaceCommon: AVMetadataKeySpace { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVMetadataKey.commonKeyTitle")
public var AVMetadataCommonKeyTitle: AVMetadataKey { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVMetadataKey.commonKeyArtist")
public var AVMetadataCommonKeyArtist: AVMetadataKey { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVMetadataKey.commonKeyAlbumName")
public var AVMetadataCommonKeyAlbumName: AVMetadataKey { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVMetadataKey.commonKeyArtwork")
public var AVMetadataCommonKeyArtwork: AVMetadataKey { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioTimePitchAlgorithm.spectral")
public var AVAudioTimePitchAlgorithmSpectral: AVAudioTimePitchAlgorithm { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioTimePitchAlgorithm.timeDomain")
public var AVAudioTimePitchAlgorithmTimeDomain: AVAudioTimePitchAlgorithm { unavailable() }

@available(*, unavailable, message: "an older name of Swift: use AVAudioTimePitchAlgorithm.varispeed")
public var AVAudioTimePitchAlgorithmVarispeed: AVAudioTimePitchAlgorithm { unavailable() }

@available(*, unavailable, message: "Linux has no Objective-C: use the properties, such as displayName")
extension AVMediaSelectionOption {
  public func value(forKey key: String) -> Any? { unavailable() }
}
