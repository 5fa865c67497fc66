// The constants have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension AVPlayer {
  /// Posted when ``rate`` has changed, on the main queue; the object is the player.
  nonisolated public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")
  /// The key of the ``RateDidChangeReason``; the end of an item and a stall do not have one.
  nonisolated public static let rateDidChangeReasonKey = "AVPlayerRateDidChangeReason"
}

extension AVPlayerItem {
  /// Posted when an item has played to its end, on the main queue; the object is the item.
  nonisolated public static let didPlayToEndTimeNotification = Notification.Name(
    "AVPlayerItemDidPlayToEndTimeNotification")
  /// Posted when an item that was ready has failed; ``AVPlayerItemFailedToPlayToEndTimeErrorKey`` is the key of the
  /// error.
  nonisolated public static let failedToPlayToEndTimeNotification = Notification.Name(
    "AVPlayerItemFailedToPlayToEndTimeNotification")
  /// Posted when the time has jumped because of a seek, the repetition of an ``AVPlayerLooper``, or an output that fell
  /// behind.
  nonisolated public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")
  /// Posted when the media did not arrive in time.
  nonisolated public static let playbackStalledNotification = Notification.Name(
    "AVPlayerItemPlaybackStalledNotification")
  /// Posted when a playback in ``accessLog()`` is complete.
  nonisolated public static let newAccessLogEntryNotification = Notification.Name("AVPlayerItemNewAccessLogEntry")
  /// Posted when an error was added to ``errorLog()``.
  nonisolated public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntry")
}

/// The key of the error in the `userInfo` of ``AVPlayerItem/failedToPlayToEndTimeNotification``.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension Notification.Name {
  /// The same as ``AVPlayerItem/didPlayToEndTimeNotification``.
  public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
  /// The same as ``AVPlayerItem/failedToPlayToEndTimeNotification``.
  public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
  /// The same as ``AVPlayerItem/timeJumpedNotification``.
  public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
  /// The same as ``AVPlayerItem/playbackStalledNotification``.
  public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
  /// The same as ``AVPlayerItem/newAccessLogEntryNotification``.
  public static let AVPlayerItemNewAccessLogEntry = AVPlayerItem.newAccessLogEntryNotification
  /// The same as ``AVPlayerItem/mediaSelectionDidChangeNotification``.
  public static let AVPlayerItemMediaSelectionDidChange = AVPlayerItem.mediaSelectionDidChangeNotification
  /// The same as ``AVPlayerItem/newErrorLogEntryNotification``.
  public static let AVPlayerItemNewErrorLogEntry = AVPlayerItem.newErrorLogEntryNotification
}
