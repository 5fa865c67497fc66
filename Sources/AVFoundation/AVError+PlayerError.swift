import Foundation
import GstPlayer

extension PlayerError {
  /// Returns the error that Apple's framework reports for this failure: an ``AVError`` about media, a `URLError` about transport.
  ///
  /// The `URLError` contains the URI of the media if it is a URL.
  func foundationError(about uri: String? = nil) -> any Error {
    var userInfo = userInfo(about: uri)
    guard let transportCode = Self.transportCodes[code] else {
      return AVError(Self.mediaCodes[code] ?? .unknown, userInfo: userInfo)
    }
    if let url = uri.flatMap(URL.init(string:)) { userInfo[NSURLErrorFailingURLErrorKey] = url }
    return URLError(transportCode, userInfo: userInfo)
  }

  /// Whether the media was read, and cannot be played.
  var isAboutMedia: Bool { [.notMedia, .empty, .noAudio, .codecMissing, .corrupt, .limitExceeded].contains(code) }

  private static var mediaCodes: [Code: AVError.Code] {
    [
      .notMedia: .fileFormatNotRecognized, .empty: .fileFailedToParse, .noAudio: .noSourceTrack,
      .codecMissing: .decoderNotFound, .corrupt: .decodeFailed, .noProgress: .decodeFailed,
      .limitExceeded: .fileFailedToParse, .readError: .failedToLoadMediaData,
      .cancelled: .operationCancelled, .engineEnded: .mediaServicesWereReset,
    ]
  }

  private static var transportCodes: [Code: URLError.Code] {
    [
      .notFound: .fileDoesNotExist, .permissionDenied: .noPermissionsToReadFile, .unsupportedScheme: .unsupportedURL,
      .invalidArgument: .badURL, .loadTimeout: .timedOut, .networkTimeout: .timedOut,
      .networkRefused: .cannotConnectToHost, .networkUnresolved: .cannotFindHost, .networkCut: .networkConnectionLost,
      .httpError: .badServerResponse, .tooManyRedirects: .httpTooManyRedirects, .tls: .secureConnectionFailed,
    ]
  }
}
