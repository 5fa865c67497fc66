public import MPRISService
@_exported public import Playback
import Synchronization

extension MPRISService {
  /// Creates the service of a `Player`: clients show its queue's current item and control it.
  ///
  /// ```swift
  /// try await MPRISService(identity: "My Player", player: player).run()
  /// ```
  ///
  /// Clients see tags, position, loop mode, shuffling, rate and volume, and no picture. They cannot open URIs or quit the
  /// program. The volume of clients is cubic, as in mixers, up to the unamplified volume.
  ///
  /// - Parameters:
  ///   - identity: The display name, such as `My Player`; not empty.
  ///   - name: The name for commands; by default, it is derived from `identity`.
  ///   - desktopEntry: The name of the program's desktop file without `.desktop`; nil without such a file.
  ///   - player: The player, which the service retains.
  public init(identity: String, name: String? = nil, desktopEntry: String? = nil, player: Player) {
    self.init(identity: identity, name: name, player: MPRISPlayerBridge(player, desktopEntry: desktopEntry))
  }
}

/// Converts between a `Player` and MPRIS.
package final class MPRISPlayerBridge: MPRISPlayer {
  private let player: Player
  private let desktopEntry: String?
  /// Whether clients see and set the loop mode and the order, which otherwise belong to the program.
  private let hasOrder: Bool
  /// The object that the service retains for the player.
  private let owner: (any AnyObject & Sendable)?
  /// The metadata of the current track, created once for each change of its tags.
  private let cache = Mutex<(track: MPRISTrackID, revision: UInt64, metadata: MPRISMetadata)?>(nil)

  package init(
    _ player: Player, desktopEntry: String? = nil, hasOrder: Bool = true, owner: (any AnyObject & Sendable)? = nil
  ) {
    self.player = player
    self.owner = owner
    self.desktopEntry = desktopEntry
    self.hasOrder = hasOrder
  }

  package func snapshot() -> MPRISSnapshot {
    let state = player.snapshot
    let hasItem = state.currentItem != nil
    var snapshot = MPRISSnapshot(desktopEntry: desktopEntry)
    snapshot.status = Self.status(of: state)
    snapshot.loop = MPRISLoopStatus(state.loop)
    snapshot.shuffle = state.isShuffled
    (snapshot.hasLoop, snapshot.hasShuffle) = (hasOrder, hasOrder)
    snapshot.rate = state.rate
    snapshot.minimumRate = Player.rateRange.lowerBound
    snapshot.maximumRate = Player.rateRange.upperBound
    snapshot.volume = VolumeScale.cubic(fromLinear: state.volume)
    snapshot.position = state.position
    snapshot.metadata = metadata(of: state)
    snapshot.canGoNext = state.hasNext
    snapshot.canGoPrevious = state.hasPrevious
    snapshot.canPlay = hasItem
    snapshot.canPause = hasItem
    snapshot.canSeek = state.isSeekable
    snapshot.isSettled = state.isSettled
    return snapshot
  }

  /// Returns the status for clients: an item that is held at its end is paused, because clients let the position of a
  /// playing one advance.
  private static func status(of state: Player.Snapshot) -> MPRISPlaybackStatus {
    let isHeld = state.transport == .playing && state.currentItem != nil && state.timeControlStatus == .paused
    return isHeld ? .paused : MPRISPlaybackStatus(state.transport)
  }

  package func perform(_ command: MPRISCommand) throws(MPRISCommandError) {
    switch command {
    case .play: player.play()
    case .pause: player.pause()
    case .playPause: if Self.status(of: player.snapshot) == .playing { player.pause() } else { player.play() }
    case .stop: player.stop()
    case .next: player.advanceToNextItem()
    case .previous: player.returnToPreviousItem()
    case .setPosition(let track, let position):
      player.seek(to: position) { MPRISTrackID($0.number, passage: $1 + 1) == track }
    case .setLoop(let loop): player.loop = Player.LoopMode(loop)
    case .setShuffle(let shuffle): player.isShuffled = shuffle
    case .setRate(let rate): player.rate = rate
    case .setVolume(let volume): player.volume = VolumeScale.linear(fromCubic: volume)
    // The snapshot excludes these.
    case .open, .quit: throw .notSupported("the program does not support this")
    }
  }

  package func events() -> AsyncStream<MPRISPlayerEvent> {
    AsyncStream { continuation in
      let observation = player.addEventObserver { event, _ in
        switch event {
        case .timeJumped(_, let position), .playbackResumed(_, let position):
          continuation.yield(.seeked(to: position))
        case .changed: continuation.yield(.changed)
        default: break
        }
      }
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  private func metadata(of state: Player.Snapshot) -> MPRISMetadata {
    guard let item = state.currentItem else { return .none }
    let track = MPRISTrackID(item.id.number, passage: state.loopCount + 1)
    return cache.withLock { cached in
      if let cached, cached.track == track, cached.revision == state.detailsRevision { return cached.metadata }
      let metadata = MPRISMetadata(MPRISMetadata.Fields(item, as: track, state.metadata, state.duration))
      cached = (track, state.detailsRevision, metadata)
      return metadata
    }
  }
}
