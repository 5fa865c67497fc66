import Playback
import PlayerdSystem
import Synchronization

/// Follows the first load of a new queue whose items were not inspected: playback decides which of them can be played.
///
/// An inspection before it would open the first file twice and delay its sound.
final class FirstLoad: Sendable {
  private struct State {
    var failures: [(item: Player.Item, error: PlayerError)] = []
    var hasBegun = false
  }

  private let state = Mutex(State())
  private let decisions: AsyncStream<Void>
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Observes a player with an empty queue.
  init(_ player: Player) {
    let (decisions, decided) = AsyncStream.makeStream(of: Void.self)
    self.decisions = decisions
    let observer = player.addEventObserver { [weak self] event, snapshot in
      if self?.follow(event, snapshot) == true { decided.finish() }
    }
    _ = observation.storeIfNil(observer)
  }

  /// Whether a local file begins as media does, so that it is likely to be playable.
  static func isLikely(_ item: Player.Item, in files: any FileSystem) -> Bool {
    guard let path = FileURI.path(of: item.uri) else { return false }
    return ContainerStart.isKnown(files.start(of: path, count: ContainerStart.size))
  }

  /// Returns the items that failed before the first one was ready; waits until then, or until no item is left.
  ///
  /// It returns early if the task is cancelled, or if nothing can be loaded because the output is missing.
  func failures() async -> [(item: Player.Item, error: PlayerError)] {
    for await _ in decisions {}
    return state.withLock { $0.failures }
  }

  private func follow(_ event: Player.Event, _ snapshot: Player.Snapshot) -> Bool {
    state.withLock { state in
      if snapshot.itemCount > 0 { state.hasBegun = true }
      guard state.hasBegun else { return false }
      if case .itemFailed(let item, let error) = event { state.failures.append((item, error)) }
      return snapshot.itemStatus == .readyToPlay || snapshot.transport == .stopped
        || snapshot.timeControlStatus == .waitingToPlay(.noOutput)
    }
  }
}

/// The first bytes of media files, by which GStreamer recognizes them too.
enum ContainerStart {
  /// The number of bytes that are enough.
  static let size = 12

  /// The bytes at an offset: FLAC, Ogg, WAV, AIFF, ID3 tags, MP4, Matroska, WavPack and Monkey's Audio.
  private static let known: [(offset: Int, text: String)] = [
    (0, "fLaC"), (0, "OggS"), (8, "WAVE"), (8, "AIFF"), (0, "ID3"), (4, "ftyp"), (0, "\u{1A}E\u{DF}\u{A3}"),
    (0, "wvPk"), (0, "MAC "),
  ]

  /// Whether content begins as one of the formats.
  static func isKnown(_ start: [UInt8]) -> Bool {
    known.contains { offset, text in
      start.dropFirst(offset).starts(with: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
  }
}
