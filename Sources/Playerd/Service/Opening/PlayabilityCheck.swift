import Playback
import Synchronization

/// A check whether an item is playable before it replaces a queue.
struct PlayabilityCheck: Sendable {
  /// The time limit for one item; after it, the decision is left to the player.
  private static let timeout = Duration.seconds(5)

  private let media: any MediaFramework
  private let inspect: MediaInspection

  init(_ media: any MediaFramework) {
    self.media = media
    inspect = media.makeInspector(limit: 1, timeout: Self.timeout)
  }

  /// Returns the reason why an item is not playable; nil if it is playable or if only playback can decide.
  ///
  /// A file is inspected. From a server, only the response header is read, so that the media is not downloaded twice.
  func failure(of item: Player.Item) async -> PlayerError? {
    do throws(PlayerError) {
      switch FileURI.scheme(of: item.uri) {
      case "file": _ = try await inspect(item.uri)
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
    _ = try await media.read(uri, byteLimit: 0, timeout: Self.timeout) { mediaType in
      isPage.withLock { $0 = mediaType?.lowercased().hasPrefix("text/html") ?? false }
      return false
    }
    if isPage.withLock({ $0 }) { throw PlayerError.webPage }
  }
}
