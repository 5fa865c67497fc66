import CGst
import Playback

/// Reads what a URI leads to as bytes, such as a playlist on a server, with limits of time and size.
///
/// The counterpart of a small `URLSession` data task, over the sources that GStreamer plays from: what can be played can
/// be read.
public struct URIReader: Sendable {
  /// What was read.
  public struct Content: Hashable, Sendable {
    /// Where it came from, after redirections.
    public let uri: String
    /// The media type, as the server says it; nil when it says none.
    public let mediaType: String?
    /// The whole of it.
    public let bytes: [UInt8]
  }

  let byteLimit: Int
  let timeout: Duration

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - byteLimit: More than this is not read, but an error with the code `unknown`; at least 0.
  ///   - timeout: How long all of it may take; then the error has the code `networkTimeout`.
  public init(byteLimit: Int, timeout: Duration) {
    self.byteLimit = max(0, byteLimit)
    self.timeout = max(.zero, timeout.limited)
  }

  /// Reads the whole of it.
  ///
  /// A cancelled task gets an error with the code `cancelled` at once.
  ///
  /// - Parameters:
  ///   - uri: An absolute URI.
  ///   - isWanted: Asked once, on a thread of GStreamer's, when the server has told the media type and before more is
  ///     read.
  /// - Returns: Nil when it was not wanted.
  /// - Throws: The failure of the source, with the code that an item there would fail with.
  public func read(_ uri: String, isWanted: @escaping @Sendable (_ mediaType: String?) -> Bool = { _ in true })
    async throws(PlayerError) -> Content?
  {
    let reading = URIReading(uri: uri, byteLimit: byteLimit, isWanted: isWanted)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { reading.begin(within: timeout, $0) }
    } onCancel: {
      reading.settle(.failure(PlayerError(.cancelled, "the reading was cancelled")))
    }
    return try result.get()
  }

  /// Resolves a URI reference as RFC 3986 says; nil when either is no URI.
  public static func resolve(_ reference: String, against base: String) -> String? {
    unsafe GLib.take(cgst_resolve_uri(reference, base))
  }
}
