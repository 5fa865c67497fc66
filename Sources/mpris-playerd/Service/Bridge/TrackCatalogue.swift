import GstPlayer
import MPRISService
import Synchronization

/// What is known of the tracks of the queue beside the one that plays: learned when they played, or by inspection.
///
/// It is kept for so many tracks; the oldest knowledge goes first.
final class TrackCatalogue: Sendable {
  /// How many tracks are known at the most.
  static let capacity = 1_000

  fileprivate struct State {
    var known: [PlayerItem.ID: Metadata] = [:]
    /// The keys of `known`, the oldest first, from `first` on.
    var order: [PlayerItem.ID] = []
    var first = 0
    /// Those that wait for an inspection, or had one.
    var asked: Set<PlayerItem.ID> = []
    /// Those that wait for an inspection.
    var pending: Set<PlayerItem.ID> = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let requests: AsyncStream<PlayerItem>
  private let inbox: AsyncStream<PlayerItem>.Continuation
  private let hasLyrics: Bool
  private let art: @Sendable (CoverArt.Subject) -> String?
  private let learned: @Sendable (PlayerItem.ID) -> Void

  /// Makes an empty catalogue; `art` finds the picture of a track that has been inspected, and `learned` is called for
  /// each one that there is something to tell of.
  init(
    hasLyrics: Bool = false, art: @escaping @Sendable (CoverArt.Subject) -> String? = { _ in nil },
    learned: @escaping @Sendable (PlayerItem.ID) -> Void
  ) {
    self.hasLyrics = hasLyrics
    self.art = art
    self.learned = learned
    (requests, inbox) = AsyncStream.makeStream(of: PlayerItem.self, bufferingPolicy: .bufferingOldest(TrackWindow.size))
  }

  func metadata(of item: PlayerItem.ID) -> Metadata? { state.withLock { $0.known[item] } }

  func store(_ metadata: Metadata, of item: PlayerItem.ID) { state.withLock { $0.store(metadata, of: item) } }

  /// Has a track looked at, once, when its turn comes.
  ///
  /// Only what is on this machine: a server is not asked for something that nobody wants to hear yet.
  func inspect(_ item: PlayerItem) {
    guard FileURI.path(of: item.uri) != nil, state.withLock({ $0.ask(item.id) }) else { return }
    if case .dropped(let item) = inbox.yield(item) { finish(item.id) { $0.asked.remove(item.id) } }
  }

  /// Has tracks inspected; returns when they are known or cannot be, or when the time is over.
  func inspect(_ items: [PlayerItem], within timeout: Duration, _ clock: some Clock<Duration>) async {
    for item in items where metadata(of: item.id) == nil { inspect(item) }
    let ids = Set(items.map(\.id))
    await withTaskGroup { group in
      group.addTask { while !self.state.withLock({ $0.pending.isDisjoint(with: ids) }), await self.inspected() {} }
      group.addTask { try? await clock.sleep(for: timeout) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Returns after the next inspection; false when the task is cancelled.
  private func inspected() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !Task.isCancelled, !state.pending.isEmpty else { return true }
          state.waiters.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
    }
    return !Task.isCancelled
  }

  /// Notes that the inspection of a track has ended.
  private func finish(_ item: PlayerItem.ID, _ change: (inout State) -> Void = { _ in }) {
    let waiters = state.withLock { state in
      state.pending.remove(item)
      change(&state)
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Inspects what is asked for, until cancelled; two at once.
  func run() async {
    let inspector = MediaInspector(limit: 2)
    await withDiscardingTaskGroup { group in
      for await item in requests {
        group.addTask {
          defer { self.finish(item.id) }
          // What cannot be inspected fails when it is played; until then its name is all there is.
          guard let description = try? await inspector.inspect(item.uri) else { return }
          let duration = item.duration(ofMedia: description.duration)
          let cover = self.art(.init(item: item, artwork: description.metadata.artwork))
          let fields = Metadata.Fields(
            item, description.metadata, duration, artURL: cover, hasLyrics: self.hasLyrics)
          self.store(Metadata(fields), of: item.id)
          self.learned(item.id)
        }
      }
    }
  }
}

extension TrackCatalogue.State {
  /// Notes that a track is to be inspected; false if it has been asked for before.
  fileprivate mutating func ask(_ item: PlayerItem.ID) -> Bool {
    guard asked.insert(item).inserted else { return false }
    pending.insert(item)
    return true
  }

  fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    defer { waiters = [] }
    return waiters
  }

  fileprivate mutating func store(_ metadata: Metadata, of item: PlayerItem.ID) {
    guard known.updateValue(metadata, forKey: item) == nil else { return }
    order.append(item)
    guard known.count > TrackCatalogue.capacity else { return }
    known[order[first]] = nil
    asked.remove(order[first])
    first += 1
    guard first >= TrackCatalogue.capacity else { return }
    order.removeFirst(first)
    first = 0
  }
}
