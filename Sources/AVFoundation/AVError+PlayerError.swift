import Foundation
import GstPlayer

extension PlayerError {
  /// Returns the error that Apple's framework reports for this failure: an ``AVError`` about media, a `URLError` about transport.
  ///
  /// The `URLError` contains the URI of the media if it is a URL.
  func foundationError(about uri: String? = nil) -> any Error {
    var userInfo = userInfo(about: uri)
    guard let transportCode else {
      return AVError(Self.mediaCodes[code] ?? .unknown, userInfo: userInfo)
    }
    if let url = uri.flatMap(URL.init(string:)) { userInfo[NSURLErrorFailingURLErrorKey] = url }
    return URLError(transportCode, userInfo: userInfo)
  }

  /// The `CoreMediaErrorDomain` code and the comment that Apple's error log has for the status of an HTTP response; nil for
  /// other errors.
  ///
  /// The codes are not documented, but programs compare them: <http://www.openradar.me/14304140>.
  var coreMediaFailure: (code: Int, comment: String)? {
    guard let httpStatus else { return nil }
    return switch httpStatus {
    case 401, 407: (-12937, "Authentication Error")
    case 403: (-12660, "HTTP 403: Forbidden")
    case 404: (-12938, "HTTP 404: File Not Found")
    case 503: (-12661, "HTTP 503: Unavailable")
    default: (-12666, "unrecognized http response \(httpStatus)")
    }
  }

  /// The code of the `URLError`; nil for an error about media.
  private var transportCode: URLError.Code? {
    switch httpStatus {
    case 401?, 407?: .userAuthenticationRequired
    case 403?: .noPermissionsToReadFile
    case 404?, 410?: .fileDoesNotExist
    default: Self.transportCodes[code]
    }
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
