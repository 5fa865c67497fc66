// The list of Apple's names that this module lacks: the compiler reports the message instead of an unknown name, and `make tables` writes
// the list of the page. A declaration is one line, so that it reads like Apple's interface; no body is ever run.
// swift-format-ignore-file

public import AVFAudio
public import AVFoundation
public import Foundation

@available(*, unavailable, message: "Linux has no Objective-C: use addTarget(handler:)")
extension MPRemoteCommand {
  public func addTarget(_ target: Any, action: Selector) { unavailable() }
}

@available(*, unavailable, message: "Linux has no Objective-C: use removeTarget(_:) with the result of addTarget(handler:)")
extension MPRemoteCommand {
  public func removeTarget(_ target: Any, action: Selector?) { unavailable() }
}

@available(*, unavailable, message: "Linux has no UIImage: use init(boundsSize:requestHandler:) with Data, or init(url:)")
extension MPMediaItemArtwork {
  public convenience init(image: Any) { unavailable() }
}

@available(*, unavailable, message: "deprecated by Apple: use bounds")
extension MPMediaItemArtwork {
  public var imageCropRect: CGRect { unavailable() }
}

@available(*, unavailable, message: "media selections are not shown: MPRIS has nothing like them")
extension AVMediaSelectionOption {
  public func makeNowPlayingInfoLanguageOption() -> MPNowPlayingInfoLanguageOption? { unavailable() }
}

@available(*, unavailable, message: "media selections are not shown: MPRIS has nothing like them")
extension AVMediaSelectionGroup {
  public func makeNowPlayingInfoLanguageOptionGroup() -> MPNowPlayingInfoLanguageOptionGroup { unavailable() }
}

@available(*, unavailable, message: "advertisements are not shown")
open class MPAdTimeRange: NSObject { public init(timeRange: CMTimeRange) { unavailable() } }

@available(*, unavailable, message: "MPRIS has one still picture: use MPMediaItemArtwork")
public let MPNowPlayingInfoProperty1x1AnimatedArtwork = ""

@available(*, unavailable, message: "MPRIS has one still picture: use MPMediaItemArtwork")
public let MPNowPlayingInfoProperty3x4AnimatedArtwork = ""

