import MPRISService
import Playback
import PlayerdMedia
import PlayerdSystem
import Synchronization

/// Caches the metadata of the queue's tracks that are not playing; filled by playback or by inspection.
///
/// The number of entries is limited; the oldest are removed first.
final class MetadataCache: Sendable {
  /// The limit of entries.
  static let capacity = 4_000

  private struct State {
    /// The metadata of each track; nil if its inspection has failed.
    var known: [Player.Item.ID: MPRISMetadata?] = [:]
    /// The keys of `known`, the oldest first.
    var order: [Player.Item.ID] = []
    /// The tracks that wait for an inspection or have been inspected.
    var requested: Set<Player.Item.ID> = []
    /// The tracks whose inspection is deferred.
    var deferred: [Player.Item] = []
    /// The tracks that wait for an inspection.
    var pending: Set<Player.Item.ID> = []
    /// The calls that wait for inspections.
    var waiters: Set<AsyncStream<Void>.Continuation> = []

    mutating func store(_ metadata: MPRISMetadata?, of item: Player.Item.ID) {
      guard known.updateValue(metadata, forKey: item) == nil else { return }
      order.append(item)
      guard order.count > capacity else { return }
      let oldest = order.removeFirst()
      known[oldest] = nil
      requested.remove(oldest)
    }
  }

  private let state = Mutex(State())
  private let requests: AsyncStream<Player.Item>
  private let inbox: AsyncStream<Player.Item>.Continuation
  private let media: any MediaFramework
  private let hasLyrics: Bool
  private let art: @Sendable (CoverArt.Subject) async -> String?
  private let learned: @Sendable (Player.Item.ID) -> Void

  /// Creates an empty cache; `art` returns the picture of an inspected track, and `learned` is called for each track
  /// with new metadata.
  init(
    _ media: any MediaFramework, hasLyrics: Bool = false,
    art: @escaping @Sendable (CoverArt.Subject) async -> String? = { _ in nil },
    learned: @escaping @Sendable (Player.Item.ID) -> Void
  ) {
    self.media = media
    self.hasLyrics = hasLyrics
    self.art = art
    self.learned = learned
    (requests, inbox) = AsyncStream.makeStream(
      of: Player.Item.self, bufferingPolicy: .bufferingOldest(Self.capacity))
  }

  func metadata(of item: Player.Item.ID) -> MPRISMetadata? { state.withLock { $0.known[item] ?? nil } }

  func store(_ metadata: MPRISMetadata, of item: Player.Item.ID) { state.withLock { $0.store(metadata, of: item) } }

  /// Requests the inspection of a track, once.
  ///
  /// Only local files are inspected: a server is not accessed for a track that is not playing.
  func inspect(_ item: Player.Item) {
    guard FileURI.path(of: item.uri) != nil else { return }
    let isNew = state.withLock { state in
      guard state.requested.insert(item.id).inserted else { return false }
      state.pending.insert(item.id)
      return true
    }
    guard isNew else { return }
    if case .dropped(let item) = inbox.yield(item) { finish(item.id) { $0.requested.remove(item.id) } }
  }

  /// Requests the inspection of a track once ``inspectDeferred()`` is called; of many, of the first ones.
  func inspectLater(_ item: Player.Item) {
    state.withLock { state in
      if state.deferred.count < TrackWindow.size, !state.deferred.contains(item) { state.deferred.append(item) }
    }
  }

  /// Requests the inspections that were deferred.
  func inspectDeferred() {
    let items = state.withLock { state in
      defer { state.deferred = [] }
      return state.deferred
    }
    for item in items { inspect(item) }
  }

  /// Inspects tracks; returns when all are inspected or have failed, or after the time-out.
  func inspect(_ items: [Player.Item], within timeout: Duration, _ clock: some Clock<Duration>) async {
    for item in items where metadata(of: item.id) == nil { inspect(item) }
    let ids = Set(items.map(\.id))
    let (ends, waiter) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { _ = $0.waiters.insert(waiter) }
    defer { state.withLock { _ = $0.waiters.remove(waiter) } }
    // The inspections may have ended before the waiter was registered.
    waiter.yield()
    await withTaskGroup { group in
      group.addTask { for await _ in ends where self.state.withLock({ $0.pending.isDisjoint(with: ids) }) { return } }
      group.addTask { try? await clock.sleep(for: timeout) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Records that the inspection of a track has ended.
  private func finish(_ item: Player.Item.ID, _ change: (inout State) -> Void = { _ in }) {
    let waiters = state.withLock { state in
      state.pending.remove(item)
      change(&state)
      return state.waiters
    }
    for waiter in waiters { waiter.yield() }
  }

  /// Inspects the requested tracks until the task is cancelled; two at the same time.
  func run() async {
    var items = requests.makeAsyncIterator()
    var next = await items.next()
    guard next != nil else { return }
    // Its thread and its process are not needed before the first track.
    let inspect = media.makeInspector(limit: Self.concurrencyLimit, timeout: .seconds(10))
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      while let item = next {
        if running == Self.concurrencyLimit { await group.next() } else { running += 1 }
        group.addTask { await self.inspect(item, inspect) }
        next = await items.next()
      }
    }
  }

  private static let concurrencyLimit = 2

  private func inspect(_ item: Player.Item, _ inspect: MediaInspection) async {
    defer { finish(item.id) }
    // A track whose inspection fails reports its error when it is played; until then only its name is known.
    guard let description = try? await inspect(item.uri) else {
      // Playback may have stored the metadata since.
      return state.withLock { if $0.known[item.id] == nil { $0.store(nil, of: item.id) } }
    }
    let duration = item.duration(ofMedia: description.duration)
    let cover = await art(.init(item: item, artwork: description.metadata.artwork))
    let fields = MPRISMetadata.Fields(
      item, description.metadata, duration, artURL: cover, hasLyrics: hasLyrics)
    store(MPRISMetadata(fields), of: item.id)
    learned(item.id)
  }
}
