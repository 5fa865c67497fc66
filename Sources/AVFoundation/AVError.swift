// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import GstPlayer

/// The domain of ``AVError``.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// A failure of media, with the codes of Apple's AVFoundation.
///
/// Failures of files and networks are `URLError` values, as on Apple's systems. The underlying error, `NSUnderlyingErrorKey`,
/// is the error of the player.
///
/// <https://developer.apple.com/documentation/avfoundation/averror-swift.struct>
public struct AVError: CustomNSError, LocalizedError, Hashable, Sendable {
  private let error: NSError

  /// The kind of failure; some are never reported here.
  public enum Code: Int, Hashable, Sendable {
    /// The reason is not known.
    case unknown = -11800
    /// There is not enough memory.
    case outOfMemory = -11801
    /// The disk is full.
    case diskFull = -11807
    /// The media services are not available.
    case mediaServicesWereReset = -11819
    /// The export failed.
    case exportFailed = -11820
    /// The media is damaged.
    case decodeFailed = -11821
    /// The source media cannot be used.
    case invalidSourceMedia = -11822
    /// The file already exists.
    case fileAlreadyExists = -11823
    /// The media is of an unknown format.
    case fileFormatNotRecognized = -11828
    /// The file cannot be parsed.
    case fileFailedToParse = -11829
    /// The application is not authorized to open the media.
    case contentIsProtected = -11831
    /// No image exists at the time.
    case noImageAtTime = -11832
    /// No decoder is installed.
    case decoderNotFound = -11833
    /// No encoder is installed.
    case encoderNotFound = -11834
    /// The user is not authorized to play the media.
    case contentIsNotAuthorized = -11835
    /// The application is not authorized to play media.
    case applicationIsNotAuthorized = -11836
    /// The operation is not possible with this asset.
    case operationNotSupportedForAsset = -11838
    /// The decoder is not available at the moment.
    case decoderTemporarilyUnavailable = -11839
    /// The encoder is not available at the moment.
    case encoderTemporarilyUnavailable = -11840
    /// The operation was interrupted.
    case operationInterrupted = -11847
    /// The asset is not compatible with the operation.
    case incompatibleAsset = -11848
    /// Media data could not be read.
    case failedToLoadMediaData = -11849
    /// The server does not answer as it should.
    case serverIncorrectlyConfigured = -11850
    /// The media data cannot be parsed.
    case failedToParse = -11853
    /// The media data cannot be decoded.
    case undecodableMediaData = -11855
    /// The operation is not allowed.
    case operationNotAllowed = -11862
    /// The content is not available.
    case contentIsUnavailable = -11863
    /// The format is not supported.
    case formatUnsupported = -11864
    /// The content could not be updated.
    case contentNotUpdated = -11866
    /// The media can no longer be played.
    case noLongerPlayable = -11867
    /// The media lacks a track for the operation.
    case noSourceTrack = -11869
    /// The operation was cancelled.
    case operationCancelled = -11878

    /// Whether an error is an ``AVError`` with a code; for `catch AVError.decodeFailed`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? AVError)?.code == code }
  }

  /// Makes an error with a code and the values of an `NSError`.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    error = NSError(domain: AVFoundationErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// The kind of failure.
  public var code: Code { Code(rawValue: error.code) ?? .unknown }
  /// The values of the `NSError`.
  public var userInfo: [String: Any] { error.userInfo }
  /// The description for users.
  public var localizedDescription: String { error.localizedDescription }

  // MARK: Error protocols

  /// The domain of the errors.
  public static var errorDomain: String { AVFoundationErrorDomain }
  /// The number of the code.
  public var errorCode: Int { error.code }
  /// The values of the `NSError`.
  public var errorUserInfo: [String: Any] { error.userInfo }
  /// The description for users.
  public var errorDescription: String? { error.localizedDescription }
  /// The reason of the failure; nil if it is not known.
  public var failureReason: String? { error.localizedFailureReason }

  // MARK: Codes

  /// The reason is not known.
  public static var unknown: Code { .unknown }
  /// There is not enough memory.
  public static var outOfMemory: Code { .outOfMemory }
  /// The media services are not available.
  public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
  /// The media is damaged.
  public static var decodeFailed: Code { .decodeFailed }
  /// The source media cannot be used.
  public static var invalidSourceMedia: Code { .invalidSourceMedia }
  /// The media is of an unknown format.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// The file cannot be parsed.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// The application is not authorized to open the media.
  public static var contentIsProtected: Code { .contentIsProtected }
  /// No decoder is installed.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// The user is not authorized to play the media.
  public static var contentIsNotAuthorized: Code { .contentIsNotAuthorized }
  /// The application is not authorized to play media.
  public static var applicationIsNotAuthorized: Code { .applicationIsNotAuthorized }
  /// The operation is not possible with this asset.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// The decoder is not available at the moment.
  public static var decoderTemporarilyUnavailable: Code { .decoderTemporarilyUnavailable }
  /// The operation was interrupted.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// Media data could not be read.
  public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
  /// The server does not answer as it should.
  public static var serverIncorrectlyConfigured: Code { .serverIncorrectlyConfigured }
  /// The media data cannot be parsed.
  public static var failedToParse: Code { .failedToParse }
  /// The media data cannot be decoded.
  public static var undecodableMediaData: Code { .undecodableMediaData }
  /// The content is not available.
  public static var contentIsUnavailable: Code { .contentIsUnavailable }
  /// The format is not supported.
  public static var formatUnsupported: Code { .formatUnsupported }
  /// The media can no longer be played.
  public static var noLongerPlayable: Code { .noLongerPlayable }
  /// The media lacks a track for the operation.
  public static var noSourceTrack: Code { .noSourceTrack }
  /// The operation was cancelled.
  public static var operationCancelled: Code { .operationCancelled }
}
