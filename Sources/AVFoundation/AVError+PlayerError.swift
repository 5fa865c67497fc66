import Foundation
import GstPlayer

extension PlayerError {
  /// Returns the error that Apple's framework reports for this failure: an ``AVError`` about media, a `URLError` about transport.
  ///
  /// The `URLError` contains the URI of the media if it is a URL.
  func foundationError(about uri: String? = nil) -> any Error {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, NSUnderlyingErrorKey: self as NSError]
    if !detail.isEmpty { userInfo[NSLocalizedFailureReasonErrorKey] = detail }
    switch foundationCode {
    case .media(let code): return AVError(code, userInfo: userInfo)
    case .transport(let code):
      if let url = uri.flatMap(URL.init(string:)) { userInfo[NSURLErrorFailingURLErrorKey] = url }
      return URLError(code, userInfo: userInfo)
    }
  }

  /// Whether the media was read, and cannot be played.
  var isAboutMedia: Bool {
    [.notMedia, .empty, .noAudio, .codecMissing, .corrupt].contains(code)
  }

  private enum FoundationCode {
    case media(AVError.Code)
    case transport(URLError.Code)
  }

  private var foundationCode: FoundationCode {
    switch code {
    case .notMedia: .media(.fileFormatNotRecognized)
    case .empty: .media(.fileFailedToParse)
    case .noAudio: .media(.noSourceTrack)
    case .codecMissing: .media(.decoderNotFound)
    case .corrupt: .media(.decodeFailed)
    case .readError: .media(.failedToLoadMediaData)
    case .cancelled: .media(.operationCancelled)
    case .notFound: .transport(.fileDoesNotExist)
    case .permissionDenied: .transport(.noPermissionsToReadFile)
    case .unsupportedScheme: .transport(.unsupportedURL)
    case .invalidArgument: .transport(.badURL)
    case .loadTimeout, .networkTimeout: .transport(.timedOut)
    case .networkRefused: .transport(.cannotConnectToHost)
    case .networkUnresolved: .transport(.cannotFindHost)
    case .networkCut: .transport(.networkConnectionLost)
    case .httpError: .transport(.badServerResponse)
    case .tooManyRedirects: .transport(.httpTooManyRedirects)
    case .tls: .transport(.secureConnectionFailed)
    default: .media(.unknown)
    }
  }
}
