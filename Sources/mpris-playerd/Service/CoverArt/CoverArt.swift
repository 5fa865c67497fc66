import Dispatch
import GstPlayer
import Synchronization

/// The pictures of tracks as clients can read them; that of the current one is looked for on a queue of its own.
///
/// The picture in the media comes first, be it a file or a stream; then the one beside a file.
final class CoverArt: Sendable {
  /// What a picture is looked for.
  struct Subject: Equatable, Sendable {
    var item: PlayerItem
    var artwork: Artwork?
  }

  /// What is known of a picture.
  struct Finding: Equatable, Sendable {
    var uri: String?
    /// It is being looked for.
    var isPending = false
  }

  private struct State {
    var subject: Subject?
    var finding = Finding()
    /// Another number for each search.
    var search: UInt64 = 0
    /// Another number for each search that has ended.
    var revision: UInt64 = 0
  }

  private let cache: ArtCache?
  private let found: @Sendable () -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "org.playerd.art", qos: .utility)

  /// - Parameters:
  ///   - cache: Where pictures are put; without one, only a file beside a track can be told of.
  ///   - found: Called when a search has ended, on any thread.
  init(_ cache: ArtCache?, found: @escaping @Sendable () -> Void) {
    self.cache = cache
    self.found = found
  }

  /// Another number whenever ``look(for:)`` may have another answer for the same subject.
  var revision: UInt64 { state.withLock { $0.revision } }

  /// What is known already, with nothing looked for.
  func known(of item: PlayerItem) -> Finding {
    state.withLock { $0.subject?.item == item ? Finding(uri: $0.finding.uri) : Finding() }
  }

  /// What is known; what has not been looked for yet is, and its item's older picture stands meanwhile.
  func look(for subject: Subject) -> Finding {
    let (finding, search): (Finding, UInt64?) = state.withLock { state in
      guard state.subject != subject else { return (state.finding, nil) }
      let older = state.subject?.item == subject.item ? state.finding.uri : nil
      state.subject = subject
      state.search += 1
      let hasPlace = subject.artwork != nil || FileURI.path(of: subject.item.uri) != nil
      state.finding = hasPlace ? Finding(uri: older, isPending: true) : Finding()
      return (state.finding, hasPlace ? state.search : nil)
    }
    if let search {
      queue.async { [weak self] in self?.search(search, for: subject) }
    }
    return finding
  }

  private func search(_ search: UInt64, for subject: Subject) {
    // Another track has come before this one's turn.
    guard state.withLock({ $0.search == search }) else { return }
    let uri = uri(of: subject)
    let isWanted = state.withLock { state in
      guard state.search == search else { return false }
      state.finding = Finding(uri: uri)
      state.revision += 1
      return true
    }
    if isWanted { found() }
  }

  /// Finds the picture of a track, whether it plays or not, while the caller waits; nil for none.
  ///
  /// The one of the current track is not removed to make room for it.
  func uri(of subject: Subject) -> String? {
    let current = state.withLock { $0.finding.uri }.flatMap { FileURI.path(of: $0) }
    let needed = current.map { String(decoding: $0, as: UTF8.self) }
    if let artwork = subject.artwork, let path = cache?.store(artwork, keeping: needed) {
      return FileURI.uri(ofPath: Array(path.utf8))
    }
    guard let track = FileURI.path(of: subject.item.uri), let cover = CoverFile.path(beside: track),
      case .success(let bytes) = TextFile.bytes(of: cover, limit: Artwork.sizeLimit), PictureType(bytes) != nil
    else { return nil }
    // Where nothing can be put aside, the file itself has to do.
    let copy = cache?.store(Artwork(mimeType: "", bytes: bytes), keeping: needed)
    return FileURI.uri(ofPath: copy.map { Array($0.utf8) } ?? cover)
  }
}
