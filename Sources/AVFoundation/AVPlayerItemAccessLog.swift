public import Foundation
import GstPlayer

/// The playbacks of an item.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemaccesslog>
open class AVPlayerItemAccessLog: NSObject, NSCopying, @unchecked Sendable {  // immutable
  /// The playbacks, the oldest first; the last one may be in progress.
  open private(set) var events: [AVPlayerItemAccessLogEvent]

  init(_ events: [AVPlayerItemAccessLogEvent]) { self.events = events }

  /// Returns the log in the W3C Extended Log File Format, with a line for each playback.
  ///
  /// <https://www.w3.org/TR/WD-logfile.html>
  open func extendedLogData() -> Data? {
    let lines = events.map { event in
      ExtendedLog.line(
        date: event.playbackStartDate,
        [
          event.uri, event.playbackSessionID, event.serverAddress, known(event.numberOfServerAddressChanges),
          known(event.numberOfMediaRequests), known(event.segmentsDownloadedDuration), known(event.playbackStartOffset),
          known(event.durationWatched), known(event.numberOfBytesTransferred), known(event.observedBitrate),
          known(event.indicatedBitrate), known(event.numberOfStalls), known(event.numberOfDroppedVideoFrames),
          known(event.startupTime), known(event.downloadOverdue), event.playbackType, known(event.mediaRequestsWWAN),
          known(event.switchBitrate),
        ])
    }
    return ExtendedLog.data(
      fields: """
        uri cs-guid s-ip s-ip-changes sc-count c-duration-downloaded c-start-time c-duration-watched bytes \
        c-observed-bitrate sc-indicated-bitrate c-stalls c-frames-dropped c-startup-time c-overdue s-playback-type \
        sc-wwan-count c-switch-bitrate
        """, lines)
  }

  /// The encoding of ``extendedLogData()``, as the raw value of a `String.Encoding`: UTF-8.
  open var extendedLogDataStringEncoding: UInt { String.Encoding.utf8.rawValue }

  /// Returns the log itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A playback of an item: its start, its stalls and its transfer.
///
/// An unknown number is negative.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemaccesslogevent>
open class AVPlayerItemAccessLogEvent: NSObject, NSCopying, @unchecked Sendable {  // immutable
  private let entry: Player.AccessLogEntry
  private let assetURI: String

  /// The URI of the media, after redirects.
  open var uri: String? { entry.redirectedURI ?? assetURI }
  /// The date at which the item was opened.
  ///
  /// It is derived from a clock that does not count the time in which the machine is suspended.
  open private(set) var playbackStartDate: Date?
  /// The seconds from the request to play until the first sample played; negative before that.
  open var startupTime: TimeInterval { entry.startupTime?.seconds ?? -1 }
  /// The seconds of the item's time at which the playback began; negative before that.
  open var playbackStartOffset: TimeInterval { entry.startPosition.map { (entry.item.start + $0).seconds } ?? -1 }
  /// The seconds during which the item played.
  open var durationWatched: TimeInterval { entry.timePlayed.seconds }
  /// The number of stalls.
  open var numberOfStalls: Int { entry.stallCount }
  /// The bytes received from the network; negative for a local file.
  open var numberOfBytesTransferred: Int64 { entry.bytesReceived ?? -1 }
  /// The number of segments of an adaptive stream that were downloaded; negative for another item.
  open var numberOfMediaRequests: Int { entry.mediaRequestCount ?? -1 }
  /// The seconds in which these segments were downloaded; negative for another item.
  open var transferDuration: TimeInterval { entry.transferDuration?.seconds ?? -1 }
  /// The bit rate of the transfer, in bits per second, over the last seconds in which data was received.
  open var observedBitrate: Double { entry.observedBitRate.map(Double.init) ?? -1 }
  /// The bit rate that the media indicates, in bits per second; negative if it is unknown.
  open var indicatedBitrate: Double { entry.indicatedBitRate.map(Double.init) ?? -1 }

  init(_ entry: Player.AccessLogEntry, of asset: AVAsset) {
    (self.entry, assetURI) = (entry, asset.uri)
    playbackStartDate = Date(entry.start)
  }

  /// Returns the event itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Unknown values

  /// The address of the server; always nil.
  open var serverAddress: String? { nil }
  /// The identity of the session; always nil.
  open var playbackSessionID: String? { nil }
  /// The type of the playback; always nil.
  open var playbackType: String? { nil }
  /// The number of changes of the server's address; always negative.
  open var numberOfServerAddressChanges: Int { -1 }
  /// The number of requests over a cellular network; always negative.
  open var mediaRequestsWWAN: Int { -1 }
  /// The seconds of the received segments; always negative.
  open var segmentsDownloadedDuration: TimeInterval { -1 }
  /// The number of segments that arrived late; always negative.
  open var downloadOverdue: Int { -1 }
  /// The number of dropped video frames; always negative, because only audio is played.
  open var numberOfDroppedVideoFrames: Int { -1 }
  /// The standard deviation of the bit rate of the transfer; always negative.
  open var observedBitrateStandardDeviation: Double { -1 }
  /// The bit rate at which the variant changes; always negative.
  open var switchBitrate: Double { -1 }
  /// The average bit rate that the media indicates; always negative.
  open var indicatedAverageBitrate: Double { -1 }
  /// The average bit rate of the audio; always negative.
  open var averageAudioBitrate: Double { -1 }
  /// The average bit rate of the video; always negative.
  open var averageVideoBitrate: Double { -1 }
}

/// Returns the text of a number; nil for a negative one, which means unknown.
private func known(_ number: some Numeric & Comparable) -> String? { number >= 0 ? "\(number)" : nil }

extension Date {
  /// Creates the present date of an instant of the players' clock, which equals the clock of `DispatchTime`.
  init(_ instant: MonotonicTime) {
    let now = MonotonicTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    self.init(timeIntervalSinceNow: -(now - instant).seconds)
  }
}
