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
  /// A file is inspected. Of a server, only the response header is read; the player continues the response.
  func failure(of item: Player.Item) async -> PlayerError? {
    do throws(PlayerError) {
      switch FileURI.scheme(of: item.uri) {
      case "file": _ = try await inspect(item.uri)
      case "http", "https": try await checkResponse(of: item.uri)
      default: break
      }
      return nil
    } catch {
      return Self.decisive(error)
    }
  }

  private func checkResponse(of uri: String) async throws(PlayerError) {
    let type = Mutex<String?>(nil)
    _ = try await media.read(uri, byteLimit: 0, timeout: Self.timeout, forPlayback: true) { mediaType, _ in
      type.withLock { $0 = mediaType }
      return false
    }
    if let error = Self.failure(ofMediaType: type.withLock { $0 }) { throw error }
  }

  /// Returns the reason why media of a type is not playable; nil if it may be.
  static func failure(ofMediaType type: String?) -> PlayerError? {
    type?.lowercased().hasPrefix("text/html") == true ? .webPage : nil
  }

  /// Returns an error of a response, or nil if only playback can decide.
  static func decisive(_ error: PlayerError) -> PlayerError? {
    [.loadTimeout, .networkTimeout, .networkCut, .cancelled].contains(error.code) ? nil : error
  }
}
