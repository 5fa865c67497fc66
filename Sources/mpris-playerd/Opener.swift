import GstPlayer
import Logging

/// Turns what is asked to be opened into queue items, one request after another; folders are read here, off the bus and
/// the pipeline.
struct Opener: Sendable {
  /// Items that one edit of the queue brings at the most, so that a large folder starts playing before it has been
  /// read.
  private static let batchSize = 512

  let player: Player
  let progress: OpenProgress
  let log: Logger
  /// Called when the queue is about to be made anew from URIs.
  let replaces: @Sendable ([String]) -> Void

  /// Opens requests until the stream ends.
  func run(_ requests: AsyncStream<OpenRequest>) async {
    for await request in requests {
      apply(request)
      open(request)
      progress.finish()
    }
  }

  private func apply(_ request: OpenRequest) {
    if let volume = request.volume { player.setVolume(VolumeScale.linear(fromCubic: volume)) }
    if let rate = request.rate { player.setRate(rate) }
    if let loop = request.loop { player.setLoop(loop) }
    if let shuffle = request.shuffle { player.setShuffled(shuffle) }
  }

  private func open(_ request: OpenRequest) {
    if request.placement == .replace, !request.uris.isEmpty { replaces(request.uris) }
    var insertion = Insertion(player: player, request: request, progress: progress)
    // What is named together comes into the queue together; only a folder's files do not wait for what follows them.
    var collected: [PlayerItem] = []
    for uri in request.uris {
      guard let path = FileURI.path(of: uri), MediaFolder.kind(of: path) == .folder else {
        if isAllowed(uri, request) { collected.append(PlayerItem(uri: uri)) }
        continue
      }
      var isEmpty = true
      MediaFolder.walk(path) { files in
        isEmpty = false
        for start in stride(from: 0, to: files.count, by: Self.batchSize) {
          collected += files[start..<min(start + Self.batchSize, files.count)].map { FileURI.uri(ofPath: $0) }
            .filter { isAllowed($0, request) }.map { PlayerItem(uri: $0) }
          insertion.add(collected)
          collected = []
        }
        return !insertion.isFull && !Task.isCancelled
      }
      if isEmpty { log.warning("\(FileURI.readable(uri)): no media in this folder") }
    }
    insertion.add(collected)
    if !insertion.hasBegun, request.placement == .replace, !request.uris.isEmpty { player.replaceQueue(with: []) }
    if insertion.isFull { log.warning("the queue is full at a million tracks; the rest is left out") }
  }
}

extension Opener {
  private func isAllowed(_ uri: String, _ request: OpenRequest) -> Bool {
    guard let policy = request.policy, !policy.allows(uri) else { return true }
    log.warning("\(FileURI.readable(uri)): refused, it may not be opened")
    return false
  }
}

/// One request on its way into the queue, batch by batch.
private struct Insertion {
  let player: Player
  let request: OpenRequest
  let progress: OpenProgress
  private(set) var hasBegun = false
  private var last: PlayerItem.ID?

  init(player: Player, request: OpenRequest, progress: OpenProgress) {
    self.player = player
    self.request = request
    self.progress = progress
  }

  var isFull: Bool { hasBegun && player.snapshot.itemCount >= Player.itemLimit }

  mutating func add(_ items: [PlayerItem]) {
    guard let first = items.first else { return }
    if hasBegun {
      player.insert(items, after: last)
      // All that came before has failed already: go on with these.
      if progress.takeRunDry(), !request.startsPaused { player.play(first.id) }
    } else {
      begin(with: items, first: first)
      hasBegun = true
    }
    // What is appended stays at the end; what was put somewhere keeps together.
    switch request.placement {
    case .next, .now: last = items.last?.id
    case .add: if request.place != .end { last = items.last?.id }
    case .replace, .append: break
    }
  }

  private func begin(with items: [PlayerItem], first: PlayerItem) {
    let before = player.snapshot
    switch request.placement {
    case .append where before.currentItem != nil:
      player.insert(items)
    case .next where before.currentItem != nil:
      player.insert(items, after: before.currentItem?.id)
    case .now:
      player.insert(items, after: before.currentItem?.id)
      player.play(first.id)
    case .add:
      switch request.place {
      case .start: player.insertAtStart(items)
      case .end: player.insert(items)
      case .after(let item): player.insert(items, after: item)
      }
      if request.goesThere { player.play(first.id) }
    case .replace, .append, .next:
      player.replaceQueue(with: items)
      if request.startsPaused { player.prepare() } else { player.play() }
      if let start = request.start { player.seek(to: start) }
    }
  }
}
