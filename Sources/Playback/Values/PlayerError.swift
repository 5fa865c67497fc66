/// A failure of an item or the output: one error for each failure, regardless of the number of GStreamer messages.
public struct PlayerError: Codable, Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure; more kinds may be added, so use a default case in a switch.
  public struct Code: Codable, Hashable, Sendable, RawRepresentable {
    /// The code's name as it appears in logs and on D-Bus.
    public let rawValue: String

    /// Creates a code from a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file or resource does not exist.
    public static let notFound = Code(rawValue: "not-found")
    /// Reading the file or resource failed, for example because the disk is damaged.
    public static let readError = Code(rawValue: "read-error")
    /// Access to the file or resource is denied.
    public static let permissionDenied = Code(rawValue: "permission-denied")
    /// The resource is not media, for example text or a directory.
    public static let notMedia = Code(rawValue: "not-media")
    /// The file is empty.
    public static let empty = Code(rawValue: "empty")
    /// The media is without audio: only video, pictures or subtitles.
    public static let noAudio = Code(rawValue: "no-audio")
    /// No installed plug-in decodes the format.
    public static let codecMissing = Code(rawValue: "codec-missing")
    /// The media is damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The media exceeds a limit that bounds the memory, the threads and the stack of the player: the bytes before the
    /// first sample, the depth of its structure, or the number of its parts.
    public static let limitExceeded = Code(rawValue: "limit-exceeded")
    /// The process has too few file descriptors or threads, or too little memory left to open an item.
    public static let outOfResources = Code(rawValue: "out-of-resources")
    /// The item was not ready to play within the load time-out.
    public static let loadTimeout = Code(rawValue: "load-timeout")
    /// The media gives no more audio, and has not ended.
    public static let noProgress = Code(rawValue: "no-progress")
    /// The server refused the connection.
    public static let networkRefused = Code(rawValue: "network-refused")
    /// The server's name could not be resolved.
    public static let networkUnresolved = Code(rawValue: "network-unresolved")
    /// The server did not respond in time.
    public static let networkTimeout = Code(rawValue: "network-timeout")
    /// The connection ended before the media did.
    public static let networkCut = Code(rawValue: "network-cut")
    /// The server responded with an error status.
    public static let httpError = Code(rawValue: "http-error")
    /// The server redirected too often.
    public static let tooManyRedirects = Code(rawValue: "too-many-redirects")
    /// A secure connection could not be established.
    public static let tls = Code(rawValue: "tls")
    /// The audio output failed.
    public static let output = Code(rawValue: "output")
    /// The process that decodes the item ended twice during it, or a process of the engine cannot be started.
    public static let engineEnded = Code(rawValue: "engine-ended")
    /// The command that was to find the media behind an address has failed.
    public static let resolverFailed = Code(rawValue: "resolver-failed")
    /// No installed plug-in reads the URI's scheme.
    public static let unsupportedScheme = Code(rawValue: "unsupported-scheme")
    /// The caller passed a value that cannot be used, such as a malformed URI.
    public static let invalidArgument = Code(rawValue: "invalid-argument")
    /// The operation ended without a result: its task was cancelled, the object that was to provide the result was
    /// closed, or another command came first.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Any other failure.
    public static let unknown = Code(rawValue: "unknown")
  }

  /// The kind of failure.
  public let code: Code
  /// A description for users, without the item's name.
  public let message: String
  /// The origin as GStreamer reports it: `domain code element: debug text`; empty if the player itself found the
  /// failure.
  public let detail: String

  /// The status of the server's response, such as 404; nil unless ``code`` is ``Code/httpError``.
  public package(set) var httpStatus: Int?
  /// Whether the network source posted it; data delivered before can still be played.
  package var isFromSource = false
  /// Whether the data of a station that the engine kept is lost with its source.
  package var losesKeptData = false
  /// Whether the output is permanently unusable: every item would fail, and waiting does not help.
  package var isUnusableOutput = false

  /// Whether the server has refused a request that it may answer at another URI.
  package var isRefusal: Bool { httpStatus.map { [401, 403, 404, 410].contains($0) } ?? false }

  /// Creates an error.
  public init(code: Code, message: String, detail: String = "") {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// Returns the error for a value that cannot be used.
  static func invalid(_ message: String) -> PlayerError { PlayerError(code: .invalidArgument, message: message) }

  /// The error for an output that did not open, close or write in time.
  package static let hungOutput = PlayerError(code: .output, message: "the output does not respond")

  /// The error for an HTML document.
  package static let webPage = PlayerError(code: .notMedia, message: "this is a web page, not audio")

  /// Creates the error for media without a playable track.
  ///
  /// `missing` contains the names of the missing plug-ins; it is empty for media without audio.
  package init(missing: [String], detail: String = "") {
    let names = missing.joined(separator: ", ")
    self =
      missing.isEmpty
      ? Self(code: .noAudio, message: "no audio track")
      : Self(code: .codecMissing, message: "not installed: \(names)", detail: detail)
  }

  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
