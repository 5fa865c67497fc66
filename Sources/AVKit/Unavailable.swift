// The list of Apple's names that this module lacks: the compiler reports the message instead of an unknown name, and `make tables` writes
// the list of the page. A declaration is one line, so that it reads like Apple's interface; no body is ever run.
// swift-format-ignore-file

public import AVFoundation

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
open class AVPlayerViewController: NSObject {
  public override init() { unavailable() }
  public var player: AVPlayer?
  public var showsPlaybackControls: Bool
  public var showsTimecodes: Bool
  public var videoGravity: AVLayerVideoGravity
  public var isReadyForDisplay: Bool
  public var videoBounds: CGRect
  public var contentOverlayView: Any?
  public var allowsPictureInPicturePlayback: Bool
  public var canStartPictureInPictureAutomaticallyFromInline: Bool
  public var updatesNowPlayingInfoCenter: Bool
  public var entersFullScreenWhenPlaybackBegins: Bool
  public var exitsFullScreenWhenPlaybackEnds: Bool
  public var requiresLinearPlayback: Bool
  public var pixelBufferAttributes: [String: Any]?
  public var delegate: (any AVPlayerViewControllerDelegate)?
  public var view: Any?
  public func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) { unavailable() }
  public func didMove(toParent parent: Any?) { unavailable() }
  public func willMove(toParent parent: Any?) { unavailable() }
  public func removeFromParent() { unavailable() }
  public var parent: Any?
  open func viewWillAppear(_ animated: Bool) { unavailable() }
  open func viewDidAppear(_ animated: Bool) { unavailable() }
  open func viewWillDisappear(_ animated: Bool) { unavailable() }
  open func viewDidDisappear(_ animated: Bool) { unavailable() }
  open func viewDidLoad() { unavailable() }
}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public protocol AVPlayerViewControllerDelegate: AnyObject {}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
open class AVPlayerView: NSObject {
  public override init() { unavailable() }
  public var player: AVPlayer?
  public var controlsStyle: AVPlayerViewControlsStyle
  public var videoGravity: AVLayerVideoGravity
  public var isReadyForDisplay: Bool
  public var videoBounds: CGRect
  public var contentOverlayView: Any?
  public var updatesNowPlayingInfoCenter: Bool
  public var showsFrameSteppingButtons: Bool
  public var showsSharingServiceButton: Bool
  public var actionPopUpButtonMenu: Any?
  public var showsFullScreenToggleButton: Bool
  public var showsTimecodes: Bool
  public var canBeginTrimming: Bool
  public func beginTrimming(completionHandler handler: ((AVPlayerViewTrimResult) -> Void)? = nil) { unavailable() }
  public func flashChapterNumber(_ chapterNumber: Int, chapterTitle: String?) { unavailable() }
  public var allowsPictureInPicturePlayback: Bool
  public var pictureInPictureDelegate: (any AVPlayerViewPictureInPictureDelegate)?
  public var frame: CGRect
  public init(frame: CGRect) { unavailable() }
}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public enum AVPlayerViewControlsStyle: Int { case none, inline, floating, minimal }

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public enum AVPlayerViewTrimResult: Int { case okButton, cancelButton }

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public protocol AVPlayerViewPictureInPictureDelegate: AnyObject {}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
open class AVPictureInPictureController: NSObject {
  public override init() { unavailable() }
  public static func isPictureInPictureSupported() -> Bool { unavailable() }
  public static var pictureInPictureButtonStartImage: Any { unavailable() }
  public static var pictureInPictureButtonStopImage: Any { unavailable() }
  public init?(playerLayer: AVPlayerLayer) { unavailable() }
  public var playerLayer: AVPlayerLayer
  public var delegate: (any AVPictureInPictureControllerDelegate)?
  public func startPictureInPicture() { unavailable() }
  public func stopPictureInPicture() { unavailable() }
  public var isPictureInPicturePossible: Bool
  public var isPictureInPictureActive: Bool
  public var isPictureInPictureSuspended: Bool
  public var requiresLinearPlayback: Bool
  public var canStartPictureInPictureAutomaticallyFromInline: Bool
  public init(contentSource: ContentSource) { unavailable() }
  public var contentSource: ContentSource?
  public func invalidatePlaybackState() { unavailable() }
  open class ContentSource: NSObject {
    public init(playerLayer: AVPlayerLayer) { unavailable() }
    public init(sampleBufferDisplayLayer: AVSampleBufferDisplayLayer, playbackDelegate: any AVPictureInPictureSampleBufferPlaybackDelegate) { unavailable() }
  }
}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public protocol AVPictureInPictureControllerDelegate: AnyObject {}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public protocol AVPictureInPictureSampleBufferPlaybackDelegate: AnyObject {}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
open class AVPictureInPictureVideoCallViewController: NSObject { public override init() { unavailable() } }

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
public struct VideoPlayer { public init(player: AVPlayer?) { unavailable() } }

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
open class AVInterstitialTimeRange: NSObject { public init(timeRange: CMTimeRange) { unavailable() } }

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
open class AVPlaybackSpeed: NSObject {
  public var rate: Float
  public var localizedName: String
  public init(rate: Float, localizedName: String) { unavailable() }
  public static var systemDefaultSpeeds: [AVPlaybackSpeed] { unavailable() }
}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
extension AVPlayerItem {
  public var interstitialTimeRanges: [AVInterstitialTimeRange] { get { unavailable() } set {} }
}

@available(*, unavailable, message: "only audio is played: control AVPlayer directly, and show it with MediaPlayer, see docs/PORTING.md")
extension AVPlayerItem {
  public var navigationMarkerGroups: [AVNavigationMarkersGroup] { get { unavailable() } set {} }
}

@available(*, unavailable, message: "the desktop selects the output: leave the view out, see docs/PORTING.md")
open class AVRoutePickerView: NSObject {
  public override init() { unavailable() }
  public var delegate: (any AVRoutePickerViewDelegate)?
  public var activeTintColor: Any?
  public var prioritizesVideoDevices: Bool
  public var isRoutePickerButtonBordered: Bool
  public var frame: CGRect
  public var isHidden: Bool
  public var tintColor: Any?
  public var backgroundColor: Any?
  public init(frame: CGRect) { unavailable() }
  public var subviews: [Any]
}

@available(*, unavailable, message: "the desktop selects the output: leave the view out, see docs/PORTING.md")
public protocol AVRoutePickerViewDelegate: AnyObject {}

@available(*, unavailable, message: "the desktop selects the output: leave the view out, see docs/PORTING.md")
extension AVAudioSession {
  public func prepareRouteSelectionForPlayback(completionHandler: @escaping (Bool, AVAudioSession.RouteSelection) -> Void) { unavailable() }
  public enum RouteSelection: Int { case none, local, external }
}
