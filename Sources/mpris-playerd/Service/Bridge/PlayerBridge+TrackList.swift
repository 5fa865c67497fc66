import GstPlayer
import MPRISService
import PlayerdInterfaces

/// The queue as the track list of MPRIS.
extension PlayerBridge: TrackListPlayer {
  var trackPathPrefix: TrackPathPrefix { PlayerdName.tracks }

  func tracks() -> [TrackID] {
    let current = player.snapshot
    return window.map { track(of: $0, current) }
  }

  func metadata(of tracks: [TrackID]) -> [Metadata] {
    let asked = Set(tracks)
    let current = player.snapshot
    var items: [TrackID: PlayerItem] = [:]
    for item in window {
      let track = track(of: item, current)
      if asked.contains(track) { items[track] = item }
    }
    return tracks.compactMap { track in
      guard let item = items[track] else { return nil }
      if item.id == current.currentItem?.id { return metadata(of: current).metadata }
      if let known = catalogue.metadata(of: item.id) { return known }
      catalogue.inspect(item)
      return Metadata(Metadata.Fields(item, MediaMetadata(), item.hints?.duration))
    }
  }

  func perform(_ command: TrackListCommand) throws(CommandError) {
    switch command {
    case .add(let text, let place, let makesCurrent):
      var request = try request(for: text)
      request.placement = .add
      request.place = queuePlace(place)
      request.goesThere = makesCurrent
      open(request)
    case .remove(let track):
      if let item = item(of: track) { player.remove(item.id) }
    case .goTo(let track):
      if let item = item(of: track) { coordinator.play(item.id) }
    }
  }

  private func track(of item: PlayerItem, _ current: Player.Snapshot) -> TrackID {
    TrackID(item, loopCount: item.id == current.currentItem?.id ? current.loopCount : 0)
  }

  /// Returns the item of a track in the list, whichever passage the identity names; nil if the list does not contain it.
  private func item(of track: TrackID) -> PlayerItem? { window.first { TrackID($0).isSameTrack(as: track) } }

  private func queuePlace(_ place: TrackPlace) -> QueuePlace {
    switch place {
    case .start: .start
    case .end: .end
    case .after(let track): item(of: track).map { .after($0.id) } ?? .end
    }
  }

  private var window: ArraySlice<PlayerItem> {
    let (items, current) = player.queue
    return items[TrackWindow.range(count: items.count, current: current)]
  }
}
