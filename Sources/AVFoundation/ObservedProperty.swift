import AVFAudio
import Foundation

/// A property that can be observed by its name in Objective-C.
struct ObservedProperty: Sendable {
  /// Returns the value as Objective-C has it.
  let value: @Sendable (AnyObject) -> NSObject

  private init<Object: AnyObject>(_ value: @escaping @Sendable (Object) -> NSObject?) {
    self.value = { ($0 as? Object).flatMap(value) ?? NSNull() }
  }

  /// Returns the property with a name, or through `currentItem`; nil if the class lacks it.
  static func named(_ name: String, of object: AnyObject) -> Self? {
    switch object {
    case is AVPlayer:
      let item = "currentItem."
      guard name.hasPrefix(item) else { return ofPlayer[name] }
      return ofItem[String(name.dropFirst(item.count))].map { property in
        Self { (player: AVPlayer) in player.currentItem.map { property.value($0) } }
      }
    case is AVPlayerItem: return ofItem[name]
    case is AVPlayerLooper: return ofLooper[name]
    case is AVAudioSession: return ofSession[name]
    default: return nil
    }
  }

  private static let ofPlayer: [String: Self] = [
    "status": player { NSNumber(value: $0.status.rawValue) },
    "error": player { $0.error as NSError? },
    "currentItem": player { $0.currentItem },
    "rate": player { NSNumber(value: $0.rate) },
    "defaultRate": player { NSNumber(value: $0.defaultRate) },
    "timeControlStatus": player { NSNumber(value: $0.timeControlStatus.rawValue) },
    "reasonForWaitingToPlay": player { $0.reasonForWaitingToPlay.map { NSString(string: $0.rawValue) } },
    "automaticallyWaitsToMinimizeStalling": player { NSNumber(value: $0.automaticallyWaitsToMinimizeStalling) },
    "actionAtItemEnd": player { NSNumber(value: $0.actionAtItemEnd.rawValue) },
    "volume": player { NSNumber(value: $0.volume) },
    "muted": player { NSNumber(value: $0.isMuted) },
    "externalPlaybackActive": player { NSNumber(value: $0.isExternalPlaybackActive) },
    "allowsExternalPlayback": player { NSNumber(value: $0.allowsExternalPlayback) },
  ]

  private static let ofItem: [String: Self] = [
    "status": item { NSNumber(value: $0.status.rawValue) },
    "error": item { $0.error as NSError? },
    "duration": item { NSValue(time: $0.duration) },
    "tracks": item { NSArray(array: $0.tracks) },
    "timedMetadata": item { $0.timedMetadata.map { NSArray(array: $0) } },
    "loadedTimeRanges": item { NSArray(array: $0.loadedTimeRanges) },
    "seekableTimeRanges": item { NSArray(array: $0.seekableTimeRanges) },
    "playbackLikelyToKeepUp": item { NSNumber(value: $0.isPlaybackLikelyToKeepUp) },
    "playbackBufferFull": item { NSNumber(value: $0.isPlaybackBufferFull) },
    "playbackBufferEmpty": item { NSNumber(value: $0.isPlaybackBufferEmpty) },
    "canPlayFastForward": item { NSNumber(value: $0.canPlayFastForward) },
    "canPlaySlowForward": item { NSNumber(value: $0.canPlaySlowForward) },
    "canPlayReverse": item { NSNumber(value: $0.canPlayReverse) },
    "canPlayFastReverse": item { NSNumber(value: $0.canPlayFastReverse) },
    "canPlaySlowReverse": item { NSNumber(value: $0.canPlaySlowReverse) },
    "canStepForward": item { NSNumber(value: $0.canStepForward) },
    "canStepBackward": item { NSNumber(value: $0.canStepBackward) },
    "presentationSize": item { NSValue(size: $0.presentationSize) },
  ]

  private static let ofLooper: [String: Self] = [
    "status": looper { NSNumber(value: $0.status.rawValue) },
    "error": looper { $0.error as NSError? },
    "loopCount": looper { NSNumber(value: $0.loopCount) },
    "loopingPlayerItems": looper { NSArray(array: $0.loopingPlayerItems) },
  ]

  private static let ofSession: [String: Self] = [
    "outputVolume": Self { (session: AVAudioSession) in NSNumber(value: session.outputVolume) }
  ]

  private static func player(_ value: @escaping @Sendable (AVPlayer) -> NSObject?) -> Self { Self(value) }
  private static func item(_ value: @escaping @Sendable (AVPlayerItem) -> NSObject?) -> Self { Self(value) }
  private static func looper(_ value: @escaping @Sendable (AVPlayerLooper) -> NSObject?) -> Self { Self(value) }
}
