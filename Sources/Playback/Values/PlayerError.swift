/// Why an item, or the output, failed: one error for each failure, however many messages GStreamer posted.
public struct PlayerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it was; more kinds may come, so switch with a default.
  public struct Code: Hashable, Sendable, RawRepresentable {
    /// The code's name as it appears in logs and on D-Bus.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file or resource does not exist.
    public static let notFound = Code(rawValue: "not-found")
    /// Reading the file or resource failed, for example because the disk is damaged.
    public static let readError = Code(rawValue: "read-error")
    /// The file or resource may not be read.
    public static let permissionDenied = Code(rawValue: "permission-denied")
    /// The resource is not media: text, a directory, something unknown.
    public static let notMedia = Code(rawValue: "not-media")
    /// The file has no content.
    public static let empty = Code(rawValue: "empty")
    /// The media has no audio: video, pictures or subtitles alone.
    public static let noAudio = Code(rawValue: "no-audio")
    /// No installed plug-in decodes the format.
    public static let codecMissing = Code(rawValue: "codec-missing")
    /// The media is damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// Nothing came of the item within the load time-out.
    public static let loadTimeout = Code(rawValue: "load-timeout")
    /// The server refused the connection.
    public static let networkRefused = Code(rawValue: "network-refused")
    /// The server's name could not be resolved.
    public static let networkUnresolved = Code(rawValue: "network-unresolved")
    /// The server did not answer in time.
    public static let networkTimeout = Code(rawValue: "network-timeout")
    /// The connection ended before the media did.
    public static let networkCut = Code(rawValue: "network-cut")
    /// The server answered with an error status.
    public static let httpError = Code(rawValue: "http-error")
    /// The server redirected too often.
    public static let tooManyRedirects = Code(rawValue: "too-many-redirects")
    /// A secure connection could not be made.
    public static let tls = Code(rawValue: "tls")
    /// The audio output failed.
    public static let output = Code(rawValue: "output")
    /// No installed plug-in reads the URI's scheme.
    public static let unsupportedScheme = Code(rawValue: "unsupported-scheme")
    /// The caller passed a value that cannot be used, such as a malformed URI.
    public static let invalidArgument = Code(rawValue: "invalid-argument")
    /// Nobody waits for the answer any more: the task was cancelled, or what was to give the answer was closed.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Anything else.
    public static let unknown = Code(rawValue: "unknown")
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for a person, without the item's name.
  public let message: String
  /// Where it came from, as GStreamer tells it: `domain code element: debug text`; empty when the failure is the
  /// player's own finding.
  public let detail: String

  /// The network source posted it: what it has delivered before can still be played.
  package var isFromSource = false
  /// Whether the output can never be used: every item would fail, and waiting does not help.
  package var isUnusableOutput = false

  /// Makes an error.
  public init(_ code: Code, _ message: String, detail: String = "") {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// The error of an HTML document.
  public static let webPage = PlayerError(.notMedia, "this is a web page, not audio")

  /// Makes the error of media without a track that can be played.
  ///
  /// `missing` are the names of the plug-ins that are missing for it; none for media without audio.
  package init(missing: [String], detail: String = "") {
    let names = missing.joined(separator: ", ")
    self =
      missing.isEmpty
      ? Self(.noAudio, "no audio track") : Self(.codecMissing, "not installed: \(names)", detail: detail)
  }

  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
