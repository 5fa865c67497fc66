import Playback
import PlayerdMedia
import PlayerdSystem
import PlaylistFormats
import Synchronization

/// Checks whether an item is playable before it replaces a queue.
struct PlayabilityCheck: Sendable {
  /// The time limit for one item; after it, the decision is left to the player.
  private static let timeout = Duration.seconds(5)
  /// The limit of existing items that are inspected; if none of them is playable, no others are tried.
  static let limit = 1_000

  private let media: any MediaFramework
  private let files: any FileSystem

  init(_ media: any MediaFramework, _ files: any FileSystem = LocalFileSystem()) {
    (self.media, self.files) = (media, files)
  }

  /// Returns the reason why an item is not playable; nil if it is playable or if only playback can decide.
  ///
  /// A file is inspected. Of a server, only the response header is read; the player continues the response.
  func failure(of item: Player.Item) async -> PlayerError? {
    do throws(PlayerError) {
      switch FileURI.scheme(of: item.uri) {
      // A playlist may name a million missing files; a request to another process takes 0.1 ms.
      case "file" where isMissing(item.uri): throw PlayerError(code: .notFound, message: "not found")
      case "file": _ = try await media.makeInspector(limit: 1, timeout: Self.timeout)(item.uri)
      case "http", "https": try await checkResponse(of: item)
      default: break
      }
      return nil
    } catch {
      return Self.decisive(error)
    }
  }

  /// Whether a file is missing; false in a file system without a root folder, which does not contain media.
  private func isMissing(_ uri: String) -> Bool {
    guard let path = FileURI.path(of: uri), case .failure(let failure) = files.identify(path), failure.isAbsence else {
      return false
    }
    return files.kind(of: [UInt8(ascii: "/")]) == .folder
  }

  private func checkResponse(of item: Player.Item) async throws(PlayerError) {
    let failure = Mutex<PlayerError?>(nil)
    _ = try await media.read(
      item.uri, headers: item.httpHeaders, byteLimit: 0, timeout: Self.timeout, forPlayback: true
    ) { _, beginning in
      failure.withLock { $0 = Self.failure(ofContent: ContentStart(beginning)) }
      return false
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Returns the reason why content is not playable; nil if it may be.
  ///
  /// The media type is not considered, because it is often wrong.
  static func failure(ofContent beginning: ContentStart) -> PlayerError? {
    beginning.isWebPage ? .webPage : nil
  }

  /// Returns an error of a response, or nil if only playback can decide.
  static func decisive(_ error: PlayerError) -> PlayerError? {
    [.loadTimeout, .networkTimeout, .networkCut, .cancelled].contains(error.code) ? nil : error
  }
}
