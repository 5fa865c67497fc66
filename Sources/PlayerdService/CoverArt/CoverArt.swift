import Playback
import PlayerdSystem
import Synchronization

/// Provides the pictures of tracks for clients, and finds the picture of the current track on a separate queue.
///
/// A picture in the media, file or stream, has priority over one beside the file.
final class CoverArt: Sendable {
  /// The track whose picture is searched.
  struct Subject: Equatable, Sendable {
    var item: Player.Item
    var artwork: MediaMetadata.Artwork?
  }

  /// The result of a search so far.
  struct Finding: Equatable, Sendable {
    var uri: String?
    /// Whether the search is still running.
    var isPending = false
  }

  private struct State {
    var subject: Subject?
    var finding = Finding()
    /// The number of the last search.
    var search: UInt64 = 0
    /// Cancels the time limit of the last search.
    var cancelLimit: @Sendable () -> Void = {}
    /// A number that increases with each finished search.
    var revision: UInt64 = 0
  }

  private let cache: ArtCache?
  private let found: @Sendable () -> Void
  private let limit: Limit
  private let later: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state = Mutex(State())
  private let queue: any ObserverExecutor

  /// Calls a function after the time limit of a search, and returns what cancels the call.
  typealias Limit = @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// - Parameters:
  ///   - cache: The store for pictures; without one, only a file beside a track can be published.
  ///   - queue: The queue of the searches, which a disk may block.
  ///   - limit: The time after which the metadata does not wait for a search any more.
  ///   - later: Runs a search after a delay, and returns whether it does; the metadata does not wait for such a search.
  ///   - found: Called on any thread after a search, unless a newer search has replaced it.
  init(
    _ cache: ArtCache?, on queue: any ObserverExecutor, limit: @escaping Limit = { _ in {} },
    later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { _ in false },
    found: @escaping @Sendable () -> Void
  ) {
    self.cache = cache
    self.queue = queue
    self.limit = limit
    self.later = later
    self.found = found
  }

  /// A number that differs whenever ``find(for:)`` may return another result for the same subject.
  var revision: UInt64 { state.withLock { $0.revision } }

  /// Returns the current result without starting a search.
  func known(of item: Player.Item) -> Finding {
    state.withLock { $0.subject?.item == item ? Finding(uri: $0.finding.uri) : Finding() }
  }

  /// Returns the current result and starts a search if needed; until it ends, an older picture of the item is returned.
  func find(for subject: Subject) -> Finding {
    let (finding, search): (Finding, UInt64?) = state.withLock { state in
      guard state.subject != subject else { return (state.finding, nil) }
      let older = state.subject?.item == subject.item ? state.finding.uri : nil
      state.subject = subject
      state.search += 1
      let hasPlace = subject.artwork != nil || FileURI.path(of: subject.item.uri) != nil
      state.finding = hasPlace ? Finding(uri: older, isPending: true) : Finding()
      return (state.finding, hasPlace ? state.search : nil)
    }
    guard let search else { return finding }
    let begin: @Sendable () -> Void = { [weak self, queue] in
      queue.run { [weak self] in self?.search(search, for: subject) }
    }
    guard later(begin) else {
      let cancel = limit { [weak self] in self?.giveUp(search) }
      let obsolete = state.withLock { state in
        guard state.search == search else { return cancel }
        defer { state.cancelLimit = cancel }
        return state.cancelLimit
      }
      obsolete()
      begin()
      return finding
    }
    state.withLock { if $0.search == search { $0.finding.isPending = false } }
    return Finding(uri: finding.uri)
  }

  private func search(_ search: UInt64, for subject: Subject) {
    // Another track has replaced this one before its search started.
    guard state.withLock({ $0.search == search }) else { return }
    end(search, Finding(uri: uri(of: subject)))
  }

  /// Lets the metadata continue without the picture, which follows when the disk answers.
  private func giveUp(_ search: UInt64) {
    end(search, Finding(uri: state.withLock { $0.finding.uri }), onlyPending: true)
  }

  private func end(_ search: UInt64, _ finding: Finding, onlyPending: Bool = false) {
    let cancel: (@Sendable () -> Void)? = state.withLock { state in
      guard state.search == search, state.finding.isPending || !onlyPending else { return nil }
      state.finding = finding
      state.revision += 1
      return state.cancelLimit
    }
    guard let cancel else { return }
    cancel()
    found()
  }

  /// Returns the picture of any track, playing or not; nil for none, and if the disk does not answer in time.
  func picture(of subject: Subject) async -> String? {
    let (results, result) = AsyncStream.makeStream(of: String?.self)
    let cancel = limit { result.yield(nil) }
    defer { cancel() }
    queue.run { result.yield(self.uri(of: subject)) }
    for await uri in results { return uri }
    return nil
  }

  /// Returns the picture of any track, playing or not; blocks the caller during the search; nil for none.
  ///
  /// The picture of the current track is not removed from the cache for it.
  func uri(of subject: Subject) -> String? {
    let current = state.withLock { $0.finding.uri }.flatMap { FileURI.path(of: $0) }
    let needed = current.map { String(decoding: $0, as: UTF8.self) }
    if let artwork = subject.artwork, let path = cache?.store(artwork, keeping: needed) {
      return FileURI.uri(ofPath: Array(path.utf8))
    }
    let files = LocalFileSystem()
    guard let track = FileURI.path(of: subject.item.uri), let cover = CoverFile.path(beside: track),
      PictureType(files.start(of: cover, count: 16)) != nil
    else { return nil }
    // Without a cache, and for a file beyond the limit, the URI of the file itself is used.
    let bytes = try? files.bytes(of: cover, limit: MediaMetadata.Artwork.sizeLimit).get()
    let copy = bytes.flatMap { cache?.store(MediaMetadata.Artwork(mimeType: "", bytes: $0), keeping: needed) }
    return FileURI.uri(ofPath: copy.map { Array($0.utf8) } ?? cover)
  }
}
