package import Playback

/// Turns the addresses of some items into URIs that can be opened, before each opening.
///
/// The queue, the session and clients have the address. Only the process that opens the media gets the URI and its headers.
package protocol MediaResolver: Sendable {
  /// Whether an address is resolved; called for each opening, and must not block.
  func resolves(_ address: String) -> Bool

  /// Resolves an address, or returns an earlier result that is still valid.
  ///
  /// It has its own time limit, and stops when the task is cancelled.
  ///
  /// - Parameters:
  ///   - address: The URI of an item.
  ///   - isRenewed: Whether an earlier result is not used, because the server has refused it.
  /// - Returns: The media.
  /// - Throws: The error of the item.
  func resolve(_ address: String, isRenewed: Bool) async throws(PlayerError) -> ResolvedMedia
}

/// The media behind an address.
package struct ResolvedMedia: Equatable, Sendable {
  /// The URI to open, of the scheme `http` or `https`.
  package var uri: String
  /// The headers of the requests; nil for the default ones.
  package var headers: HTTPRequestHeaders?
  /// Whether this is an earlier result, which the server may refuse by now.
  package var isKept: Bool

  /// Describes media.
  package init(uri: String, headers: HTTPRequestHeaders?, isKept: Bool = false) {
    (self.uri, self.headers, self.isKept) = (uri, headers, isKept)
  }
}
