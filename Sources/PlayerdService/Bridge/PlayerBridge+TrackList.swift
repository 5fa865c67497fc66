import MPRISService
import Playback
import PlayerdInterfaces

/// The track list of MPRIS: a window of the queue.
extension PlayerBridge: MPRISTrackListPlayer {
  var trackPathPrefix: MPRISTrackPathPrefix { PlayerdName.tracks }

  func tracks() -> [MPRISTrackID] {
    let current = player.snapshot
    return window.map { track(of: $0, current) }
  }

  func metadata(of tracks: [MPRISTrackID]) -> [MPRISMetadata] {
    let current = player.snapshot
    let items = Dictionary(window.map { (track(of: $0, current), $0) }) { first, _ in first }
    return tracks.compactMap { track in
      guard let item = items[track] else { return nil }
      if item.id == current.currentItem?.id { return metadata(of: current).metadata }
      if let known = metadataCache.metadata(of: item.id) { return known }
      if player.isLowPowerModeEnabled { metadataCache.inspectLater(item) } else { metadataCache.inspect(item) }
      return MPRISMetadata(MPRISMetadata.Fields(item, MediaMetadata(), item.externalMetadata?.duration))
    }
  }

  func perform(_ command: MPRISTrackListCommand) throws(MPRISCommandError) {
    switch command {
    case .add(let text, let position, let makesCurrent):
      var request = try request(for: text)
      request.placement = .add
      request.position = queuePosition(position)
      request.becomesCurrent = makesCurrent
      try open(request)
    case .remove(let track):
      if let item = item(of: track) { coordinator.remove([item.id], of: playlistFolder.active) }
    case .goTo(let track):
      if let item = item(of: track) { coordinator.play(item.id) }
    }
  }

  private func track(of item: Player.Item, _ current: Player.Snapshot) -> MPRISTrackID {
    MPRISTrackID(item, loopCount: item.id == current.currentItem?.id ? current.loopCount : 0)
  }

  /// Returns the item of any passage of a track; nil if the list does not contain it.
  private func item(of track: MPRISTrackID) -> Player.Item? { window.first { MPRISTrackID($0).isSameTrack(as: track) } }

  private func queuePosition(_ position: MPRISTrackPosition) -> QueuePosition {
    switch position {
    case .start: .start
    case .end: .end
    case .after(let track): item(of: track).map { .after($0.id) } ?? .end
    }
  }

  private var window: ArraySlice<Player.Item> {
    let (items, current) = player.queue
    return items[TrackWindow.range(count: items.count, current: current)]
  }
}
