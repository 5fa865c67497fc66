import GstPlayer
import Synchronization

/// Finds out whether an item can be played before it replaces a queue.
struct PlayabilityCheck: Sendable {
  /// How long one item may take; one that takes longer is left to the player.
  private static let timeout = Duration.seconds(5)

  private let inspector = MediaInspector(limit: 1, timeout: timeout)

  /// The reason why an item cannot be played; nil for one that can be, and for one of which only playback can tell.
  ///
  /// A file is inspected. Of a server only the response is read, so that it does not send its media twice.
  func failure(of item: PlayerItem) async -> PlayerError? {
    do throws(PlayerError) {
      switch FileURI.scheme(of: item.uri) {
      case "file": _ = try await inspector.inspect(item.uri)
      case "http", "https": try await checkResponse(of: item.uri)
      default: break
      }
      return nil
    } catch {
      let isUndecided = [.loadTimeout, .networkTimeout, .networkCut, .cancelled].contains(error.code)
      return isUndecided ? nil : error
    }
  }

  private func checkResponse(of uri: String) async throws(PlayerError) {
    let isPage = Mutex(false)
    _ = try await URIReader(byteLimit: 0, timeout: Self.timeout).read(uri) { mediaType in
      isPage.withLock { $0 = mediaType?.lowercased().hasPrefix("text/html") ?? false }
      return false
    }
    if isPage.withLock({ $0 }) { throw PlayerError.webPage }
  }
}