@available(*, unavailable, message: "MPRIS has one still picture: use MPMediaItemArtwork")
open class MPMediaItemAnimatedArtwork: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaEntity: NSObject {
  public override init() { unavailable() }
  public static func canFilter(byProperty property: String) -> Bool { unavailable() }
  public func enumerateValues(forProperties properties: Set<String>, using block: @escaping (String, Any, UnsafeMutablePointer<ObjCBool>) -> Void) { unavailable() }
  public subscript(key: Any) -> Any? { unavailable() }
  public func value(forProperty property: String) -> Any? { unavailable() }
  public var persistentID: MPMediaEntityPersistentID
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaItem: MPMediaEntity {
  public override init() { unavailable() }
  public var mediaType: MPMediaType
  public var title: String?
  public var albumTitle: String?
  public var albumPersistentID: MPMediaEntityPersistentID
  public var artist: String?
  public var artistPersistentID: MPMediaEntityPersistentID
  public var albumArtist: String?
  public var albumArtistPersistentID: MPMediaEntityPersistentID
  public var genre: String?
  public var genrePersistentID: MPMediaEntityPersistentID
  public var composer: String?
  public var composerPersistentID: MPMediaEntityPersistentID
  public var playbackDuration: TimeInterval
  public var albumTrackNumber: Int
  public var albumTrackCount: Int
  public var discNumber: Int
  public var discCount: Int
  public var artwork: MPMediaItemArtwork?
  public var isExplicitItem: Bool
  public var lyrics: String?
  public var isCompilation: Bool
  public var releaseDate: Date?
  public var beatsPerMinute: Int
  public var comments: String?
  public var assetURL: URL?
  public var isCloudItem: Bool
  public var hasProtectedAsset: Bool
  public var podcastTitle: String?
  public var podcastPersistentID: MPMediaEntityPersistentID
  public var playCount: Int
  public var skipCount: Int
  public var rating: Int
  public var lastPlayedDate: Date?
  public var userGrouping: String?
  public var bookmarkTime: TimeInterval
  public var dateAdded: Date
  public var playbackStoreID: String
  public static func persistentIDProperty(forGroupingType groupingType: MPMediaGrouping) -> String { unavailable() }
  public static func titleProperty(forGroupingType groupingType: MPMediaGrouping) -> String { unavailable() }
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaItemCollection: MPMediaEntity {
  public override init() { unavailable() }
  public init(items: [MPMediaItem]) { unavailable() }
  public var items: [MPMediaItem]
  public var representativeItem: MPMediaItem?
  public var count: Int
  public var mediaTypes: MPMediaType
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public struct MPMediaPlaylistAttribute: OptionSet, Sendable {
  public var rawValue: UInt
  public init(rawValue: UInt) { unavailable() }
  public static var onTheGo: Self { unavailable() }
  public static var smart: Self { unavailable() }
  public static var genius: Self { unavailable() }
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaPlaylist: MPMediaItemCollection {
  public override init() { unavailable() }
  public var cloudGlobalID: String?
  public var name: String?
  public var playlistAttributes: MPMediaPlaylistAttribute
  public var seedItems: [MPMediaItem]?
  public var descriptionText: String?
  public var authorDisplayName: String?
  public func addItem(withProductID productID: String, completionHandler: (((any Error)?) -> Void)? = nil) { unavailable() }
  public func add(_ mediaItems: [MPMediaItem], completionHandler: (((any Error)?) -> Void)? = nil) { unavailable() }
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaPlaylistCreationMetadata: NSObject {
  public override init() { unavailable() }
  public init(name: String) { unavailable() }
  public var name: String
  public var authorDisplayName: String?
  public var descriptionText: String
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public enum MPMediaGrouping: Int { case title, album, artist, albumArtist, composer, genre, playlist, podcastTitle }

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaQuery: NSObject {
  public override init() { unavailable() }
  public init(filterPredicates: Set<MPMediaPredicate>?) { unavailable() }
  public var filterPredicates: Set<MPMediaPredicate>?
  public func addFilterPredicate(_ predicate: MPMediaPredicate) { unavailable() }
  public func removeFilterPredicate(_ predicate: MPMediaPredicate) { unavailable() }
  public var items: [MPMediaItem]?
  public var collections: [MPMediaItemCollection]?
  public var groupingType: MPMediaGrouping
  public var itemSections: [MPMediaQuerySection]?
  public var collectionSections: [MPMediaQuerySection]?
  public static func albums() -> MPMediaQuery { unavailable() }
  public static func artists() -> MPMediaQuery { unavailable() }
  public static func songs() -> MPMediaQuery { unavailable() }
  public static func playlists() -> MPMediaQuery { unavailable() }
  public static func podcasts() -> MPMediaQuery { unavailable() }
  public static func audiobooks() -> MPMediaQuery { unavailable() }
  public static func compilations() -> MPMediaQuery { unavailable() }
  public static func composers() -> MPMediaQuery { unavailable() }
  public static func genres() -> MPMediaQuery { unavailable() }
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaQuerySection: NSObject {
  public override init() { unavailable() }
  public var title: String
  public var range: NSRange
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaPredicate: NSObject {
  public override init() { unavailable() }
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public enum MPMediaPredicateComparison: Int { case equalTo, contains }

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaPropertyPredicate: MPMediaPredicate {
  public override init() { unavailable() }
  public init(value: Any?, forProperty property: String) { unavailable() }
  public init(value: Any?, forProperty property: String, comparisonType: MPMediaPredicateComparison) { unavailable() }
  public var property: String
  public var value: Any?
  public var comparisonType: MPMediaPredicateComparison
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public enum MPMediaLibraryAuthorizationStatus: Int { case notDetermined, denied, restricted, authorized }

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaLibrary: NSObject {
  public override init() { unavailable() }
  public static func `default`() -> MPMediaLibrary { unavailable() }
  public var lastModifiedDate: Date
  public func beginGeneratingLibraryChangeNotifications() { unavailable() }
  public func endGeneratingLibraryChangeNotifications() { unavailable() }
  public static func authorizationStatus() -> MPMediaLibraryAuthorizationStatus { unavailable() }
  public static func requestAuthorization(_ handler: @escaping (MPMediaLibraryAuthorizationStatus) -> Void) { unavailable() }
  public func addItem(withProductID productID: String, completionHandler: (([MPMediaEntity], (any Error)?) -> Void)? = nil) { unavailable() }
  public func getPlaylist(with uuid: UUID, creationMetadata: MPMediaPlaylistCreationMetadata?, completionHandler: @escaping (MPMediaPlaylist?, (any Error)?) -> Void) { unavailable() }
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
open class MPMediaPickerController: NSObject {
  public override init() { unavailable() }
  public init(mediaTypes: MPMediaType) { unavailable() }
  public var mediaTypes: MPMediaType
  public var delegate: (any MPMediaPickerControllerDelegate)?
  public var allowsPickingMultipleItems: Bool
  public var showsCloudItems: Bool
  public var showsItemsWithProtectedAssets: Bool
  public var prompt: String?
}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public protocol MPMediaPickerControllerDelegate: AnyObject {}

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public let MPMediaEntityPropertyPersistentID = ""

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public let MPMediaPlaylistPropertyPersistentID = ""

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public let MPMediaPlaylistPropertyName = ""

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
public let MPMediaPlaylistPropertyPlaylistAttributes = ""

@available(*, unavailable, message: "Linux has no media library: open files with AVPlayer, and read their tags with AVAsset, see docs/MEDIAPLAYER.md")
extension Notification.Name {
  public static var MPMediaLibraryDidChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public protocol MPMediaPlayback: AnyObject {}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public enum MPMusicPlaybackState: Int { case stopped, playing, paused, interrupted, seekingForward, seekingBackward }

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public enum MPMusicRepeatMode: Int { case `default`, none, one, all }

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public enum MPMusicShuffleMode: Int { case `default`, off, songs, albums }

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public protocol MPSystemMusicPlayerController: AnyObject {}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerController: NSObject {
  public override init() { unavailable() }
  public static var applicationMusicPlayer: MPMusicPlayerController { unavailable() }
  public static var applicationQueuePlayer: MPMusicPlayerApplicationController { unavailable() }
  public static var systemMusicPlayer: any MPMusicPlayerController & MPSystemMusicPlayerController { unavailable() }
  public var playbackState: MPMusicPlaybackState
  public var repeatMode: MPMusicRepeatMode
  public var shuffleMode: MPMusicShuffleMode
  public var nowPlayingItem: MPMediaItem?
  public var indexOfNowPlayingItem: Int
  public func setQueue(with query: MPMediaQuery) { unavailable() }
  public func setQueue(with itemCollection: MPMediaItemCollection) { unavailable() }
  public func setQueue(with storeIDs: [String]) { unavailable() }
  public func setQueue(with descriptor: MPMusicPlayerQueueDescriptor) { unavailable() }
  public func prepend(_ descriptor: MPMusicPlayerQueueDescriptor) { unavailable() }
  public func append(_ descriptor: MPMusicPlayerQueueDescriptor) { unavailable() }
  public func prepareToPlay(completionHandler: @escaping ((any Error)?) -> Void) { unavailable() }
  public func skipToNextItem() { unavailable() }
  public func skipToBeginning() { unavailable() }
  public func skipToPreviousItem() { unavailable() }
  public func beginGeneratingPlaybackNotifications() { unavailable() }
  public func endGeneratingPlaybackNotifications() { unavailable() }
  public static var iPodMusicPlayer: MPMusicPlayerController { unavailable() }
  public func prepareToPlay() { unavailable() }
  public func play() { unavailable() }
  public func pause() { unavailable() }
  public func stop() { unavailable() }
  public func beginSeekingForward() { unavailable() }
  public func beginSeekingBackward() { unavailable() }
  public func endSeeking() { unavailable() }
  public var isPreparedToPlay: Bool
  public var currentPlaybackTime: TimeInterval
  public var currentPlaybackRate: Float
  public var volume: Float
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerControllerQueue: NSObject {
  public override init() { unavailable() }
  public var items: [MPMediaItem]
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerControllerMutableQueue: MPMusicPlayerControllerQueue {
  public override init() { unavailable() }
  public func insert(_ queueDescriptor: MPMusicPlayerQueueDescriptor, after afterItem: MPMediaItem?) { unavailable() }
  public func remove(_ item: MPMediaItem) { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerApplicationController: MPMusicPlayerController {
  public override init() { unavailable() }
  public func perform(queueTransaction: @escaping (MPMusicPlayerControllerMutableQueue) -> Void, completionHandler: @escaping (MPMusicPlayerControllerQueue, (any Error)?) -> Void) { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerQueueDescriptor: NSObject {
  public override init() { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerMediaItemQueueDescriptor: MPMusicPlayerQueueDescriptor {
  public override init() { unavailable() }
  public init(query: MPMediaQuery) { unavailable() }
  public init(itemCollection: MPMediaItemCollection) { unavailable() }
  public var query: MPMediaQuery
  public var itemCollection: MPMediaItemCollection
  public var startItem: MPMediaItem?
  public func setStartTime(_ startTime: TimeInterval, for mediaItem: MPMediaItem) { unavailable() }
  public func setEndTime(_ endTime: TimeInterval, for mediaItem: MPMediaItem) { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerStoreQueueDescriptor: MPMusicPlayerQueueDescriptor {
  public override init() { unavailable() }
  public init(storeIDs: [String]) { unavailable() }
  public var storeIDs: [String]?
  public var startItemID: String?
  public func setStartTime(_ startTime: TimeInterval, forItemWithStoreID storeID: String) { unavailable() }
  public func setEndTime(_ endTime: TimeInterval, forItemWithStoreID storeID: String) { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerPlayParameters: NSObject {
  public override init() { unavailable() }
  public init?(dictionary: [String: Any]) { unavailable() }
  public var dictionary: [String: Any]
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
open class MPMusicPlayerPlayParametersQueueDescriptor: MPMusicPlayerQueueDescriptor {
  public override init() { unavailable() }
  public init(playParametersQueue: [MPMusicPlayerPlayParameters]) { unavailable() }
  public var playParametersQueue: [MPMusicPlayerPlayParameters]
  public var startItemPlayParameters: MPMusicPlayerPlayParameters?
  public func setStartTime(_ startTime: TimeInterval, forItemWith playParameters: MPMusicPlayerPlayParameters) { unavailable() }
  public func setEndTime(_ endTime: TimeInterval, forItemWith playParameters: MPMusicPlayerPlayParameters) { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
extension Notification.Name {
  public static var MPMusicPlayerControllerPlaybackStateDidChange: Notification.Name { unavailable() }
  public static var MPMusicPlayerControllerNowPlayingItemDidChange: Notification.Name { unavailable() }
  public static var MPMusicPlayerControllerVolumeDidChange: Notification.Name { unavailable() }
  public static var MPMusicPlayerControllerQueueDidChange: Notification.Name { unavailable() }
  public static var MPMediaPlaybackIsPreparedToPlayDidChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public struct MPError: Error {
  public enum Code: Int, Sendable { case unknown, permissionDenied, cloudServiceCapabilityMissing, networkConnectionFailed, notFound, notSupported, cancelled, requestTimedOut }
  public var code: Code
}

@available(*, unavailable, message: "Linux has no music player of the system: play with AVPlayer or AVQueuePlayer, see docs/MEDIAPLAYER.md")
public let MPErrorDomain = ""

@available(*, unavailable, message: "the desktop has the volume control: use AVPlayer.volume, or leave the view out, see docs/PORTING.md")
open class MPVolumeView: NSObject {
  public override init() { unavailable() }
  public var showsVolumeSlider: Bool
  public var showsRouteButton: Bool
  public var areWirelessRoutesAvailable: Bool
  public var isWirelessRouteActive: Bool
  public func setMinimumVolumeSliderImage(_ image: Any?, for state: Any) { unavailable() }
  public func setMaximumVolumeSliderImage(_ image: Any?, for state: Any) { unavailable() }
  public func setVolumeThumbImage(_ image: Any?, for state: Any) { unavailable() }
  public func minimumVolumeSliderImage(for state: Any) -> Any? { unavailable() }
  public func maximumVolumeSliderImage(for state: Any) -> Any? { unavailable() }
  public func volumeThumbImage(for state: Any) -> Any? { unavailable() }
  public var volumeWarningSliderImage: Any?
  public func volumeSliderRect(forBounds bounds: CGRect) -> CGRect { unavailable() }
  public func volumeThumbRect(forBounds bounds: CGRect, volumeSliderRect rect: CGRect, value: Float) -> CGRect { unavailable() }
  public func setRouteButtonImage(_ image: Any?, for state: Any) { unavailable() }
  public func routeButtonImage(for state: Any) -> Any? { unavailable() }
  public func routeButtonRect(forBounds bounds: CGRect) -> CGRect { unavailable() }
  public var frame: CGRect
  public var isHidden: Bool
  public var tintColor: Any?
  public var backgroundColor: Any?
  public init(frame: CGRect) { unavailable() }
  public var alpha: Double
  public var subviews: [Any]
}

@available(*, unavailable, message: "the desktop has the volume control: use AVPlayer.volume, or leave the view out, see docs/PORTING.md")
extension Notification.Name {
  public static var MPVolumeViewWirelessRoutesAvailableDidChange: Notification.Name { unavailable() }
  public static var MPVolumeViewWirelessRouteActiveDidChange: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "the desktop has the volume control: use AVPlayer.volume, or leave the view out, see docs/PORTING.md")
public func MPVolumeSettingsAlertShow() { unavailable() }

@available(*, unavailable, message: "the desktop has the volume control: use AVPlayer.volume, or leave the view out, see docs/PORTING.md")
public func MPVolumeSettingsAlertHide() { unavailable() }

@available(*, unavailable, message: "the desktop has the volume control: use AVPlayer.volume, or leave the view out, see docs/PORTING.md")
public func MPVolumeSettingsAlertIsVisible() -> Bool { unavailable() }

@available(*, unavailable, message: "use AVPlayer: Apple removed this class, too")
open class MPMoviePlayerController: NSObject { public init(contentURL url: URL) { unavailable() } }

@available(*, unavailable, message: "use AVPlayer: Apple removed this class, too")
open class MPMoviePlayerViewController: NSObject { public init(contentURL: URL) { unavailable() } }

@available(*, unavailable, message: "use AVPlayer: Apple removed this class, too")
extension Notification.Name {
  public static var MPMoviePlayerPlaybackDidFinish: Notification.Name { unavailable() }
  public static var MPMoviePlayerPlaybackStateDidChange: Notification.Name { unavailable() }
  public static var MPMoviePlayerLoadStateDidChange: Notification.Name { unavailable() }
  public static var MPMoviePlayerNowPlayingMovieDidChange: Notification.Name { unavailable() }
  public static var MPMoviePlayerTimedMetadataUpdated: Notification.Name { unavailable() }
}

@available(*, unavailable, message: "there is no browser of content on Linux: MPRIS shows the player, see docs/MEDIAPLAYER.md")
open class MPContentItem: NSObject {
  public override init() { unavailable() }
  public init(identifier: String) { unavailable() }
  public var identifier: String
  public var title: String?
  public var subtitle: String?
  public var artwork: MPMediaItemArtwork?
  public var playbackProgress: Float
  public var isStreamingContent: Bool
  public var isExplicitContent: Bool
  public var isContainer: Bool
  public var isPlayable: Bool
}

@available(*, unavailable, message: "there is no browser of content on Linux: MPRIS shows the player, see docs/MEDIAPLAYER.md")
public protocol MPPlayableContentDataSource: AnyObject {}

@available(*, unavailable, message: "there is no browser of content on Linux: MPRIS shows the player, see docs/MEDIAPLAYER.md")
public protocol MPPlayableContentDelegate: AnyObject {}

@available(*, unavailable, message: "there is no browser of content on Linux: MPRIS shows the player, see docs/MEDIAPLAYER.md")
open class MPPlayableContentManagerContext: NSObject {
  public override init() { unavailable() }
  public var enforcedContentItemsCount: Int
  public var enforcedContentTreeDepth: Int
  public var contentLimitsEnforced: Bool
  public var contentLimitsEnabled: Bool
  public var endpointAvailable: Bool
}

@available(*, unavailable, message: "there is no browser of content on Linux: MPRIS shows the player, see docs/MEDIAPLAYER.md")
open class MPPlayableContentManager: NSObject {
  public override init() { unavailable() }
  public var dataSource: (any MPPlayableContentDataSource)?
  public var delegate: (any MPPlayableContentDelegate)?
  public var context: MPPlayableContentManagerContext
  public var nowPlayingIdentifiers: [String]
  public static func shared() -> Self { unavailable() }
  public func reloadData() { unavailable() }
  public func beginUpdates() { unavailable() }
  public func endUpdates() { unavailable() }
}
