import Playback

/// Reads the bytes at a URI, such as a playlist on a server, with limits of time and size.
///
/// The counterpart of a small `URLSession` data task. It uses GStreamer's sources, so every URI that can be played can
/// also be read.
package struct URIReader: Sendable {
  /// Decides whether content is read, from the media type that the server reports and the first bytes, which may be few.
  package typealias Decision = @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool

  let byteLimit: Int
  let timeout: Duration

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - byteLimit: The maximum size. Larger content fails with the code `unknown`; at least 0.
  ///   - timeout: The time limit of a whole read; after it the read fails with the code `networkTimeout`.
  package init(byteLimit: Int, timeout: Duration) {
    self.byteLimit = max(0, byteLimit)
    self.timeout = max(.zero, timeout.limited)
  }

  /// Reads the complete content.
  ///
  /// If the task is cancelled, the call throws an error with the code `cancelled` at once.
  ///
  /// - Parameters:
  ///   - uri: An absolute URI.
  ///   - headers: The headers of the request; nil for GStreamer's own.
  ///   - continues: Whether a player is about to open the URI. It then continues the response of a server that is not
  ///     wanted, or that did not arrive in time, so that the server gets one request. The connection stays open for 5 s.
  ///   - isWanted: Called once, on a GStreamer thread, before the content is stored.
  /// - Returns: Nil if `isWanted` returned false.
  /// - Throws: The failure of the source, with the code that an item with this URI would fail with.
  package func read(
    _ uri: String, headers: HTTPRequestHeaders? = nil, forPlayback continues: Bool = false,
    isWanted: @escaping Decision = { _, _ in true }
  ) async throws(PlayerError) -> MediaContent? {
    let reading = URIReading(
      uri: uri, headers: headers, byteLimit: byteLimit, isContinued: continues, isWanted: isWanted)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { reading.begin(within: timeout, $0) }
    } onCancel: {
      reading.settle(.failure(PlayerError(code: .cancelled, message: "the read was cancelled")))
    }
    return try result.get()
  }
}
