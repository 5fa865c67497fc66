public import Foundation
import GstPlayer

/// The errors of an item, including those from which playback recovered.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemerrorlog>
open class AVPlayerItemErrorLog: NSObject, NSCopying, @unchecked Sendable {  // immutable
  /// The errors, the oldest first.
  open private(set) var events: [AVPlayerItemErrorLogEvent]

  init(_ events: [AVPlayerItemErrorLogEvent]) { self.events = events }

  /// Returns the log in the W3C Extended Log File Format, with a line for each error.
  ///
  /// <https://www.w3.org/TR/WD-logfile.html>
  open func extendedLogData() -> Data? {
    let lines = events.map { event in
      ExtendedLog.line(
        date: event.date,
        [
          event.uri, event.playbackSessionID, event.serverAddress, "\(event.errorStatusCode)", event.errorDomain,
          event.errorComment,
        ])
    }
    return ExtendedLog.data(fields: "uri cs-guid s-ip status domain comment", lines)
  }

  /// The encoding of ``extendedLogData()``, as the raw value of a `String.Encoding`: UTF-8.
  open var extendedLogDataStringEncoding: UInt { String.Encoding.utf8.rawValue }

  /// Returns the log itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An error of an item.
///
/// <https://developer.apple.com/documentation/avfoundation/avplayeritemerrorlogevent>
open class AVPlayerItemErrorLogEvent: NSObject, NSCopying, @unchecked Sendable {  // immutable
  /// The date of the error.
  ///
  /// It is derived from a clock that does not count the time in which the machine is suspended.
  open private(set) var date: Date?
  /// The URI of the media.
  open private(set) var uri: String?
  /// The code of the error in its domain.
  open private(set) var errorStatusCode: Int
  /// The domain of the error: `CoreMediaErrorDomain` for an HTTP status, otherwise the domain of ``AVError`` or `URLError`.
  open private(set) var errorDomain: String
  /// The message; for an HTTP status, its number and name.
  open private(set) var errorComment: String?

  init(_ entry: Player.ErrorLogEntry, of asset: AVAsset) {
    let playerError = asset.headersError ?? entry.error
    date = Date(entry.instant)
    uri = asset.uri
    let error = playerError.foundationError(about: asset.uri) as NSError
    let failure = playerError.coreMediaFailure
    errorStatusCode = failure?.code ?? error.code
    errorDomain = failure == nil ? error.domain : "CoreMediaErrorDomain"
    errorComment = failure?.comment ?? playerError.message
  }

  /// Returns the event itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The address of the server; always nil.
  open var serverAddress: String? { nil }
  /// The identity of the session; always nil.
  open var playbackSessionID: String? { nil }
}
