import Foundation
import GstPlayer

extension PlayerError {
  /// Returns the error that Apple's framework reports for this failure: an ``AVError`` about media, a `URLError` about transport.
  ///
  /// The `URLError` contains the URI of the media if it is a URL.
  func foundationError(about uri: String? = nil) -> any Error {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, NSUnderlyingErrorKey: self as NSError]
    if !detail.isEmpty { userInfo[NSLocalizedFailureReasonErrorKey] = detail }
    if let code = mediaCode { return AVError(code, userInfo: userInfo) }
    if let uri, let url = URL(string: uri) {
      userInfo[NSURLErrorFailingURLErrorKey] = url
    }
    return URLError(transportCode, userInfo: userInfo)
  }

  /// Whether the media was read, and cannot be played.
  var isAboutMedia: Bool {
    [.notMedia, .empty, .noAudio, .codecMissing, .corrupt].contains(code)
  }

  /// The code of an error about media; nil for an error about transport.
  private var mediaCode: AVError.Code? {
    switch code {
    case .notMedia: .fileFormatNotRecognized
    case .empty: .fileFailedToParse
    case .noAudio: .noSourceTrack
    case .codecMissing: .decoderNotFound
    case .corrupt: .decodeFailed
    case .readError: .failedToLoadMediaData
    case .cancelled: .operationCancelled
    case .notFound, .permissionDenied, .unsupportedScheme, .invalidArgument, .loadTimeout, .networkTimeout,
      .networkRefused,
      .networkUnresolved, .networkCut, .httpError, .tooManyRedirects, .tls:
      nil
    default: .unknown
    }
  }

  private var transportCode: URLError.Code {
    switch code {
    case .notFound: .fileDoesNotExist
    case .permissionDenied: .noPermissionsToReadFile
    case .unsupportedScheme: .unsupportedURL
    case .invalidArgument: .badURL
    case .loadTimeout, .networkTimeout: .timedOut
    case .networkRefused: .cannotConnectToHost
    case .networkUnresolved: .cannotFindHost
    case .networkCut: .networkConnectionLost
    case .httpError: .badServerResponse
    case .tooManyRedirects: .httpTooManyRedirects
    case .tls: .secureConnectionFailed
    default: .unknown
    }
  }
}
